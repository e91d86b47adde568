/** Reads WAV files: any common encoding, sample rate and channel count becomes 16 kHz mono samples in -1..1, or an error code. */
import { err, ok, type Result } from '@parley/domain';
import { resample } from './resample.ts';

export const SAMPLE_RATE_HZ = 16_000;

export interface WavError {
  code: 'audio.empty' | 'audio.not_wav' | 'audio.truncated' | 'audio.unsupported' | 'audio.unreadable';
  message: string;
}

export interface ParsedWav {
  /** 16 kHz mono, -1..1. */
  pcm: Float32Array;
  /** The file's original format. */
  sampleRateHz: number;
  channels: number;
  /** The header promised more audio than the file contains; the available part was used. */
  truncated: boolean;
}

interface Format {
  encoding: 'integer' | 'float';
  channels: number;
  sampleRateHz: number;
  bitsPerSample: number;
}

const INTEGER_CODE = 1;
const FLOAT_CODE = 3;
const EXTENSIBLE_CODE = 0xfffe;
const MAX_SAMPLE_RATE_HZ = 384_000;
const MIN_SAMPLE_RATE_HZ = 4_000;
/** Programs that write to a pipe do not know the size, and write one close to the largest possible. */
const UNKNOWN_SIZE = 0x7fff_0000;
/** Some programs include the header in the size of the audio. */
const MAX_HEADER_BYTES = 64;

/** A channel this many times as powerful as the mix was cancelled by another one. */
const CANCELLED = 10;

const failure = (code: WavError['code'], message: string): Result<never, WavError> => err({ code, message });

/** Walks the RIFF chunks (Microsoft, "Multimedia Programming Interface and Data Specifications", 1991). */
export function parseWav(bytes: Uint8Array): Result<ParsedWav, WavError> {
  if (bytes.length === 0) return failure('audio.empty', 'The file is empty. Record again or choose another file.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || tagAt(view, 0) !== 'RIFF' || tagAt(view, 8) !== 'WAVE')
    return failure('audio.not_wav', 'This is not a WAV file. Convert the recording to WAV first.');

  let format: Format | null = null;
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const tag = tagAt(view, offset);
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (tag === 'fmt ') {
      if (start + 16 > bytes.length || size < 16) return failure('audio.truncated', 'The file ends inside its header.');
      format = readFormat(view, start, size);
      if (format === null) return failure('audio.unsupported', 'Only PCM and float WAV files can be read.');
    } else if (tag === 'data') {
      if (format === null) return failure('audio.not_wav', 'The file has sound before it says in which format.');
      const isOfUnknownSize = size >= UNKNOWN_SIZE || (size === 0 && !isChunkAt(view, start));
      const end = isOfUnknownSize ? bytes.length : Math.min(start + size, bytes.length);
      return readSamples(view, {
        start,
        end,
        format,
        truncated: !isOfUnknownSize && start + size > bytes.length + MAX_HEADER_BYTES,
      });
    }
    offset = start + size + paddingAfter(view, start, size);
  }
  return failure('audio.truncated', 'The file ends before its sound begins. Copy it again or record again.');
}

/** Chunks of odd length are followed by a zero byte, which some programs forget. */
function paddingAfter(view: DataView, start: number, size: number): number {
  const end = start + size;
  const isForgotten = end + 4 <= view.byteLength && /^(?:fmt |data|fact|LIST)$/.test(tagAt(view, end));
  return isForgotten ? 0 : size % 2;
}

/** Whether nothing or another chunk follows. A recorder that crashed leaves a size of 0, but audio follows. */
function isChunkAt(view: DataView, offset: number): boolean {
  if (offset === view.byteLength) return true;
  if (offset + 8 > view.byteLength) return false;
  return /^[ -~]{4}$/.test(tagAt(view, offset)) && offset + 8 + view.getUint32(offset + 4, true) <= view.byteLength;
}

