/** An error as the log may hold it: what failed and where, never the values that a failed query carried. */
import { DrizzleQueryError } from 'drizzle-orm/errors';

interface DescribedError {
  [detail: string]: unknown;
  type: string;
  message: string;
  stack: string;
  /** SQLSTATE or a system error's code. */
  code?: string;
  cause?: DescribedError;
}

/** A database's messages of these classes quote the value that was wrong: data exceptions, broken constraints. */
const QUOTES_VALUES = /^(22|23)/;

export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no error was thrown', stack: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.constructor.name,
    message: messageOf(error, code),
    stack: framesOf(error),
    ...(code === undefined ? {} : { code }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

function messageOf(error: Error, code: string | undefined): string {
  // Its own message lists the parameters; the query has only their places.
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  return code !== undefined && QUOTES_VALUES.test(code) ? 'a value that the database refused' : error.message;
}

/** The stack without its head, which repeats the message. */
const framesOf = (error: Error): string =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
