/**
 * The compact form of an assessment that a turn's row stores and sends: less than a tenth of its JSON. Times are rounded to 10 ms, a
 * phoneme's accuracy to 0.5, and the pitch curve is sampled every 60 ms in quarter semitones. Scores and word accuracies keep one decimal.
 */
import { base64nopad } from '@scure/base';
import { z } from 'zod';
import { measureJson } from '../entity/measure-json.ts';
import {
  Assessment,
  type PhonemeAssessment,
  ShortAssessment,
  shortenWord,
  type WordAssessment,
  WORD_ERRORS,
} from './assessment.ts';
import { createByteReader, createByteWriter } from './varint.ts';

export const PackedAssessment = z.object({
  /** The version of this format. */
  v: z.literal(1),
  source: Assessment.shape.source,
  durationMs: z.number().int().min(0),
  snrDb: Assessment.shape.snrDb,
  /** Accuracy, fluency, prosody, completeness, pron; null when not measured. */
  scores: z.array(z.number().min(0).max(100).nullable()).length(5),
  /** Separated by spaces. */
  words: z.string().max(170_000),
  /** The distinct phonemes of all words, separated by spaces; `sounds` refers to them by position. */
  phonemes: z.string().max(2_000),
  /** Base64 without padding: the times, accuracies and phonemes of each word. */
  sounds: z.string().max(400_000),
  /** Base64 without padding: the voiced segments of the pitch curve. */
  pitch: z.string().max(100_000),
  /** Pairs of start and end in milliseconds. */
  pauses: z.array(z.number().int().min(0)).max(4_000),
  unusable: Assessment.shape.unusable,
});
export type PackedAssessment = z.infer<typeof PackedAssessment>;

const TIME_STEP_MS = 10;
const PITCH_STEP_MS = 60;
/** Words are separated by spaces; the rare word that contains a space is stored with this instead. */
const NO_BREAK_SPACE = '\u00A0';
const HAS_RIVALS = 1;
const FOLLOWS_GAP = 2;
const PITCH_STEPS_PER_OCTAVE = 48;
/** The 255 codes above the segment terminator span five octaves from here, which covers every human voice. */
const LOWEST_HZ = 40;
const MAX_PITCH_CODE = 255;

const toSteps = (ms: number): number => Math.round(ms / TIME_STEP_MS);
/** 0 encodes null. */
const toHalfPoints = (accuracy: number | null): number => (accuracy === null ? 0 : Math.round(accuracy * 2) + 1);
const toTenths = (accuracy: number | null): number => (accuracy === null ? 0 : Math.round(accuracy * 10) + 1);

export function packAssessment(assessment: Assessment): PackedAssessment {
  const { source, durationMs, snrDb, accuracy, fluency, prosody, completeness, pron, unusable } = assessment;
  const words = assessment.words.map(shortenWord);
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
    writer.signed(toSteps(startMs) - endOfWord);
    writer.signed(toSteps(endMs) - toSteps(startMs));
    writer.unsigned(toTenths(accuracy));
    writer.unsigned(phonemes.length * WORD_ERRORS.length + WORD_ERRORS.indexOf(error));
    let endOfSound = toSteps(startMs);
    for (const sound of phonemes) {
      const rivals = sound.heardAs ?? [];
      const gap = toSteps(sound.startMs) - endOfSound;
      // An empty list of rivals and a missing one mean the same.
      const flags = (rivals.length > 0 ? HAS_RIVALS : 0) + (gap === 0 ? 0 : FOLLOWS_GAP);
      writer.unsigned(indexOf(sound.phoneme) * 4 + flags);
      if (gap !== 0) writer.signed(gap);
      writer.signed(toSteps(sound.endMs) - toSteps(sound.startMs));
      writer.byte(toHalfPoints(sound.accuracy));
      if (rivals.length > 0) {
        writer.unsigned(rivals.length);
        for (const { phoneme, likelihood } of rivals) {
          writer.unsigned(indexOf(phoneme));
          writer.byte(Math.round(likelihood * 100));
        }
      }
      endOfSound = toSteps(sound.endMs);
    }
    endOfWord = toSteps(endMs);
  }
  return base64nopad.encode(writer.bytes());
}

