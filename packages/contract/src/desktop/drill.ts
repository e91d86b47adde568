/** Drills: a word, a pair of words, a phrase, a sentence or a passage, said and scored at once. */
import { Assessment, RecordingId, TurnId } from '@parley/domain';
import { z } from 'zod';
import { base } from './base.ts';
import { AudioAppended, AudioChunk } from './practice.ts';

export const DRILL_KINDS = ['word', 'pair', 'phrase', 'sentence', 'passage'] as const;
export type DrillKind = (typeof DRILL_KINDS)[number];

export const MAX_DRILL_CHARACTERS: number = 4_000;

const DrillText = z.string().trim().min(1).max(MAX_DRILL_CHARACTERS);

export const Drill = z.object({
  kind: z.enum(DRILL_KINDS),
  /** What it trains: a sound, a pair of sounds, a topic. */
  trains: z.string(),
  /** What is said. */
  text: DrillText,
  /** The word of a pair that it must not sound like. */
  other: DrillText.nullable(),
});
export type Drill = z.infer<typeof Drill>;

/** What came of saying it. */
export const DrillAttempt = z.object({
  recordingId: RecordingId,
  text: z.string(),
  other: z.string().nullable(),
  assessment: Assessment,
  /** Which word of a pair was heard; null where it was no pair, or lay too close to tell. */
  heard: z.enum(['text', 'other']).nullable(),
  at: z.date(),
});
export type DrillAttempt = z.infer<typeof DrillAttempt>;

export const drillContract = {
  list: base.input(z.void()).output(z.array(Drill)),
  /** The latest attempts at a text, newest first. */
  attempts: base.input(z.object({ text: DrillText })).output(z.array(DrillAttempt)),
  begin: base
    .input(z.object({ text: DrillText, other: DrillText.nullable() }))
    .output(z.object({ turnId: TurnId, recordingId: RecordingId })),
  appendAudio: base.input(AudioChunk.extend({ turnId: TurnId })).output(AudioAppended),
  /** Closes the recording, scores it and keeps both; weak words go onto the learner's list. */
  finish: base.input(z.object({ turnId: TurnId })).output(DrillAttempt),
};
