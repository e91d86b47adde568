/** Audio in, scores out: the on-device scorer and what it needs to know about sound. */
export type { Following, Listening } from './listen/listening.ts';
export { createScorer, type Ranking, type Scorer, type ScorerOptions } from './scorer.ts';
export { type AudioReport, type AudioVerdict, inspectAudio } from './signal/inspect.ts';
export { decodePcm16, encodeWav, wavHeader } from './wav/encode-wav.ts';
export { parseWav, type ParsedWav, type WavError } from './wav/parse-wav.ts';
