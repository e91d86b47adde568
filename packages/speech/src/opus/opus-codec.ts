/** Encodes recordings to Opus and decodes them again, with libopus in WebAssembly. It blocks, so it runs in a worker. */
import { ok, type Result } from '@parley/domain';
import { Application, createDecoder, createEncoder, Signal } from 'libopus-wasm';
import { decodePcm16 } from '../wav/encode-wav.ts';
import { type OggError, POSITION_RATE_HZ, readOggOpus, writeOggOpus } from './ogg-opus.ts';

const SAMPLE_RATE_HZ = 16_000;
/** At this bit rate, listeners hear no difference in speech at 16 kHz (Opus listening tests, xiph.org). */
const BITS_PER_SECOND = 24_000;
const FRAME_SAMPLES = SAMPLE_RATE_HZ / 50;
const POSITIONS_PER_SAMPLE = POSITION_RATE_HZ / SAMPLE_RATE_HZ;
const BYTES_PER_SAMPLE = 2;

/** `pcm` is 16-bit little-endian mono PCM at 16 kHz. Equal audio gives equal bytes. */
export async function encodeOpus(pcm: Uint8Array): Promise<Uint8Array> {
  const encoder = await createEncoder({
    sampleRate: SAMPLE_RATE_HZ,
    channels: 1,
    frameSize: FRAME_SAMPLES,
    application: Application.Voip,
    signal: Signal.Voice,
    bitrate: BITS_PER_SECOND,
    vbr: true,
  });
  try {
    const samples = decodePcm16(pcm);
    const lookahead = encoder.getLookahead();
    // The encoder delays its output, so silence is appended until all of the audio has come out.
    const frameCount = Math.ceil((samples.length + lookahead) / FRAME_SAMPLES);
    const padded = new Float32Array(frameCount * FRAME_SAMPLES);
    padded.set(samples);
    const packets = Array.from({ length: frameCount }, (_, frame) =>
      encoder.encodeFloat(padded.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES)).slice(),
    );
    return writeOggOpus(
      {
        packets,
        preSkip: lookahead * POSITIONS_PER_SAMPLE,
        playedSamples: samples.length * POSITIONS_PER_SAMPLE,
      },
      SAMPLE_RATE_HZ,
    );
  } finally {
    encoder.free();
  }
}

/** Returns 16-bit little-endian mono PCM at 16 kHz, as long as the original. */
export async function decodeOpus(bytes: Uint8Array, bounds: { maxMs: number }): Promise<Result<Uint8Array, OggError>> {
  const read = readOggOpus(bytes, bounds);
  if (!read.ok) return read;
  const { packets, preSkip, playedSamples } = read.value;
  const decoder = await createDecoder({ sampleRate: SAMPLE_RATE_HZ, channels: 1 });
  try {
    const frames = packets.map((packet) => decoder.decode(packet).slice());
    const samples = new Int16Array(frames.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const frame of frames) {
      samples.set(frame, offset);
      offset += frame.length;
    }
    const first = Math.round(preSkip / POSITIONS_PER_SAMPLE);
    return ok(toBytes(samples.subarray(first, first + Math.round(playedSamples / POSITIONS_PER_SAMPLE))));
  } catch {
    // The packets have valid lengths, but libopus does not accept their content.
    return { ok: false, error: { code: 'damaged' } };
  } finally {
    decoder.free();
  }
}

function toBytes(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * BYTES_PER_SAMPLE);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => view.setInt16(index * BYTES_PER_SAMPLE, sample, true));
  return bytes;
}
