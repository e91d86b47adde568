/** Copies of videos on this computer, with which they play without a network. */
import { z } from 'zod';
import { type ErrorCode, isErrorCode } from '../../errors.ts';
import { base } from '../base.ts';

const bytes = z.number().int().min(0);
/** `limit`: the copy would exceed the size limit for all copies together. */
const Failure = z.custom<ErrorCode | 'limit'>(
  (code) => typeof code === 'string' && (code === 'limit' || isErrorCode(code)),
);

export const VideoCopy = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** The copy is being downloaded. `totalBytes` is null until the server has sent the length. */
  z.object({ state: z.literal('loading'), bytes, totalBytes: bytes.nullable() }),
  /**
   * The download continues from here when it is requested again. `failure` is null if the app was closed in the
   * meantime.
   */
  z.object({ state: z.literal('interrupted'), bytes, totalBytes: bytes.nullable(), failure: Failure.nullable() }),
  z.object({ state: z.literal('kept'), bytes }),
]);
export type VideoCopy = z.infer<typeof VideoCopy>;

export const VideoCopies = z.object({
  /** Includes complete and interrupted copies. */
  copies: z.array(z.object({ videoId: z.uuid(), title: z.string(), bytes })),
  usedBytes: bytes,
  maxBytes: bytes,
});
export type VideoCopies = z.infer<typeof VideoCopies>;

const Input = z.object({ videoId: z.uuid() });

export const videosContract = {
  copy: base.input(Input).output(VideoCopy),
  copies: base.input(z.void()).output(VideoCopies),
  /**
   * Starts or resumes the download, and returns at once. Fails with `course.locked` if the video is in no open section.
   */
  keep: base.input(Input).output(z.void()),
  /** Stops the download, and deletes what has arrived. */
  remove: base.input(Input).output(z.void()),
};
