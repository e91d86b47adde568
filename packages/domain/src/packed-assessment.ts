/**
 * An assessment as a turn's row stores and sends it: less than a tenth of its JSON. Times are rounded to 10 ms, the accuracy of a sound to 0.5,
 * and the pitch curve is kept every 60 ms in steps of a quarter of a semitone; scores and the accuracy of words keep their one decimal.
 */
import { base64nopad } from '@scure/base';
import { z } from 'zod';
import { Assessment, type PhonemeAssessment, type WordAssessment, WORD_ERRORS } from './assessment.ts';
import { createByteReader, createByteWriter } from './bytes.ts';

export const PackedAssessment = z.object({
  /** Of the packing. */
  v: z.literal(1),
  source: Assessment.shape.source,
  durationMs: z.number().int().min(0),
  snrDb: Assessment.shape.snrDb,
  /** Accuracy, fluency, prosody, completeness, pron; null where it was not measured. */
  scores: z.array(z.number().min(0).max(100).nullable()).length(5),
  /** Separated by spaces. */
  words: z.string().max(170_000),
  /** The distinct sounds of all words, separated by spaces; `sounds` refers to them by position. */
  phonemes: z.string().max(2_000),
  /** Base64 without padding: the times, accuracies and sounds of each word. */
  sounds: z.string().max(400_000),
  /** Base64 without padding: the voiced stretches of the pitch curve. */
  pitch: z.string().max(100_000),
  /** Pairs of start and end, ms. */
  pauses: z.array(z.number().int().min(0)).max(4_000),
  unusable: Assessment.shape.unusable,
});
export type PackedAssessment = z.infer<typeof PackedAssessment>;

const TIME_STEP_MS = 10;
const PITCH_STEP_MS = 60;
/** A word hardly ever has a space in it. */
const NO_BREAK_SPACE = '\u00A0';
const HAS_RIVALS = 1;
const FOLLOWS_A_GAP = 2;
const PITCH_STEPS_AN_OCTAVE = 48;
/** A byte less the value that ends a stretch covers five octaves from here: every voice. */
const LOWEST_HZ = 40;
const MAX_PITCH_CODE = 255;

const steps = (ms: number): number => Math.round(ms / TIME_STEP_MS);
/** 0 stands for null. */
const halfPoints = (accuracy: number | null): number => (accuracy === null ? 0 : Math.round(accuracy * 2) + 1);
const tenths = (accuracy: number | null): number => (accuracy === null ? 0 : Math.round(accuracy * 10) + 1);

export function packAssessment(assessment: Assessment): PackedAssessment {
  const { source, durationMs, snrDb, accuracy, fluency, prosody, completeness, pron, words, unusable } = assessment;
  const indexByPhoneme = new Map<string, number>();
  const indexOf = (phoneme: string): number => {
    const index = indexByPhoneme.get(phoneme) ?? indexByPhoneme.size;
    indexByPhoneme.set(phoneme, index);
    return index;
  };
  const sounds = packWords(words, indexOf);
  return {
    v: 1,
    source,
    durationMs: Math.round(durationMs),
    snrDb: snrDb === null ? null : Math.round(snrDb * 10) / 10,
    scores: [accuracy, fluency, prosody, completeness, pron],
    words: words.map(({ word }) => word.replaceAll(' ', NO_BREAK_SPACE)).join(' '),
    phonemes: [...indexByPhoneme.keys()].join(' '),
    sounds,
    pitch: packPitch(assessment.pitch),
    pauses: assessment.pauses.flatMap(({ startMs, endMs }) => [Math.round(startMs), Math.round(endMs)]),
    ...(unusable === undefined ? {} : { unusable }),
  };
}

function packWords(words: readonly WordAssessment[], indexOf: (phoneme: string) => number): string {
  const writer = createByteWriter();
  let endOfWord = 0;
  for (const { startMs, endMs, accuracy, error, phonemes } of words) {
    writer.signed(steps(startMs) - endOfWord);
    writer.signed(steps(endMs) - steps(startMs));
    writer.unsigned(tenths(accuracy));
    writer.unsigned(phonemes.length * WORD_ERRORS.length + WORD_ERRORS.indexOf(error));
    let endOfSound = steps(startMs);
    for (const sound of phonemes) {
      const rivals = sound.heardAs ?? [];
      const gap = steps(sound.startMs) - endOfSound;
      // Zero rivals and no list of rivals are the same thing to every reader.
      const flags = (rivals.length > 0 ? HAS_RIVALS : 0) + (gap === 0 ? 0 : FOLLOWS_A_GAP);
      writer.unsigned(indexOf(sound.phoneme) * 4 + flags);
      if (gap !== 0) writer.signed(gap);
      writer.signed(steps(sound.endMs) - steps(sound.startMs));
      writer.byte(halfPoints(sound.accuracy));
      if (rivals.length > 0) {
        writer.unsigned(rivals.length);
        for (const { phoneme, likelihood } of rivals) {
          writer.unsigned(indexOf(phoneme));
          writer.byte(Math.round(likelihood * 100));
        }
      }
      endOfSound = steps(sound.endMs);
    }
    endOfWord = steps(endMs);
  }
  return base64nopad.encode(writer.bytes());
}

