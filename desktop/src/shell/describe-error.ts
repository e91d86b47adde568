/**
 * Describes an error for a log file: where it happened and its kind, but not its message, which may quote a learner.
 */

export interface DescribedError {
  type: string;
  code?: string;
  /** The frames of the stack, without the message above them. */
  stack: string[];
  cause?: DescribedError;
}

const MAX_CAUSES = 5;

export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, stack: [] };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line));
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    stack: frames.map((line) => line.trim()),
    ...(error.cause instanceof Error && depth < MAX_CAUSES ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}
