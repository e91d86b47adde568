import { MAX_SPEECH_BYTES } from '@parley/contract';
import { DomainError } from '../domain-error.ts';

/** Limits the audio to the longest possible utterance. */
export async function* limitUtteranceLength(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const pcm of alignToSamples(sound)) {
    bytes += pcm.byteLength;
    if (bytes > MAX_SPEECH_BYTES) throw new DomainError('request.too_large');
    yield pcm;
  }
}

/** A network may split the audio anywhere, even within a sample of two bytes. */
async function* alignToSamples(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left: Uint8Array = new Uint8Array();
  for await (const piece of sound) {
    const bytes = left.byteLength === 0 ? piece : Buffer.concat([left, piece]);
    const whole = bytes.byteLength - (bytes.byteLength % 2);
    left = bytes.subarray(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
  }
  if (left.byteLength > 0) throw new DomainError('request.invalid', { detail: 'half a sample' });
}
