/** Measures recall and precision of each kind of word feedback against errors that were planted. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Assessment, WordAssessment, WordError } from '@parley/domain';
import { createScorer, parseWav, type Scorer } from '@parley/speech';
import { createMinimalPairFinder } from '@parley/speech/evaluate';
import type { Recording } from './read-recordings.ts';
import { concatenate, roomTone, SAMPLES_PER_MS, trimSilence } from './edit-samples.ts';

const run = promisify(execFile);
export interface ErrorFigure {
  name: string;
  /** Utterances with exactly one planted error of this kind. */
  made: number;
  /** Share of planted errors that were reported at the right place. */
  recall: number;
  /** Reports in the same utterances without the planted error. */
  falseAlarms: number;
  /** Opportunities for a false alarm: words, sounds or utterances. */
  chances: number;
  /** Share of all reports that are correct. */
  precision: number;
}

interface Tally {
  made: number;
  found: number;
  falseAlarms: number;
  chances: number;
}

const newTally = (): Tally => ({ made: 0, found: 0, falseAlarms: 0, chances: 0 });

const toFigure = (name: string, { made, found, falseAlarms, chances }: Tally): ErrorFigure => ({
  name,
  made,
  recall: found / Math.max(1, made),
  falseAlarms,
  chances,
  precision: found / Math.max(1, found + falseAlarms),
});

const wordsOf = (text: string): string[] => text.split(' ');
const wordsWithError = (assessment: Assessment, error: WordError): WordAssessment[] =>
  assessment.words.filter((word) => word.error === error);

export async function measureErrors(recordings: readonly Recording[]): Promise<ErrorFigure[]> {
  const scorer = await createScorer();
  const plain: { recording: Recording; assessment: Assessment }[] = [];
  for (const recording of recordings) {
    const assessment = await scorer.assess(recording);
    if (assessment.unusable === undefined) plain.push({ recording, assessment });
  }
  const figures = [
    ...(await measureOmissions(scorer, plain)),
    await measureInsertions(scorer, plain),
    ...(await measureConfusions(scorer, plain)),
    await measureUnexpectedBreaks(scorer, plain),
    await measureMissingBreaks(scorer, plain),
    await measureMonotone(scorer, plain),
  ];
  await scorer.close();
  return figures;
}

type BaselineRecordings = readonly { recording: Recording; assessment: Assessment }[];

const EXTRA_WORDS = { short: ['the', 'so', 'at', 'or'], long: ['yesterday', 'kitchen', 'several', 'promise'] } as const;

/** Adds one word to the text that was not spoken. */
async function measureOmissions(scorer: Scorer, plain: BaselineRecordings): Promise<ErrorFigure[]> {
  const figures: ErrorFigure[] = [];
  for (const [length, candidates] of Object.entries(EXTRA_WORDS)) {
    const tally = newTally();
    for (const [index, { recording, assessment }] of plain.entries()) {
      const words = wordsOf(recording.text);
      const extra = candidates[index % candidates.length] ?? '';
      if (words.length < 3 || words.some((word) => word.toLowerCase() === extra)) continue;
      const at = 1 + (index % (words.length - 1));
      const text = [...words.slice(0, at), extra, ...words.slice(at)].join(' ');
      const asked = await scorer.assess({ pcm: recording.pcm, text });
      tally.made += 1;
      tally.found += wordsWithError(asked, 'Omission').some(({ word }) => word === extra) ? 1 : 0;
      tally.falseAlarms += wordsWithError(assessment, 'Omission').length;
      tally.chances += words.length;
    }
    figures.push(toFigure(`a ${length} word left out`, tally));
  }
  return figures;
}

/** Removes one spoken word from the text. */
async function measureInsertions(scorer: Scorer, plain: BaselineRecordings): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording, assessment }] of plain.entries()) {
    const words = wordsOf(recording.text);
    if (words.length < 4) continue;
    const at = 1 + (index % (words.length - 2));
    const omitted = assessment.words[at];
    if (omitted === undefined || omitted.word.length < 4) continue;
    const asked = await scorer.assess({ pcm: recording.pcm, text: words.filter((_, i) => i !== at).join(' ') });
    tally.made += 1;
    tally.found += wordsWithError(asked, 'Insertion').some(
      (word) => word.startMs < omitted.endMs && word.endMs > omitted.startMs,
    )
      ? 1
      : 0;
    tally.falseAlarms += wordsWithError(assessment, 'Insertion').length;
    tally.chances += words.length;
  }
  return toFigure('a word of four letters or more added', tally);
}

