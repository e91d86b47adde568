/** Copies of videos on this computer, with which they play without a network. */
import { z } from 'zod';
import { type ErrorCode, isErrorCode } from '../../errors.ts';
import { base } from '../base.ts';

const bytes = z.number().int().min(0);
/** `limit`: it would take more than all copies together may. */
const Failure = z.custom<ErrorCode | 'limit'>(
  (code) => typeof code === 'string' && (code === 'limit' || isErrorCode(code)),
);

export const VideoCopy = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** It is being downloaded. `totalBytes` is null until the server has said how long it is. */
  z.object({ state: z.literal('loading'), bytes, totalBytes: bytes.nullable() }),
  /**
   * The download continues from here when it is requested again. `failure` is null when the app was closed meanwhile.
   */
  z.object({ state: z.literal('interrupted'), bytes, totalBytes: bytes.nullable(), failure: Failure.nullable() }),
  z.object({ state: z.literal('kept'), bytes }),
]);
export type VideoCopy = z.infer<typeof VideoCopy>;

export const VideoCopies = z.object({
  /** Complete and interrupted ones. */
  copies: z.array(z.object({ videoId: z.uuid(), title: z.string(), bytes })),
  usedBytes: bytes,
  maxBytes: bytes,
});
export type VideoCopies = z.infer<typeof VideoCopies>;

const Input = z.object({ videoId: z.uuid() });

export const videosContract = {
  copy: base.input(Input).output(VideoCopy),
  copies: base.input(z.void()).output(VideoCopies),
  /** Begins or continues the download, and returns at once. Fails with `course.locked` when the video is in no open section. */
  keep: base.input(Input).output(z.void()),
  /** Stops the download, and deletes what there is. */
  remove: base.input(Input).output(z.void()),
};
