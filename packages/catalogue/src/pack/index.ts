/** Course packs: documents as readable files in a ZIP. `docs/course-pack.md` describes the format. */
export type { FileProblem } from './parse-yaml.ts';
export { pictureId } from '../stable-id.ts';
export { practiceFromText, practiceToText } from './practice-text.ts';
export type { PackEntry, PackSource } from './archive.ts';
export { loadPack, type ReceiveMedia } from './load-pack.ts';
export type { PackProblem } from './pack-reader.ts';
export { type ReadPack, readPack } from './read-pack.ts';
export type { PackPicture } from './read-posts.ts';
export type { PackVideo } from './read-videos.ts';
export { packSchema } from './pack-schema.ts';
export { type PackedMedia, zipPack } from './zip.ts';
export { type StoredPicture, type StoredVideo, toFileName, writePack } from './write-pack.ts';
