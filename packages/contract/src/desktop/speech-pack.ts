/** The speech pack: a model that the learner may download, with which this computer transcribes free speech by itself. */
import { z } from 'zod';
import { type ErrorCode, isErrorCode } from '../errors.ts';
import { base } from './base.ts';

const bytes = z.number().int().min(0);

export const SpeechPackDescription = z.object({
  name: z.string(),
  /** An SPDX identifier, such as `MIT`. */
  licence: z.string(),
  /** A page about the model; null when none is known. */
  source: z.string().nullable(),
  totalBytes: bytes,
  /** SHA-256 over the hashes of all files, hexadecimal. */
  hash: z.string(),
});
export type SpeechPackDescription = z.infer<typeof SpeechPackDescription>;

/** The speech pack at an address, of which only the description has been downloaded. */
export const SpeechPackOffer = SpeechPackDescription.extend({ address: z.string() });
export type SpeechPackOffer = z.infer<typeof SpeechPackOffer>;

/** `damaged`: a file does not match its entry in the manifest. */
const Failure = z.custom<ErrorCode | 'damaged'>(
  (code) => typeof code === 'string' && (code === 'damaged' || isErrorCode(code)),
);

const pack = SpeechPackDescription;
export const SpeechPackState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('none') }),
  z.object({ status: z.literal('loading'), pack, bytes }),
  /** The download continues from here when it is requested again. `failure` is null if the learner stopped it. */
  z.object({ status: z.literal('interrupted'), pack, bytes, failure: Failure.nullable() }),
  z.object({
    status: z.literal('ready'),
    pack,
    /** Seconds of work per second of speech, measured on first use; null before that. */
    speed: z.number().nullable(),
    /** Too slow for a conversation on this computer, so it is not used. */
    isTooSlow: z.boolean(),
  }),
  z.object({ status: z.literal('damaged'), pack }),
]);
export type SpeechPackState = z.infer<typeof SpeechPackState>;

const Address = z.string().trim().min(1).max(500);

export const speechPackContract = {
  state: base.input(z.void()).output(SpeechPackState),
  /**
   * Reads the description at an address, or at the learner's own server when `address` is null. Fails with
   * `speech_pack.not_found` when there is none, and with `server.address_invalid`, `server.not_secure` or `sync.offline`.
   */
  find: base.input(z.object({ address: Address.nullable() })).output(SpeechPackOffer),
  /**
   * Starts or resumes the download of the pack that was found or interrupted last, and returns at once. Fails with
   * `speech_pack.not_found` if its hash is not this one.
   */
  install: base.input(z.object({ hash: z.string().length(64) })).output(z.void()),
  /** Stops a download. The downloaded part is kept, and a later download resumes from it. */
  stop: base.input(z.void()).output(z.void()),
  /** Deletes the pack and any partial download. */
  remove: base.input(z.void()).output(z.void()),
  /** Uses a pack even though it is too slow for a conversation. */
  allowSlow: base.input(z.void()).output(z.void()),
};
