import { describe, expect, it } from 'vitest';
import { MODEL_DIR } from '../score/model-dir.ts';
import { createLookup, loadDictionary } from './dictionary.ts';

describe('looking up a word', () => {
  const lookup = createLookup(
    new TextEncoder().encode("'m\tAH0 M\na\tAH0\na\tEY1\na's\tEY1 Z\nab\tAE1 B\nb\tB IY1\nzoo\tZ UW1\n"),
  );

  it('finds the first, the last and every word between, and all ways to say it', () => {
    expect(lookup("'m")).toEqual(['AH0 M']);
    expect(lookup('a')).toEqual(['AH0', 'EY1']);
    expect(lookup("a's")).toEqual(['EY1 Z']);
    expect(lookup('ab')).toEqual(['AE1 B']);
    expect(lookup('b')).toEqual(['B IY1']);
    expect(lookup('zoo')).toEqual(['Z UW1']);
  });

  it('finds nothing for other words, also before the first and after the last', () => {
    for (const word of ['', '!', 'aa', 'abc', 'zo', 'zoos', 'é']) expect(lookup(word)).toEqual([]);
  });

  it('finds nothing in an empty dictionary', () => {
    expect(createLookup(new Uint8Array())('a')).toEqual([]);
  });
});

describe('the dictionary that ships', () => {
  it('knows the words to which CMUdict adds a remark', async () => {
    const plain = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
    expect(plain('gdp')).toEqual([['G', 'IY1', 'D', 'IY1', 'P', 'IY1']]);
    expect(plain('taoiseach')).toEqual([['T', 'IY1', 'SH', 'AH0', 'K']]);
    expect(plain('fine')).toEqual([['F', 'AY1', 'N']]);
  });

  it('knows the words of CMUdict with their variants, and prefers those of the corpus', async () => {
    const plain = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
    expect(plain('hello')).toEqual([
      ['HH', 'AH0', 'L', 'OW1'],
      ['HH', 'EH0', 'L', 'OW1'],
    ]);
    expect(plain('toString')).toEqual([]);
    const withCorpus = await loadDictionary(MODEL_DIR);
    expect(plain('able')[0]).toEqual(['EY1', 'B', 'AH0', 'L']);
    expect(withCorpus('able')).toEqual([
      ['EY1', 'B', 'L'],
      ['EY1', 'B', 'AH0', 'L'],
    ]);
  });
});
