import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readOggOpus } from './index.ts';
import { oggChecksum } from './ogg-checksum.ts';
import { createOpusThread } from './opus-worker-thread.ts';
import { packetDuration } from './packet-duration.ts';

const RATE_HZ = 16_000;
const thread = createOpusThread();
const folder = mkdtempSync(join(tmpdir(), 'parley-opus-'));
afterAll(() => thread.close());

/** A voice-like sound: a gliding tone with overtones in syllables. */
function voice(seconds: number): Uint8Array {
  const pcm = Buffer.alloc(Math.round(seconds * RATE_HZ) * 2);
  for (let index = 0; index < pcm.length / 2; index += 1) {
    const t = index / RATE_HZ;
    const tone = Math.sin(2 * Math.PI * 140 * t + Math.sin(t * 5)) + 0.5 * Math.sin(2 * Math.PI * 700 * t);
    pcm.writeInt16LE(Math.round(7_000 * (0.55 + 0.45 * Math.sin(2 * Math.PI * 3 * t)) * tone), index * 2);
  }
  return new Uint8Array(pcm);
}

/** Bursts of a hiss that never repeats, so that any shift shows. */
function hiss(seconds: number): Buffer {
  const pcm = Buffer.alloc(seconds * RATE_HZ * 2);
  let [state, smooth] = [1, 0];
  for (let index = 0; index < pcm.length / 2; index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    smooth += 0.3 * (state / 2 ** 31 - 0.5 - smooth);
    pcm.writeInt16LE(Math.round((Math.floor(index / 4_000) % 2) * 20_000 * smooth), index * 2);
  }
  return pcm;
}

/** The delay of the second sound, in samples. */
function delaySamples(first: Buffer, second: Buffer): number {
  const likeness = (shift: number): number => {
    let sum = 0;
    for (let at = 8_000; at < 24_000; at += 2) sum += first.readInt16LE(at) * second.readInt16LE(at + shift * 2);
    return sum;
  };
  const shifts = Array.from({ length: 401 }, (_, index) => index - 200);
  return shifts.reduce((best, shift) => (likeness(shift) > likeness(best) ? shift : best), 0);
}

const encoded = thread.encode(voice(17));
const bounds = { maxMs: 20_000 };

describe('a recording in Opus', () => {
  it('takes about 24 kbit/s and keeps its length', async () => {
    const opus = await encoded;
    expect(opus.byteLength).toBeLessThan(17 * 3_500);
    const decoded = await thread.decode(opus, bounds);
    expect(decoded.ok && decoded.value.byteLength).toBe(17 * RATE_HZ * 2);
  });

  it('keeps every sample in its place', async () => {
    const decoded = await thread.decode(await thread.encode(hiss(1)), bounds);
    expect(decoded.ok && delaySamples(hiss(1), Buffer.from(decoded.value))).toBe(0);
  });

  it('is the same file each time', async () => {
    expect(Buffer.from(await thread.encode(voice(17))).equals(Buffer.from(await encoded))).toBe(true);
  });

  it.each([0.02, 0.5, 1.003, 3.9999])('keeps the length of %s s', async (seconds) => {
    const decoded = await thread.decode(await thread.encode(voice(seconds)), bounds);
    expect(decoded.ok && decoded.value.byteLength).toBe(voice(seconds).byteLength);
  });

  it('is played by other software, as long as it was', async () => {
    writeFileSync(join(folder, 'voice.opus'), await encoded);
    execFileSync('opusdec', ['--quiet', join(folder, 'voice.opus'), join(folder, 'voice.pcm')]);
    expect(readFileSync(join(folder, 'voice.pcm')).byteLength).toBe(17 * RATE_HZ * 2);
  });

  it('can be cancelled before it is finished', async () => {
    const stop = new AbortController();
    const unwanted = thread.encode(voice(60), stop.signal);
    stop.abort(new Error('a conversation began'));
    await expect(unwanted).rejects.toThrow('a conversation began');
    const decoded = await thread.decode(await encoded, bounds);
    expect(decoded.ok).toBe(true);
  });

  it('continues with the other files when one is abandoned', async () => {
    const stop = new AbortController();
    const opus = await encoded;
    const unwanted = thread.encode(voice(60), stop.signal);
    const decoded = thread.decode(opus, bounds);
    stop.abort(new Error('a conversation began'));
    await expect(unwanted).rejects.toThrow('a conversation began');
    expect((await decoded).ok).toBe(true);
  });
});

describe('a damaged or mislabelled file', () => {
  /** Changes bytes and repairs the checksum of the page that holds them. */
  async function forge(change: (page: Buffer) => void, pageNumber: number): Promise<Uint8Array> {
    const file = Buffer.from(await encoded);
    let start = 0;
    for (let page = 0; page < pageNumber; page += 1) start = file.indexOf('OggS', start + 4);
    const next = file.indexOf('OggS', start + 4);
    const page = file.subarray(start, next === -1 ? file.length : next);
    change(page);
    page.writeUInt32LE(0, 22);
    page.writeUInt32LE(oggChecksum(page), 22);
    return new Uint8Array(file);
  }
  const codeOf = (file: Uint8Array, maxMs = 20_000) => {
    const read = readOggOpus(file, { maxMs });
    return read.ok ? 'ok' : read.error.code;
  };

  it('is refused with any bit changed', async () => {
    const file = Buffer.from(await encoded);
    for (let at = 0; at < file.length; at += 97) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(codeOf(damaged), String(at)).not.toBe('ok');
    }
  });

  it('is refused when it ends early or has data after its end', async () => {
    const file = Buffer.from(await encoded);
    for (const length of [0, 10, 27, 100, 5_000, file.length - 1])
      expect(codeOf(file.subarray(0, length)), String(length)).not.toBe('ok');
    expect(codeOf(Buffer.concat([file, Buffer.from('x')]))).toBe('damaged');
    expect(codeOf(Buffer.concat([file, file]))).toBe('damaged');
  });

  it('is refused when it plays longer than a turn, whatever its header says', async () => {
    expect(codeOf(await encoded, 16_000)).toBe('too_long');
    // Two bytes that play for 120 ms: a megabyte of them would be 17 hours of audio.
    const bomb = await forge((page) => page.fill(0xff, 27 + 50), 2);
    expect(codeOf(bomb)).not.toBe('ok');
    const longer = await forge((page) => page.writeBigUInt64LE(BigInt(48_000 * 600), 6), 19);
    expect(codeOf(longer)).toBe('damaged');
  });

  it('is refused with another number of channels, another stream or no sound', async () => {
    expect(codeOf(await forge((page) => page.writeUInt8(2, 28 + 9), 0))).toBe('not_opus');
    expect(codeOf(await forge((page) => page.writeUInt32LE(7, 14), 1))).toBe('damaged');
    expect(codeOf(await forge((page) => page.write('Vorbis!!', 28), 0))).toBe('not_opus');
    expect(codeOf(Buffer.from('RIFF    WAVEfmt '))).toBe('not_opus');
  });

  it('has packets of every duration that the standard knows, and no other', () => {
    expect(packetDuration(Uint8Array.of(0b00001_000))).toBe(960);
    expect(packetDuration(Uint8Array.of(0b00011_011, 2))).toBe(5_760);
    expect(packetDuration(Uint8Array.of(0b00011_011, 3))).toBeNull();
    expect(packetDuration(Uint8Array.of(0b11111_001))).toBe(1_920);
    expect(packetDuration(Uint8Array.of(0b11111_011))).toBeNull();
    expect(packetDuration(new Uint8Array())).toBeNull();
  });
});
