/** Measures the word error rate of drafts: words replaced, left out or added, per spoken word. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createScorer, type Scorer } from '@parley/speech';
import { FOLDS_DIR, readCorpusAudio, readUtterances } from '@parley/speech/evaluate';
import { parse } from 'yaml';
import { z } from 'zod';
import { editDistance } from '../coach/edit-distance.ts';
import { HELD_OUT } from '../coach/measure-understanding.ts';
import type { SyntheticVoice } from './voices.ts';

export interface DraftFigures {
  name: string;
  recordings: number;
  /** With the vocabulary that the practice expects, and with everyday English only. */
  withPractice: number;
  without: number;
  /** The share of words with a confidence of 0.8 or more that were really said. */
  sureWordsRight: number;
}

const INTENTS_DIR = new URL('../../../packages/catalogue/content/intents/', import.meta.url);
const TEXTS_EXPECTED = 30;
const SURE = 0.8;
const ADULT_AGE = 16;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[a-z']+/g) ?? [];

interface Said {
  pcm: Float32Array;
  text: string;
  expected: readonly string[];
}

function createTally(name: string) {
  const sums = { recordings: 0, words: 0, wrong: 0, wrongWithout: 0, sure: 0, sureRight: 0 };
  return {
    add: async (scorer: Scorer, { pcm, text, expected }: Said): Promise<void> => {
      const truth = wordsOf(text);
      const drafted = (await scorer.transcribe({ pcm, texts: expected })).words;
      const plain = (await scorer.transcribe({ pcm, texts: [] })).words;
      sums.recordings += 1;
      sums.words += truth.length;
      sums.wrong += editDistance(
        truth,
        drafted.map(({ word }) => word.toLowerCase()),
      );
      sums.wrongWithout += editDistance(
        truth,
        plain.map(({ word }) => word.toLowerCase()),
      );
      const sure = drafted.filter(({ confidence }) => confidence >= SURE);
      sums.sure += sure.length;
      sums.sureRight += sure.filter(({ word }) => truth.includes(word.toLowerCase())).length;
    },
    figures: (): DraftFigures => ({
      name,
      recordings: sums.recordings,
      withPractice: sums.wrong / Math.max(1, sums.words),
      without: sums.wrongWithout / Math.max(1, sums.words),
      sureWordsRight: sums.sureRight / Math.max(1, sums.sure),
    }),
  };
}

const FoldOfSpeaker = z.record(z.string(), z.number());

/**
 * Learners who read, drafted by the models that do not know them; the practice expects thirty sentences, one of which
 * is theirs.
 */
export async function measureReadDrafts(corpusDir: string, limit: number): Promise<DraftFigures[]> {
  const foldOf = FoldOfSpeaker.parse(JSON.parse(await readFile(join(FOLDS_DIR, 'folds.json'), 'utf8')));
  const all = await readUtterances(corpusDir);
  const step = Math.floor(all.length / limit);
  const chosen = all.filter((_, index) => index % step === 0).slice(0, limit);
  const [adults, children] = [createTally('adults, reading'), createTally('children, reading')];
  for (const fold of new Set(Object.values(foldOf))) {
    const scorer = await createScorer({ modelDir: join(FOLDS_DIR, String(fold)) });
    for (const { id, audio, text, speaker, age } of chosen.filter((each) => foldOf[each.speaker] === fold)) {
      const at = all.findIndex((each) => each.id === id);
      const others = all.filter((each, index) => each.speaker !== speaker && (index + at) % 83 === 0);
      const expected = [text, ...others.slice(1, TEXTS_EXPECTED).map((each) => each.text)];
      const pcm = await readCorpusAudio(join(corpusDir, audio));
      await (age < ADULT_AGE ? children : adults).add(scorer, { pcm, text, expected });
    }
    await scorer.close();
  }
  return [adults.figures(), children.figures()];
}

const Answer = z.object({ practice: z.string(), kind: z.string(), said: z.string() });

/** Everything that a practice expects to hear, line by line. */
const linesOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? value.split('\n').filter((line) => line.includes(' '))
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(linesOf)
      : [];

/** Free answers to practices, by a writer who knew only the scenes, spoken by several synthetic voices in turn. */
export async function measureFreeDrafts(voices: readonly SyntheticVoice[], limit: number): Promise<DraftFigures> {
  const answers = (await readFile(HELD_OUT, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => Answer.parse(JSON.parse(line)))
    .filter(({ kind, said }) => kind !== 'off' && /^[\x20-\x7e]+$/.test(said) && !/\d/.test(said));
  const step = Math.max(1, Math.floor(answers.length / limit));
  const tally = createTally('free answers, synthetic voices');
  const scorer = await createScorer();
  for (const [index, { practice, said }] of answers
    .filter((_, at) => at % step === 0)
    .slice(0, limit)
    .entries()) {
    const voice = voices[index % voices.length];
    if (voice === undefined) continue;
    const scene: unknown = parse(await readFile(new URL(`${practice}.yaml`, INTENTS_DIR), 'utf8'));
    await tally.add(scorer, { pcm: await voice.say(said), text: said, expected: linesOf(scene) });
  }
  await scorer.close();
  return tally.figures();
}
