import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PcmChunk } from './capture-worklet.ts';

const RATE_HZ = 16_000;
const chunks: PcmChunk[] = [];

interface Processor {
  process: (inputs: Float32Array[][]) => boolean;
}
let capture: Processor;

/** The worklet runs in the scope of the audio thread, from which it cannot import. */
beforeEach(async () => {
  chunks.length = 0;
  vi.resetModules();
  vi.stubGlobal(
    'AudioWorkletProcessor',
    class {
      port = { postMessage: (chunk: PcmChunk) => chunks.push(chunk) };
    },
  );
  vi.stubGlobal(
    'registerProcessor',
    (_name: string, processor: new (options: { processorOptions: { chunkSamples: number } }) => Processor) => {
      capture = new processor({ processorOptions: { chunkSamples: RATE_HZ / 10 } });
    },
  );
  await import('./capture-worklet.ts');
});
afterEach(() => vi.unstubAllGlobals());

const tone = (level: number, offset: number): Float32Array =>
  Float32Array.from(
    { length: RATE_HZ / 10 },
    (_, n) => offset + level * Math.SQRT2 * Math.sin((2 * Math.PI * 200 * n) / RATE_HZ),
  );

describe('the level of captured sound', () => {
  it.each([0, 0.02, -0.1])('does not depend on the offset of a microphone: %d', (offset) => {
    for (const level of [0.1, 0.01, 0]) capture.process([[tone(level, offset)]]);
    expect(chunks.map(({ level }) => Math.round(level * 10_000) / 10_000)).toEqual([0.1, 0.01, 0]);
  });

  it('counts no sound of the chunk before', () => {
    capture.process([[tone(0.3, 0.2)]]);
    capture.process([[new Float32Array(RATE_HZ / 10)]]);
    expect(chunks.map(({ level, pcm }) => [Math.round(level * 100) / 100, pcm.byteLength])).toEqual([
      [0.3, RATE_HZ / 5],
      [0, RATE_HZ / 5],
    ]);
  });
});
