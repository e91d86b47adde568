/** Audio formats without the scorer: files, samples and sample rates. */
export { decodePcm16, encodePcm16, wavHeader } from './encode-wav.ts';
export { createResampler } from './resample.ts';
