/** What is said of single words, against a truth that is known because it was made: recall and precision of each kind of error. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Assessment, WordAssessment, WordError } from '@parley/domain';
import { createScorer, parseWav, type Scorer } from '@parley/speech';
import { minimalPartners } from '@parley/speech/evaluate';
import type { Recording } from './recordings.ts';
import { joined, quiet, SAMPLES_A_MS, spokenPart } from './sound.ts';

const run = promisify(execFile);
export interface ErrorFigure {
  name: string;
  /** Utterances that hold exactly one such error. */
  made: number;
  /** Share of these errors that was reported, at its place. */
  recall: number;
  /** Reports in the same utterances without the error. */
  falseAlarms: number;
  /** What could have been reported wrongly there: words, sounds or utterances. */
  chances: number;
  /** Of all that was reported, with and without the error, the share that is true. */
  precision: number;
}

interface Tally {
  made: number;
  found: number;
  falseAlarms: number;
  chances: number;
}

const newTally = (): Tally => ({ made: 0, found: 0, falseAlarms: 0, chances: 0 });

const figureOf = (name: string, { made, found, falseAlarms, chances }: Tally): ErrorFigure => ({
  name,
  made,
  recall: found / Math.max(1, made),
  falseAlarms,
  chances,
  precision: found / Math.max(1, found + falseAlarms),
});

const wordsOf = (text: string): string[] => text.split(' ');
const has = (assessment: Assessment, error: WordError): WordAssessment[] =>
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

type Plain = readonly { recording: Recording; assessment: Assessment }[];

const NEVER_SAID = { short: ['the', 'so', 'at', 'or'], long: ['yesterday', 'kitchen', 'several', 'promise'] } as const;

/** One word more in the text than was said. */
async function measureOmissions(scorer: Scorer, plain: Plain): Promise<ErrorFigure[]> {
  const figures: ErrorFigure[] = [];
  for (const [length, candidates] of Object.entries(NEVER_SAID)) {
    const tally = newTally();
    for (const [index, { recording, assessment }] of plain.entries()) {
      const words = wordsOf(recording.text);
      const extra = candidates[index % candidates.length] ?? '';
      if (words.length < 3 || words.some((word) => word.toLowerCase() === extra)) continue;
      const at = 1 + (index % (words.length - 1));
      const text = [...words.slice(0, at), extra, ...words.slice(at)].join(' ');
      const asked = await scorer.assess({ pcm: recording.pcm, text });
      tally.made += 1;
      tally.found += has(asked, 'Omission').some(({ word }) => word === extra) ? 1 : 0;
      tally.falseAlarms += has(assessment, 'Omission').length;
      tally.chances += words.length;
    }
    figures.push(figureOf(`a ${length} word left out`, tally));
  }
  return figures;
}

/** One word less in the text than was said. */
async function measureInsertions(scorer: Scorer, plain: Plain): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording, assessment }] of plain.entries()) {
    const words = wordsOf(recording.text);
    if (words.length < 4) continue;
    const at = 1 + (index % (words.length - 2));
    const gone = assessment.words[at];
    if (gone === undefined || gone.word.length < 4) continue;
    const asked = await scorer.assess({ pcm: recording.pcm, text: words.filter((_, i) => i !== at).join(' ') });
    tally.made += 1;
    tally.found += has(asked, 'Insertion').some((word) => word.startMs < gone.endMs && word.endMs > gone.startMs)
      ? 1
      : 0;
    tally.falseAlarms += has(assessment, 'Insertion').length;
    tally.chances += words.length;
  }
  return figureOf('a word of four letters or more added', tally);
}

/** The text asks for a word that differs in one sound from what a learner said well: is it told, and which sound was heard? */
async function measureConfusions(scorer: Scorer, plain: Plain): Promise<ErrorFigure[]> {
  const partnerOf = await minimalPartners();
  const told = newTally();
  const named = newTally();
  for (const { recording, assessment } of plain) {
    const words = wordsOf(recording.text);
    const good = (index: number): boolean => (recording.wordScores[index] ?? 0) >= 9.5;
    for (const [index, word] of assessment.words.entries()) {
      if (!good(index) || word.word !== words[index]) continue;
      // A sound that the experts heard as right is no "you said something else".
      for (const phoneme of word.phonemes) {
        named.chances += 1;
        if (phoneme.heardAs !== undefined) named.falseAlarms += 1;
      }
      told.chances += 1;
      if (word.error === 'Mispronunciation') told.falseAlarms += 1;
    }
    const index = words.findIndex((word, at) => good(at) && partnerOf(word) !== null);
    const partner = partnerOf(words[index] ?? '');
    if (partner === null) continue;
    const text = words.map((word, at) => (at === index ? partner.word : word)).join(' ');
    const asked = (await scorer.assess({ pcm: recording.pcm, text })).words.find(({ word }) => word === partner.word);
    const phoneme = asked?.phonemes[partner.phone];
    told.made += 1;
    named.made += 1;
    told.found += asked?.error === 'Mispronunciation' || phoneme?.heardAs !== undefined ? 1 : 0;
    named.found += phoneme?.heardAs?.[0]?.phoneme === partner.said ? 1 : 0;
  }
  return [figureOf('a word with one wrong sound', told), figureOf('and the sound that was heard instead', named)];
}

