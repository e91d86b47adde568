/** Opus in Ogg without the codec: what a file contains and how long it plays. */
export { type OggError, POSITION_RATE_HZ, readOggOpus } from './ogg-opus.ts';
