/** Language models on this machine. */
export { findLocalModels, type FindOptions, type FoundModels, LOCAL_ADDRESSES } from './find-local-models.ts';
