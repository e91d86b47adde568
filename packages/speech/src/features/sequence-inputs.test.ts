import { describe, expect, it } from 'vitest';
import { EMBEDDING_WIDTH } from '../acoustic/acoustic-model.ts';
import { phoneEmbeddings } from './sequence-inputs.ts';

describe('phoneEmbeddings', () => {
  it('averages the last layer over the frames of each phone', () => {
    const frames = 4;
    const embedding = Float32Array.from({ length: frames * EMBEDDING_WIDTH }, (_, at) =>
      Math.floor(at / EMBEDDING_WIDTH),
    );
    const order = { frames, outputs: 0, logProbs: new Float32Array() };
    const phones = [
      { output: 1, phone: 'AA1', firstFrame: 0, lastFrame: 1 },
      { output: 2, phone: 'AE1', firstFrame: 3, lastFrame: 3 },
    ];
    const rows = phoneEmbeddings({ embedding, order }, phones);
    expect(rows.map((row) => row.length)).toEqual([EMBEDDING_WIDTH, EMBEDDING_WIDTH]);
    expect(rows.map(([first]) => first)).toEqual([0.5, 3]);
  });
});
