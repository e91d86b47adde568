/** Serializes an error for the log without the values that a failed query carried. */
import { DrizzleQueryError } from 'drizzle-orm/errors';

interface SerializedError {
  [detail: string]: unknown;
  type: string;
  message: string;
  stack: string;
  /** The SQLSTATE or the code of a system error. */
  code?: string;
  cause?: SerializedError;
}

/** Database messages of these SQLSTATE classes (data exceptions, constraint violations) quote the offending value. */
const VALUE_QUOTING_SQLSTATES = /^(22|23)/;

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value that is not an error was thrown', stack: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.constructor.name,
    message: messageOf(error, code),
    stack: stackFrames(error),
    ...(code === undefined ? {} : { code }),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

function messageOf(error: Error, code: string | undefined): string {
  // Drizzle's own message lists the parameters, whereas the query contains only placeholders.
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  return code !== undefined && VALUE_QUOTING_SQLSTATES.test(code)
    ? 'a value that the database rejected'
    : error.message;
}

/** Returns the stack without its first line, which repeats the message. */
const stackFrames = (error: Error): string =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
