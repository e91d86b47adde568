/** Drills: a word, a pair of words, a phrase, a sentence or a passage that is recorded and assessed at once. */
import { Assessment, RecordingId, TurnId } from '@parley/domain';
import { z } from 'zod';
import { base } from '../base.ts';
import { TypedText } from '../typed-text.ts';
import { MAX_DRILL_CHARACTERS } from './drill-limits.ts';
import { AppendAudioResult, AudioChunk } from './practice.ts';

export const DRILL_KINDS = ['word', 'pair', 'phrase', 'sentence', 'passage'] as const;
export type DrillKind = (typeof DRILL_KINDS)[number];

const DrillText = TypedText.trim().min(1).max(MAX_DRILL_CHARACTERS);

export const Drill = z.object({
  kind: z.enum(DRILL_KINDS),
  /** What the drill trains: a sound, a pair of sounds or a topic. */
  trains: z.string(),
  /** The text to say. */
  text: DrillText,
  /** In a pair drill, the word with which it must not be confused. */
  other: DrillText.nullable(),
});
export type Drill = z.infer<typeof Drill>;

export const DrillAttempt = z.object({
  recordingId: RecordingId,
  text: z.string(),
  other: z.string().nullable(),
  assessment: Assessment,
  /** Which word of a pair was recognised; null for other drills, and when the two were too close to tell apart. */
  heard: z.enum(['text', 'other']).nullable(),
  at: z.date(),
});
export type DrillAttempt = z.infer<typeof DrillAttempt>;

export const drillContract = {
  list: base.input(z.void()).output(z.array(Drill)),
  /** The latest attempts at a text, newest first. */
  attempts: base.input(z.object({ text: DrillText })).output(z.array(DrillAttempt)),
  /** Fails when no part of the text can be scored, so that the learner knows before they say it. */
  check: base.input(z.object({ text: DrillText })).output(z.void()),
  begin: base
    .input(
      z.object({
        text: DrillText,
        other: DrillText.nullable(),
        source: z.enum(['drill', 'review', 'shadowing']).default('drill'),
        /** The text stays on this device; only its words and their scores are synced. */
        isOwnText: z.boolean().default(false),
      }),
    )
    .output(z.object({ turnId: TurnId, recordingId: RecordingId })),
  appendAudio: base.input(AudioChunk.extend({ turnId: TurnId })).output(AppendAudioResult),
  /** Closes the recording, assesses it and stores both; weak words are added to the learner's list. */
  finish: base.input(z.object({ turnId: TurnId })).output(DrillAttempt),
};