/** Stretches of voice: where each begins, then one byte a step, then 0. */
function packPitch(pitch: Assessment['pitch']): string {
  const writer = createByteWriter();
  const codeByStep = new Map<number, number>();
  for (const { ms, hz } of pitch) {
    const step = Math.round(ms / PITCH_STEP_MS);
    // Of several points in a step the one in its middle stands for it.
    if (codeByStep.has(step) && ms !== step * PITCH_STEP_MS) continue;
    const code = Math.round(Math.log2(hz / LOWEST_HZ) * PITCH_STEPS_AN_OCTAVE) + 1;
    codeByStep.set(step, Math.min(MAX_PITCH_CODE, Math.max(1, code)));
  }
  let next = 0;
  let isOpen = false;
  for (const [step, code] of [...codeByStep].toSorted(([a], [b]) => a - b)) {
    if (!isOpen || step !== next) {
      if (isOpen) writer.byte(0);
      writer.unsigned(step - next);
    }
    writer.byte(code);
    isOpen = true;
    next = step + 1;
  }
  return base64nopad.encode(writer.bytes());
}

/** Throws when what was stored is not a packed assessment; what came over the network has been parsed by then, and may still be nonsense. */
export function unpackAssessment(packed: PackedAssessment): Assessment {
  const [accuracy = null, fluency = null, prosody = null, completeness = null, pron = null] = packed.scores;
  return Assessment.parse({
    source: packed.source,
    durationMs: packed.durationMs,
    snrDb: packed.snrDb,
    accuracy,
    fluency,
    prosody,
    completeness,
    pron,
    words: unpackWords(packed),
    pitch: unpackPitch(packed.pitch),
    pauses: Array.from({ length: Math.floor(packed.pauses.length / 2) }, (_, index) => ({
      startMs: packed.pauses[2 * index] ?? 0,
      endMs: packed.pauses[2 * index + 1] ?? 0,
    })),
    ...(packed.unusable === undefined ? {} : { unusable: packed.unusable }),
  });
}

function unpackWords({ words, phonemes, sounds }: PackedAssessment): WordAssessment[] {
  const reader = createByteReader(base64nopad.decode(sounds));
  const phonemeAt = phonemes.split(' ');
  const nameOf = (index: number): string => phonemeAt[index] ?? '?';
  let endOfWord = 0;
  const names = words === '' ? [] : words.split(' ');
  return names.map((name): WordAssessment => {
    const start = endOfWord + reader.signed();
    const end = start + reader.signed();
    const accuracy = reader.unsigned();
    const counted = reader.unsigned();
    const error = WORD_ERRORS[counted % WORD_ERRORS.length] ?? 'None';
    const count = Math.floor(counted / WORD_ERRORS.length);
    let endOfSound = start;
    const heard: PhonemeAssessment[] = [];
    for (let index = 0; index < count && !reader.isAtEnd(); index += 1) {
      const code = reader.unsigned();
      const from = endOfSound + ((code & FOLLOWS_A_GAP) === 0 ? 0 : reader.signed());
      const to = from + reader.signed();
      const points = reader.byte();
      const rivals: { phoneme: string; likelihood: number }[] = [];
      if ((code & HAS_RIVALS) !== 0)
        for (let left = reader.unsigned(); left > 0 && !reader.isAtEnd(); left -= 1)
          rivals.push({ phoneme: nameOf(reader.unsigned()), likelihood: reader.byte() / 100 });
      heard.push({
        phoneme: nameOf(Math.floor(code / 4)),
        startMs: from * TIME_STEP_MS,
        endMs: to * TIME_STEP_MS,
        accuracy: points === 0 ? null : (points - 1) / 2,
        ...(rivals.length > 0 ? { heardAs: rivals } : {}),
      });
      endOfSound = to;
    }
    endOfWord = end;
    return {
      word: name.replaceAll(NO_BREAK_SPACE, ' '),
      startMs: start * TIME_STEP_MS,
      endMs: end * TIME_STEP_MS,
      accuracy: accuracy === 0 ? null : (accuracy - 1) / 10,
      error,
      phonemes: heard,
    };
  });
}

function unpackPitch(packed: string): Assessment['pitch'] {
  const reader = createByteReader(base64nopad.decode(packed));
  const pitch: Assessment['pitch'] = [];
  let step = 0;
  while (!reader.isAtEnd()) {
    step += reader.unsigned();
    while (!reader.isAtEnd()) {
      const code = reader.byte();
      if (code === 0) break;
      const hz = LOWEST_HZ * 2 ** ((code - 1) / PITCH_STEPS_AN_OCTAVE);
      pitch.push({ ms: step * PITCH_STEP_MS, hz: Math.round(hz * 10) / 10 });
      step += 1;
    }
  }
  return pitch;
}
