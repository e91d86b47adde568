/** Finds language models on this machine. */
export { findLocalModels, LOCAL_ADDRESSES } from './find-local-models.ts';
