import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AnalysedSpeech } from '../acoustic/analyse-speech.ts';
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { OUTPUTS, outputOf } from '../pronounce/phones.ts';
import { BOUNDARY, countWords, createLanguageModel, loadWordCounts } from './language-model.ts';
import { createLexicon } from './lexicon.ts';
import { transcribe, wordsInPlace } from './transcribe.ts';

const PRONUNCIATIONS: Record<string, string[]> = {
  see: ['S IY1'],
  sea: ['S IY1'],
  the: ['DH AH0'],
  cat: ['K AE1 T'],
  cut: ['K AH1 T'],
  seed: ['S IY1 D'],
};
const dictionary = (word: string): string[][] => (PRONUNCIATIONS[word] ?? []).map((phones) => phones.split(' '));

/** Each frame is a phone with its probability, `_` for the blank; what is left is spread over all others. */
function heard(frames: readonly (readonly [phones: string, probability: number][])[]): Posteriors {
  const logProbs = new Float32Array(frames.length * OUTPUTS).fill(Math.log(1e-4));
  frames.forEach((alternatives, frame) => {
    for (const [phone, probability] of alternatives)
      logProbs[frame * OUTPUTS + (phone === '_' ? 0 : (outputOf(phone) ?? -1))] = Math.log(probability);
  });
  return { frames: frames.length, outputs: OUTPUTS, logProbs };
}

const surely = (phones: string): [string, number][][] => phones.split(' ').map((phone) => [[phone, 0.98]]);

function speechOf(...networks: Posteriors[]): AnalysedSpeech {
  const [first] = networks;
  if (first === undefined) throw new Error('no network');
  return {
    startMs: 100,
    mel: { frames: 2 * first.frames, values: new Float32Array() },
    acousticOutput: {
      frames: first.frames,
      sounds: first,
      networks: networks.map((order) => ({
        order,
        sounds: order,
        goodness: new Float32Array(),
        embedding: new Float32Array(),
        sentence: new Float32Array(),
      })),
    },
  };
}

function modelsOf(everyday: readonly string[], context: readonly string[] = []) {
  const language = createLanguageModel(countWords(everyday), context.length === 0 ? null : countWords(context));
  return { language, lexicon: createLexicon(language.vocabulary, dictionary, language.logProbabilityAlone) };
}

const EVERYDAY = ['See the cat.', 'See the cat!', 'The cut.', 'The sea.', 'Seed.'];
const SEE_THE_CAT = surely('_ S _ IY _ _ DH AH _ K K AE _ T _');

