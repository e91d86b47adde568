/** Sound as bytes, for those who need no scorer: files, samples, rates. */
export { decodePcm16, encodePcm16, wavHeader } from './encode-wav.ts';
export { createResampler } from './resample.ts';