/** Replaces a well-spoken word in the text by one that differs in a single sound, and checks whether that sound is reported. */
async function measureConfusions(scorer: Scorer, plain: BaselineRecordings): Promise<ErrorFigure[]> {
  const partnerOf = await createMinimalPairFinder();
  const mispronunciations = newTally();
  const heardSounds = newTally();
  for (const { recording, assessment } of plain) {
    const words = wordsOf(recording.text);
    const isWellSpoken = (index: number): boolean => (recording.wordScores[index] ?? 0) >= 9.5;
    for (const [index, word] of assessment.words.entries()) {
      if (!isWellSpoken(index) || word.word !== words[index]) continue;
      // Any "you said another sound" is a false alarm for a word that the experts rated as correct.
      for (const phoneme of word.phonemes) {
        heardSounds.chances += 1;
        if (phoneme.heardAs !== undefined) heardSounds.falseAlarms += 1;
      }
      mispronunciations.chances += 1;
      if (word.error === 'Mispronunciation') mispronunciations.falseAlarms += 1;
    }
    const index = words.findIndex((word, at) => isWellSpoken(at) && partnerOf(word) !== null);
    const partner = partnerOf(words[index] ?? '');
    if (partner === null) continue;
    const text = words.map((word, at) => (at === index ? partner.word : word)).join(' ');
    const asked = (await scorer.assess({ pcm: recording.pcm, text })).words.find(({ word }) => word === partner.word);
    const phoneme = asked?.phonemes[partner.phone];
    mispronunciations.made += 1;
    heardSounds.made += 1;
    mispronunciations.found += asked?.error === 'Mispronunciation' || phoneme?.heardAs !== undefined ? 1 : 0;
    heardSounds.found += phoneme?.heardAs?.[0]?.phoneme === partner.said ? 1 : 0;
  }
  return [
    toFigure('a word with one wrong sound', mispronunciations),
    toFigure('and the sound that was heard instead', heardSounds),
  ];
}

const PAUSE_MS = 700;

/** Inserts room tone between two words of a fluent speaker. */
async function measureUnexpectedBreaks(scorer: Scorer, plain: BaselineRecordings): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording, assessment }] of plain.entries()) {
    if (recording.fluency < 9 || assessment.words.length < 4) continue;
    const at = 1 + (index % (assessment.words.length - 1));
    const [before, after] = [assessment.words[at - 1], assessment.words[at]];
    if (before === undefined || after === undefined) continue;
    const cut = Math.round(((before.endMs + after.startMs) / 2) * SAMPLES_PER_MS);
    const pcm = concatenate([
      recording.pcm.subarray(0, cut),
      roomTone(recording.pcm, PAUSE_MS),
      recording.pcm.subarray(cut),
    ]);
    const broken = await scorer.assess({ pcm, text: recording.text });
    tally.made += 1;
    // A mispronounced word shows the graver error, although its pause is drawn as well.
    const word = broken.words[at];
    tally.found += word?.error === 'UnexpectedBreak' || word?.error === 'Mispronunciation' ? 1 : 0;
    tally.falseAlarms += wordsWithError(assessment, 'UnexpectedBreak').length;
    tally.chances += assessment.words.length;
  }
  return toFigure('a pause within a sentence', tally);
}

/** Joins two sentences of one speaker, with and without a pause between them. */
async function measureMissingBreaks(scorer: Scorer, plain: BaselineRecordings): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording }] of plain.entries()) {
    const next = plain[index + 1]?.recording;
    if (next === undefined || next.speaker !== recording.speaker) continue;
    const [first, second] = [trimSilence(recording.pcm), trimSilence(next.pcm)];
    const text = `${recording.text.toLowerCase()}. ${next.text.toLowerCase()}.`;
    const at = wordsOf(recording.text).length;
    const together = await scorer.assess({ pcm: concatenate([first, second]), text });
    const apart = await scorer.assess({ pcm: concatenate([first, roomTone(recording.pcm, 400), second]), text });
    if (together.unusable !== undefined || apart.unusable !== undefined) continue;
    tally.made += 1;
    const isMarked = ({ words }: Assessment): boolean => words[at]?.error === 'MissingBreak';
    tally.found += isMarked(together) ? 1 : 0;
    tally.falseAlarms += isMarked(apart) ? 1 : 0;
    tally.chances += 1;
  }
  return toFigure('no pause between two sentences', tally);
}

const VOICES = ['en-us', 'en-gb', 'en-us+f3', 'en-gb+f2', 'en-us+m3', 'en-gb-scotland'];

/** Compares synthetic speech with and without intonation; speakers whose prosody the experts praised are controls. */
async function measureMonotone(scorer: Scorer, plain: BaselineRecordings): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording, assessment }] of plain.entries()) {
    if (wordsOf(recording.text).length < 6) continue;
    if (recording.prosody >= 9) {
      tally.chances += 1;
      tally.falseAlarms += wordsWithError(assessment, 'Monotone').length;
    }
    const voice = VOICES[index % VOICES.length] ?? 'en-us';
    const text = recording.text.toLowerCase();
    const flat = await scorer.assess({ pcm: await synthesise(voice, text, { isFlat: true }), text });
    const expressive = await scorer.assess({ pcm: await synthesise(voice, text, { isFlat: false }), text });
    if (flat.unusable !== undefined || expressive.unusable !== undefined) continue;
    tally.made += 1;
    tally.chances += 1;
    tally.found += wordsWithError(flat, 'Monotone').length > 0 ? 1 : 0;
    tally.falseAlarms += wordsWithError(expressive, 'Monotone').length;
  }
  return toFigure('a flat melody', tally);
}

async function synthesise(voice: string, text: string, { isFlat }: { isFlat: boolean }): Promise<Float32Array> {
  const marked = isFlat ? `<speak><prosody range="0%">${text}</prosody></speak>` : text;
  const { stdout } = await run('espeak-ng', ['-v', voice, '-m', '--stdout', marked], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  const parsed = parseWav(stdout);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.pcm;
}