const tagAt = (view: DataView, offset: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));

function readFormat(view: DataView, start: number, size: number): Format | null {
  const declared = view.getUint16(start, true);
  const isExtensible = declared === EXTENSIBLE_CODE && size >= 40 && start + 26 <= view.byteLength;
  const code = isExtensible ? view.getUint16(start + 24, true) : declared;
  const channels = view.getUint16(start + 2, true);
  const sampleRateHz = view.getUint32(start + 4, true);
  const bitsPerSample = view.getUint16(start + 14, true);
  const encoding = code === INTEGER_CODE ? 'integer' : code === FLOAT_CODE ? 'float' : null;
  const knownBits = encoding === 'float' ? [32, 64] : [8, 16, 24, 32];
  if (encoding === null || !knownBits.includes(bitsPerSample) || channels < 1 || channels > 32) return null;
  if (sampleRateHz < MIN_SAMPLE_RATE_HZ || sampleRateHz > MAX_SAMPLE_RATE_HZ) return null;
  return { encoding, channels, sampleRateHz, bitsPerSample };
}

function readSamples(
  view: DataView,
  data: { start: number; end: number; format: Format; truncated: boolean },
): Result<ParsedWav, WavError> {
  const { channels, sampleRateHz, bitsPerSample } = data.format;
  const bytesPerSample = bitsPerSample / 8;
  const frameCount = Math.floor((data.end - data.start) / (bytesPerSample * channels));
  if (frameCount === 0)
    return data.truncated
      ? failure('audio.truncated', 'The file ends before its sound begins. Copy it again or record again.')
      : failure('audio.empty', 'The file holds no sound. Record again or choose another file.');
  const read = sampleReader(view, data.format);
  const mix = (used: readonly number[]): Float32Array =>
    Float32Array.from({ length: frameCount }, (_, frame) => {
      const sum = used.reduce(
        (total, channel) => total + read(data.start + (frame * channels + channel) * bytesPerSample),
        0,
      );
      return Number.isFinite(sum) ? sum / used.length : 0;
    });
  const mono = withinFullScale(mixOrLoudest(channels, mix));
  return ok({ pcm: resample(mono, sampleRateHz, SAMPLE_RATE_HZ), sampleRateHz, channels, truncated: data.truncated });
}

/** The mean of all channels. If they cancel out, as in the opposite phases of a balanced cable, it is the loudest one. */
function mixOrLoudest(channels: number, mix: (used: readonly number[]) => Float32Array): Float32Array {
  const all = Array.from({ length: channels }, (_, channel) => channel);
  const mixed = mix(all);
  if (channels === 1) return mixed;
  let loudest = { pcm: mixed, power: powerOf(mixed) * CANCELLED };
  for (const channel of all) {
    const pcm = mix([channel]);
    const power = powerOf(pcm);
    if (power > loudest.power) loudest = { pcm, power };
  }
  return loudest.pcm;
}

/** Without the constant offset that some sound cards add. */
function powerOf(pcm: Float32Array): number {
  const mean = pcm.reduce((sum, sample) => sum + sample, 0) / pcm.length;
  return pcm.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / pcm.length;
}

/** Float samples may exceed full scale without being clipped. */
function withinFullScale(pcm: Float32Array): Float32Array {
  const peak = pcm.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  return peak > 1 ? pcm.map((sample) => sample / peak) : pcm;
}

function sampleReader(view: DataView, format: Format): (offset: number) => number {
  if (format.encoding === 'float')
    return format.bitsPerSample === 32 ? (at) => view.getFloat32(at, true) : (at) => view.getFloat64(at, true);
  switch (format.bitsPerSample) {
    case 8:
      return (at) => (view.getUint8(at) - 128) / 128;
    case 16:
      return (at) => view.getInt16(at, true) / 32_768;
    case 24:
      return (at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608;
    default:
      return (at) => view.getInt32(at, true) / 2_147_483_648;
  }
}
