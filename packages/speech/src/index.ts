/** The on-device scorer and its audio utilities: audio in, scores out. */
export type { RecognitionProgress, RecognitionStream } from './streaming/recognition-stream.ts';
export { createScorer, type Draft, type Ranking, type Scorer, type ScorerOptions } from './scorer.ts';
export { type AudioReport, type AudioVerdict, inspectAudio } from './signal/inspect.ts';
export { withoutHum } from './signal/remove-hum.ts';
export { isSteadySound } from './signal/spectral-change.ts';
export { canBeSaid } from './pronounce/pronounce.ts';
export { spokenText } from './pronounce/spoken-form.ts';
export { decodePcm16, encodeWav, wavHeader } from './wav/encode-wav.ts';
export { parseWav, type ParsedWav, type WavError } from './wav/parse-wav.ts';
