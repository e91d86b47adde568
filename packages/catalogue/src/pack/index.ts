/** Course packs: documents as readable files in a ZIP. `docs/course-pack.md` describes the format. */
export type { FileProblem } from './parse-yaml.ts';
export { practiceFromText, practiceToText } from './practice-text.ts';
export { type PackFiles, type PackProblem, type ReadPack, isPackFile, readPack } from './read-pack.ts';
export { packSchema } from './pack-schema.ts';
export { PACK_LIMITS, unzipPack, zipPack } from './zip.ts';
export { writePack } from './write-pack.ts';
