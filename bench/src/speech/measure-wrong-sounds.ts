/**
 * Measures whether a wrong sound changes the score: in a sentence, one word is replaced by another that differs in one
 * sound.
 */
import type { Assessment, PhonemeAssessment, WordAssessment } from '@parley/domain';
import { createScorer, type Scorer } from '@parley/speech';
import type { Distortion } from '@parley/speech/evaluate';
import { MINIMAL_PAIR_WORDS } from './minimal-pair-words.ts';
import type { SyntheticVoice } from './voices.ts';

export interface WrongSoundFigures {
  /** Sentences in which one sound was wrong. */
  said: number;
  /** Shares of these sentences: refused; the sound lost at least 20 points; its word lost at least 10. */
  refused: number;
  soundFell: number;
  wordFell: number;
  /** Share of the reported sounds that were actually said. */
  namedRightly: number;
  /** The share of correct words in which something was reported as wrong. */
  falseAlarms: number;
}

const SENTENCES: readonly ((word: string) => string)[] = [
  (word) => `she wrote ${word} on the board today`,
  (word) => `please say ${word} again for all of us`,
];
const SOUND_FALLS_BY = 20;
const WORD_FALLS_BY = 10;

interface Heard {
  word: WordAssessment;
  sound: PhonemeAssessment;
}

/** Null if the recording was refused or the word was considered left out. */
function findSound(assessment: Assessment, word: string, at: number): Heard | null {
  const found = assessment.words.find((each) => each.word === word && each.error !== 'Insertion');
  const sound = found?.phonemes[at];
  return found === undefined || sound === undefined ? null : { word: found, sound };
}

/** `distort` is applied to every recording. */
export async function measureWrongSounds(
  voices: readonly SyntheticVoice[],
  distort: Distortion = (pcm) => pcm,
): Promise<WrongSoundFigures> {
  const scorer = await createScorer();
  const tally = { said: 0, refused: 0, soundFell: 0, wordFell: 0, named: 0, namedRightly: 0, right: 0, falseAlarms: 0 };
  for (const { say } of voices)
    for (const sentence of SENTENCES)
      for (const [expected, other] of MINIMAL_PAIR_WORDS) {
        const right = await distort(await say(sentence(expected)));
        const wrong = await distort(await say(sentence(other)));
        const text = sentence(expected);
        const at = await differingSound(scorer, [
          { pcm: right, text, word: expected },
          { pcm: wrong, text: sentence(other), word: other },
        ]);
        if (at === null) continue;
        const asExpected = findSound(await scorer.assess({ pcm: right, text }), expected, at.index);
        if (asExpected === null) continue;
        tally.right += 1;
        tally.falseAlarms +=
          asExpected.word.error === 'Mispronunciation' ||
          asExpected.word.phonemes.some(({ heardAs }) => heardAs !== undefined)
            ? 1
            : 0;
        tally.said += 1;
        const assessment = await scorer.assess({ pcm: wrong, text });
        tally.refused += assessment.unusable === undefined ? 0 : 1;
        const asOther = findSound(assessment, expected, at.index);
        if (asOther === null) continue;
        const named = asOther.sound.heardAs?.[0]?.phoneme;
        tally.named += named === undefined ? 0 : 1;
        tally.namedRightly += named === at.said ? 1 : 0;
        tally.soundFell += fall(asExpected.sound.accuracy, asOther.sound.accuracy) >= SOUND_FALLS_BY ? 1 : 0;
        tally.wordFell += fall(asExpected.word.accuracy, asOther.word.accuracy) >= WORD_FALLS_BY ? 1 : 0;
      }
  await scorer.close();
  const of = (count: number, all: number): number => count / Math.max(1, all);
  return {
    said: tally.said,
    refused: of(tally.refused, tally.said),
    soundFell: of(tally.soundFell, tally.said),
    wordFell: of(tally.wordFell, tally.said),
    namedRightly: of(tally.namedRightly, tally.named),
    falseAlarms: of(tally.falseAlarms, tally.right),
  };
}

/** A missing score does not count as lower. */
const fall = (from: number | null, to: number | null): number => (from === null || to === null ? 0 : from - to);

/**
 * Where the two words differ, and the sound that the second one has there; null if the voice or the scorer pronounces
 * one of them differently.
 */
async function differingSound(
  scorer: Scorer,
  said: readonly { pcm: Float32Array; text: string; word: string }[],
): Promise<{ index: number; said: string } | null> {
  const [first = [], second = []] = await Promise.all(
    said.map(async ({ pcm, text, word }) => {
      const assessment = await scorer.assess({ pcm, text });
      return assessment.words.find((each) => each.word === word)?.phonemes.map(({ phoneme }) => phoneme) ?? [];
    }),
  );
  const differing = first.flatMap((phoneme, index) => (phoneme === second[index] ? [] : [index]));
  const [index] = differing;
  if (index === undefined || differing.length !== 1 || first.length !== second.length) return null;
  return { index, said: second[index] ?? '' };
}
