/** Converts the errors of a procedure, and of the stream that it returns, into errors that oRPC sends unchanged. */
import { ORPCError } from '@orpc/server';
import { type ErrorResponse, toErrorResponse } from './error-response.ts';

interface ErrorReport {
  requestId: string;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal | undefined;
  onBug: (error: unknown) => void;
}

export async function withContractErrors(call: () => PromiseLike<unknown>, report: ErrorReport): Promise<unknown> {
  try {
    const output = await call();
    return isStream(output) ? mapErrors(output, report) : output;
  } catch (error) {
    const response = toErrorResponse(error, report.requestId);
    // Aborting the work for a caller who has disconnected is not a fault.
    const isAbort = report.signal?.aborted === true && error === report.signal.reason;
    if (response.isBug && !isAbort) report.onBug(error);
    throw toOrpcError(response);
  }
}

type Stream = AsyncIterator<unknown> & AsyncIterable<unknown>;

const isStream = (output: unknown): output is Stream =>
  typeof output === 'object' && output !== null && Symbol.asyncIterator in output && 'next' in output;

/** This is not a generator, because a generator does not pass on `return` while it waits for the next event. */
function mapErrors(stream: Stream, { requestId }: Pick<ErrorReport, 'requestId'>): Stream {
  const mapped: Stream = {
    next: async () => {
      try {
        return await stream.next();
      } catch (error) {
        const response = toErrorResponse(error, requestId);
        // The client treats a stream that ends with an unknown error as a broken connection.
        throw response.isBug ? error : toOrpcError(response, { defined: true });
      }
    },
    return: async (value: unknown) => (await stream.return?.(value)) ?? { done: true, value },
    [Symbol.asyncIterator]: () => mapped,
  };
  return mapped;
}

const toOrpcError = (
  { status, body: { code, message, data } }: ErrorResponse,
  { defined = false } = {},
): ORPCError<string, unknown> => new ORPCError<string, unknown>(code, { status, message, data, defined });
