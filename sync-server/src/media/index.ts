export { createMedia, type Media, type ServedFile } from './media.ts';
export { type ArrivedVideo, type ReceivedVideo, receiveVideo } from './receive-video.ts';
export { contentHash, createMediaTransfer, type KeptVideo, type MediaTransfer } from './transfer.ts';
export type { MediaLimits } from './uploads.ts';