describe('a draft', () => {
  it('drafts a word of the practice that the dictionary has in another form', () => {
    const words = transcribe(speechOf(heard(surely('_ DH AH0 _ K AH1 T S _'))), modelsOf(EVERYDAY, ['The cuts.']));
    expect(words.map(({ word }) => word)).toEqual(['the', 'cuts']);
  });

  it('finds the words, their times and their confidence', () => {
    const draft = transcribe(speechOf(heard(SEE_THE_CAT)), modelsOf(EVERYDAY));
    expect(draft.map(({ word }) => word)).toEqual(['see', 'the', 'cat']);
    expect(draft[0]).toMatchObject({ startMs: 120, endMs: 180 });
    expect(draft[2]?.confidence).toBeGreaterThan(0.8);
    for (const [index, { startMs, endMs }] of draft.entries()) {
      expect(endMs).toBeGreaterThan(startMs);
      expect(startMs).toBeGreaterThanOrEqual(draft[index - 1]?.endMs ?? 0);
    }
  });

  it('offers the other word where a sound is unclear, with less confidence', () => {
    const frames = surely('_ S _ IY _ _ DH AH _ K K AE _ T _');
    frames[11] = [
      ['AE', 0.52],
      ['AH', 0.46],
    ];
    const cat = transcribe(speechOf(heard(frames)), modelsOf(EVERYDAY))[2];
    expect(cat).toMatchObject({ word: 'cat', alternatives: ['cut'] });
    const sure = transcribe(speechOf(heard(SEE_THE_CAT)), modelsOf(EVERYDAY))[2];
    expect(cat?.confidence).toBeLessThan(sure?.confidence ?? 0);
  });

  it('spells equal sounds as the words around them suggest', () => {
    const frames = heard(surely('_ DH AH _ S _ IY _'));
    expect(transcribe(speechOf(frames), modelsOf(EVERYDAY)).map(({ word }) => word)).toEqual(['the', 'sea']);
  });

  it('knows words that only the practice uses', () => {
    const frames = heard(surely('_ DH AH _ S _ IY D _'));
    const everyday = ['The sea.', 'The cat.', 'The cut.'];
    const wordsWith = (context: string[]) =>
      transcribe(speechOf(frames), modelsOf(everyday, context)).map(({ word }) => word);
    expect(wordsWith([])).not.toContain('seed');
    expect(wordsWith(['Have you got the seed?'])).toEqual(['the', 'seed']);
  });

  it('follows most networks when they disagree', () => {
    const cut = heard(surely('_ S _ IY _ _ DH AH _ K K AH _ T _'));
    const cat = heard(SEE_THE_CAT);
    const draft = transcribe(speechOf(cut, cat, cat), modelsOf(EVERYDAY));
    expect(draft.map(({ word }) => word)).toEqual(['see', 'the', 'cat']);
  });

  it('is empty when nothing was said', () => {
    expect(transcribe(speechOf(heard(surely('_ _ _ _'))), modelsOf(EVERYDAY))).toEqual([]);
  });
});

describe('the language model', () => {
  it('gives all words after any word a probability of one together', () => {
    const language = createLanguageModel(countWords(EVERYDAY), countWords(['The cat, please!']));
    for (const previous of [BOUNDARY, 'see', 'the', 'cat', 'please']) {
      const sum = [...language.vocabulary, BOUNDARY].reduce(
        (total, word) => total + Math.exp(language.logProbability(previous, word)),
        0,
      );
      expect(sum).toBeCloseTo(1, 6);
    }
  });

  it.each([
    ['Ask sam@green.com. Then wait.', ['ask sam at green dot com', 'then wait']],
    ['It is 3.5 km on Nov. 3', ['it is three point five kilometres on november three']],
    ['One\ntwo; three', ['one', 'two', 'three']],
  ])('counts the sentences of %j as they are spoken', (text, sentences) => {
    const pairs = sentences.flatMap((sentence) => {
      const words = [BOUNDARY, ...sentence.split(' '), BOUNDARY];
      return words.slice(1).map((word, index) => `${words[index]}>${word}`);
    });
    const counted = [...countWords([text]).pairs].flatMap(([before, followers]) =>
      [...followers].flatMap(([word, count]) => Array.from({ length: count }, () => `${before}>${word}`)),
    );
    expect(counted.toSorted()).toEqual(pairs.toSorted());
  });

  it('reads counts as the recipe writes them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-language-'));
    const file = join(folder, 'counts.br');
    writeFileSync(file, brotliCompressSync('\tsee\t2\nsee\tthe\t2\n=\tcat\t1'));
    const counts = await loadWordCounts(file);
    expect(Object.fromEntries(counts.words)).toEqual({ see: 2, the: 2, cat: 1 });
    expect(counts.pairs.get(BOUNDARY)?.get('see')).toBe(2);
    expect(counts.pairs.get('see')?.get('the')).toBe(2);
  });
});

describe('words in place', () => {
  it('pairs equal words and exchanged ones, and leaves a gap where one is missing', () => {
    expect(wordsInPlace(['see', 'the', 'cat'], ['see', 'cut'])).toEqual(['see', null, 'cut']);
    expect(wordsInPlace(['see', 'cat'], ['oh', 'see', 'the', 'cut'])).toEqual(['see', 'cut']);
    expect(wordsInPlace([], ['see'])).toEqual([]);
  });
});
