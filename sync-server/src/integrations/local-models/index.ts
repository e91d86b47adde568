/** Finds language models on this machine. */
export { findLocalModels, type FindLocalModelsOptions, LOCAL_ADDRESSES } from './find-local-models.ts';
