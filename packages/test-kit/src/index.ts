/** What tests, proofs and benches share. */
export * from './speech.ts';
