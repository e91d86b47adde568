export { createMedia, type Media } from './media.ts';
export { createPictures, type Pictures, type PictureSizes } from './pictures.ts';
export { measurePicture, readPicture } from './read-picture.ts';
export { type ArrivedVideo, type ReceivedVideo, receiveVideo } from './receive-video.ts';
export { contentHash, createMediaTransfer, type KeptVideo, type MediaTransfer } from './transfer.ts';
export type { ReadFreeBytes } from './disk-room.ts';
export type { MediaLimits } from './uploads.ts';
