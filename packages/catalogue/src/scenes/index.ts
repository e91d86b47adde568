/** Scenes that understand free answers, read from `content`. */
export { readScenes, readSharedActs, type Scene } from './read-scenes.ts';
