import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MODEL_DIR } from './model-dir.ts';
import { findPauses } from './pauses.ts';
import { loadScorerModel } from './scorer-model.ts';
import { readTrees } from './trees.ts';

type Node =
  | { feature: number; threshold: number; left: number; right: number }
  | { feature: number; categories: number[]; left: number; right: number }
  | { value: number };

function aModel(features: number, baseline: number, trees: Node[][]): Uint8Array {
  const bytes = Buffer.alloc(12 + trees.reduce((sum, nodes) => sum + 2 + nodes.length * 16, 0));
  bytes.write('TRE2', 0, 'latin1');
  bytes.writeUInt16LE(features, 4);
  bytes.writeUInt16LE(trees.length, 6);
  bytes.writeFloatLE(baseline, 8);
  let at = 12;
  for (const nodes of trees) {
    at = bytes.writeUInt16LE(nodes.length, at);
    for (const node of nodes) {
      bytes.writeUInt8('value' in node ? 2 : 'categories' in node ? 1 : 0, at);
      if ('value' in node) bytes.writeDoubleLE(node.value, at + 8);
      else {
        bytes.writeUInt16LE(node.feature, at + 2);
        bytes.writeUInt16LE(node.left, at + 4);
        bytes.writeUInt16LE(node.right, at + 6);
        if ('threshold' in node) bytes.writeDoubleLE(node.threshold, at + 8);
        else {
          const set = node.categories.reduce((bits, category) => bits | (1n << BigInt(category)), 0n);
          bytes.writeBigUInt64LE(set, at + 8);
        }
      }
      at += 16;
    }
  }
  return bytes;
}

const STUMP: Node[] = [{ feature: 1, threshold: 0.5, left: 1, right: 2 }, { value: -1 }, { value: 2 }];
const BY_CATEGORY: Node[] = [
  { feature: 0, categories: [0, 31, 32, 39], left: 1, right: 2 },
  { value: 100 },
  { value: 0 },
];

describe('tree model', () => {
  const { predict, features } = readTrees(aModel(2, 10, [STUMP, STUMP]));
  it('adds each leaf to the baseline; a value at the threshold goes left', () => {
    expect(features).toBe(2);
    expect(predict([0, 0.5])).toBe(8);
    expect(predict([0, 0.6])).toBe(14);
  });

  it('supports categories without an order', () => {
    const byCategory = readTrees(aModel(2, 0, [BY_CATEGORY]));
    const inSet = [0, 1, 30, 31, 32, 33, 38, 39].filter((category) => byCategory.predict([category, 0]) === 100);
    expect(inSet).toEqual([0, 31, 32, 39]);
  });

  it('rejects a row of the wrong length, and invalid bytes', () => {
    expect(() => predict([1])).toThrow('2 features');
    expect(() => readTrees(new Uint8Array(40))).toThrow('not a tree model');
  });

  it('loads every tree model that ships', { tags: ['slow'] }, async () => {
    const model = await loadScorerModel(MODEL_DIR, { threads: 1 });
    expect(Object.values(model.trees).every((ensemble) => ensemble.features > 10)).toBe(true);
    const bytes = await readFile(join(MODEL_DIR, 'phone.trees'));
    expect(() => readTrees(bytes.subarray(0, bytes.length / 2))).toThrow();
  });
});

describe('findPauses', () => {
  it('finds audible silences but not the ends of the recording', () => {
    const speech = (fromMs: number, toMs: number) => (ms: number) => ms >= fromMs && ms < toMs;
    const parts = [speech(300, 900), speech(1_400, 2_000), speech(2_100, 2_600)];
    const pcm = Float32Array.from({ length: 3 * 16_000 }, (_, n) =>
      parts.some((isIn) => isIn(n / 16)) ? 0.3 * Math.sin(n * 0.3) : 0,
    );
    expect(findPauses(pcm)).toEqual([{ startMs: 900, endMs: 1_400 }]);
  });

  it('finds the same pauses in a room after a muted start', () => {
    const isSpeech = (ms: number): boolean => (ms >= 300 && ms < 900) || (ms >= 1_400 && ms < 2_600);
    const room = Float32Array.from({ length: 3 * 16_000 }, (_, n) =>
      isSpeech(n / 16) ? 0.3 * Math.sin(n * 0.3) : 0.003 * Math.sin(n * n * 0.7),
    );
    expect(findPauses(room)).toEqual([{ startMs: 900, endMs: 1_400 }]);
    expect(findPauses(Float32Array.from([...new Float32Array(16_000), ...room]))).toEqual([
      { startMs: 1_900, endMs: 2_400 },
    ]);
  });
});
