/** Rows of an export that only devices keep: recordings, and drills. */
import { TRANSCRIPTION_FAILURES } from '@parley/contract';
import { Assessment, ATTEMPT_SOURCES, UNUSABLE_REASONS } from '@parley/domain';
import { z } from 'zod';
import { RECORDING_OUTCOMES, RECORDING_STATES } from '../store/index.ts';

const Time = z.iso.datetime().transform((iso) => new Date(iso));
const StoredAssessment = z
  .custom<Assessment>((value) => value === null || Assessment.safeParse(value).success)
  .nullable();

export const RecordingRow = z.object({
  recordingId: z.uuid(),
  userId: z.uuid(),
  sessionId: z.uuid(),
  turnId: z.uuid(),
  state: z.enum(RECORDING_STATES),
  sampleCount: z.number().int().min(0),
  nextSeq: z.number().int().min(0),
  outcome: z.enum(RECORDING_OUTCOMES).nullable(),
  text: z.string().max(4_000).nullable(),
  failure: z.enum(TRANSCRIPTION_FAILURES).nullable(),
  unusableReason: z.enum(UNUSABLE_REASONS).nullable(),
  hint: z.string().max(1_000).nullable(),
  hintLevel: z.number().int().min(0).max(3),
  isInterrupted: z.boolean(),
  createdAt: Time,
  assessment: StoredAssessment,
});
export type RecordingRow = z.infer<typeof RecordingRow>;

export const DrillRow = z.object({
  recordingId: z.uuid(),
  userId: z.uuid(),
  turnId: z.uuid(),
  text: z.string().max(4_000),
  other: z.string().max(200).nullable(),
  heard: z.enum(['text', 'other']).nullable(),
  source: z.enum(ATTEMPT_SOURCES).nullable().default(null),
  assessment: StoredAssessment,
  createdAt: Time,
});
export type DrillRow = z.infer<typeof DrillRow>;
