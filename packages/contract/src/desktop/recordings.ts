/** Playing recordings, and the learner's choice to keep copies of them on the server. */
import { RecordingId } from '@parley/domain';
import { z } from 'zod';
import { type ErrorCode, isErrorCode } from '../errors.ts';
import { base } from './base.ts';

/** `copy`: the compressed copy that another device has sent, from the server or from this device's cache. */
export const RECORDING_PLACES = ['original', 'copy', 'elsewhere'] as const;
export type RecordingPlace = (typeof RECORDING_PLACES)[number];

const Count = z.number().int().min(0);

export const RecordingKeepingView = z.object({
  /** False without a server or an account there. */
  isPossible: z.boolean(),
  isOn: z.boolean(),
  /** Whether the server has yet to be told to delete all copies. */
  isDeleting: z.boolean(),
  /** The copies of all devices on the server. */
  kept: Count,
  /** Recordings of this device that are not on the server yet. */
  waiting: Count,
  usedBytes: Count,
  quotaBytes: Count,
  /** Why recordings wait; null while they are simply being sent. */
  failure: z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)).nullable(),
});
export type RecordingKeepingView = z.infer<typeof RecordingKeepingView>;

const Recording = z.object({ recordingId: RecordingId });

export const recordingsContract = {
  /** Returns a WAV file: the one that was assessed, or what the copy of another device contains. */
  read: base.input(Recording).output(z.instanceof(Blob)),
  place: base.input(Recording).output(z.object({ place: z.enum(RECORDING_PLACES) })),
  keeping: base.input(z.void()).output(RecordingKeepingView),
  /** `deleteAll` only matters when copies are switched off. */
  keep: base.input(z.object({ isOn: z.boolean(), deleteAll: z.boolean() })).output(RecordingKeepingView),
};
