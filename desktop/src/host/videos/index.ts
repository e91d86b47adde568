export { createVideoCopies, type VideoCopies } from './video-copies.ts';
export { createVideoFiles, type VideoFiles } from './video-files.ts';
export type { KeptVideo, VideoSource } from './video-source.ts';
