export { createMedia, type Media, type ServedFile } from './media.ts';
export type { MediaLimits } from './uploads.ts';