/** Each voiced segment is encoded as its start, then one byte per step, then 0. */
function packPitch(pitch: Assessment['pitch']): string {
  const writer = createByteWriter();
  const codeByStep = new Map<number, number>();
  for (const { ms, hz } of pitch) {
    const step = Math.round(ms / PITCH_STEP_MS);
    // When several points fall into one step, the point at the step's own time is kept.
    if (codeByStep.has(step) && ms !== step * PITCH_STEP_MS) continue;
    const code = Math.round(Math.log2(hz / LOWEST_HZ) * PITCH_STEPS_PER_OCTAVE) + 1;
    codeByStep.set(step, Math.min(MAX_PITCH_CODE, Math.max(1, code)));
  }
  let nextStep = 0;
  let isOpen = false;
  for (const [step, code] of [...codeByStep].toSorted(([a], [b]) => a - b)) {
    if (!isOpen || step !== nextStep) {
      if (isOpen) writer.byte(0);
      writer.unsigned(step - nextStep);
    }
    writer.byte(code);
    isOpen = true;
    nextStep = step + 1;
  }
  return base64nopad.encode(writer.bytes());
}

const measureShort = measureJson(ShortAssessment);

/**
 * Throws when the stored value is not a valid packed assessment. A value from the network has passed the schema by now but can still
 * contain nonsense.
 */
export function unpackAssessment(packed: PackedAssessment): Assessment {
  const [accuracy = null, fluency = null, prosody = null, completeness = null, pron = null] = packed.scores;
  const unpacked: Assessment = {
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
  };
  return measureShort(unpacked) >= 0 ? unpacked : Assessment.parse(unpacked);
}

function unpackWords({ words, phonemes, sounds }: PackedAssessment): WordAssessment[] {
  const reader = createByteReader(base64nopad.decode(sounds));
  const phonemeAt = phonemes.split(' ');
  const phonemeName = (index: number): string => phonemeAt[index] ?? '?';
  let endOfWord = 0;
  const names = words === '' ? [] : words.split(' ');
  return names.map((name): WordAssessment => {
    const start = endOfWord + reader.signed();
    const end = start + reader.signed();
    const accuracy = reader.unsigned();
    const countAndError = reader.unsigned();
    const error = WORD_ERRORS[countAndError % WORD_ERRORS.length] ?? 'None';
    const count = Math.floor(countAndError / WORD_ERRORS.length);
    let endOfSound = start;
    const phonemeAssessments: PhonemeAssessment[] = [];
    for (let index = 0; index < count && !reader.isAtEnd(); index += 1) {
      const code = reader.unsigned();
      const from = endOfSound + ((code & FOLLOWS_GAP) === 0 ? 0 : reader.signed());
      const to = from + reader.signed();
      const points = reader.byte();
      const rivals: { phoneme: string; likelihood: number }[] = [];
      if ((code & HAS_RIVALS) !== 0)
        for (let remaining = reader.unsigned(); remaining > 0 && !reader.isAtEnd(); remaining -= 1)
          rivals.push({ phoneme: phonemeName(reader.unsigned()), likelihood: reader.byte() / 100 });
      phonemeAssessments.push({
        phoneme: phonemeName(Math.floor(code / 4)),
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
      phonemes: phonemeAssessments,
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
      const hz = LOWEST_HZ * 2 ** ((code - 1) / PITCH_STEPS_PER_OCTAVE);
      pitch.push({ ms: step * PITCH_STEP_MS, hz: Math.round(hz * 10) / 10 });
      step += 1;
    }
  }
  return pitch;
}
