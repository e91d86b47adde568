export { createS3Storage } from './s3-storage.ts';
