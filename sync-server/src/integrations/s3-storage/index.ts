export { createS3Storage, type S3Options } from './s3-storage.ts';
