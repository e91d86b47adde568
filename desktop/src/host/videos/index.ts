export { createVideoFiles, type VideoFiles, type VideoSource } from './video-files.ts';
