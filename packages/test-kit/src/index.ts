/** Fixtures that tests, proofs and benchmarks share. */
export * from './speech-fixtures.ts';
export { makeTinyPack, secondsOf } from './tiny-pack.ts';
export { syllables } from './tone.ts';
