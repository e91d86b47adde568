/** Why a line is still remembered, and what to do: what coaches remember is the server's to delete, for every device at once. */
import { errorCode, errorSentence } from '../app/error-sentence.ts';

export const notForgotten = (line: string, error: unknown): string =>
  errorCode(error) === 'sync.offline'
    ? `Not deleted: “${line}” Only the server can delete it, and it cannot be reached. Try again when you are online.`
    : `Not deleted: “${line}” ${errorSentence(error)}`;