const PAUSE_MS = 700;

/** Silence, as quiet as the recording's own, between two words of a fluent speaker. */
async function measureUnexpectedBreaks(scorer: Scorer, plain: Plain): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording, assessment }] of plain.entries()) {
    if (recording.fluency < 9 || assessment.words.length < 4) continue;
    const at = 1 + (index % (assessment.words.length - 1));
    const [before, after] = [assessment.words[at - 1], assessment.words[at]];
    if (before === undefined || after === undefined) continue;
    const cut = Math.round(((before.endMs + after.startMs) / 2) * SAMPLES_A_MS);
    const pcm = joined([recording.pcm.subarray(0, cut), quiet(recording.pcm, PAUSE_MS), recording.pcm.subarray(cut)]);
    const broken = await scorer.assess({ pcm, text: recording.text });
    tally.made += 1;
    // A word that is also mispronounced shows the graver error; its pause is drawn all the same.
    const word = broken.words[at];
    tally.found += word?.error === 'UnexpectedBreak' || word?.error === 'Mispronunciation' ? 1 : 0;
    tally.falseAlarms += has(assessment, 'UnexpectedBreak').length;
    tally.chances += assessment.words.length;
  }
  return figureOf('a pause within a sentence', tally);
}

/** Two sentences of one speaker, run together or with a pause between them. */
async function measureMissingBreaks(scorer: Scorer, plain: Plain): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording }] of plain.entries()) {
    const next = plain[index + 1]?.recording;
    if (next === undefined || next.speaker !== recording.speaker) continue;
    const [first, second] = [spokenPart(recording.pcm), spokenPart(next.pcm)];
    const text = `${recording.text.toLowerCase()}. ${next.text.toLowerCase()}.`;
    const at = wordsOf(recording.text).length;
    const together = await scorer.assess({ pcm: joined([first, second]), text });
    const apart = await scorer.assess({ pcm: joined([first, quiet(recording.pcm, 400), second]), text });
    if (together.unusable !== undefined || apart.unusable !== undefined) continue;
    tally.made += 1;
    const isMarked = ({ words }: Assessment): boolean => words[at]?.error === 'MissingBreak';
    tally.found += isMarked(together) ? 1 : 0;
    tally.falseAlarms += isMarked(apart) ? 1 : 0;
    tally.chances += 1;
  }
  return figureOf('no pause between two sentences', tally);
}

const VOICES = ['en-us', 'en-gb', 'en-us+f3', 'en-gb+f2', 'en-us+m3', 'en-gb-scotland'];

/** A synthesiser with its melody and without; and no learner whom the experts praised for theirs. */
async function measureMonotone(scorer: Scorer, plain: Plain): Promise<ErrorFigure> {
  const tally = newTally();
  for (const [index, { recording, assessment }] of plain.entries()) {
    if (wordsOf(recording.text).length < 6) continue;
    if (recording.prosody >= 9) {
      tally.chances += 1;
      tally.falseAlarms += has(assessment, 'Monotone').length;
    }
    const voice = VOICES[index % VOICES.length] ?? 'en-us';
    const text = recording.text.toLowerCase();
    const flat = await scorer.assess({ pcm: await espeak(voice, text, { isFlat: true }), text });
    const lively = await scorer.assess({ pcm: await espeak(voice, text, { isFlat: false }), text });
    if (flat.unusable !== undefined || lively.unusable !== undefined) continue;
    tally.made += 1;
    tally.chances += 1;
    tally.found += has(flat, 'Monotone').length > 0 ? 1 : 0;
    tally.falseAlarms += has(lively, 'Monotone').length;
  }
  return figureOf('a flat melody', tally);
}

async function espeak(voice: string, text: string, { isFlat }: { isFlat: boolean }): Promise<Float32Array> {
  const marked = isFlat ? `<speak><prosody range="0%">${text}</prosody></speak>` : text;
  const { stdout } = await run('espeak-ng', ['-v', voice, '-m', '--stdout', marked], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  const parsed = parseWav(stdout);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.pcm;
}
