/** Scenes that understand free answers, as they are written in `content`. */
export { readScenes, readSharedActs, type Scene } from './read-scenes.ts';
