const MAX_REASON_LENGTH = 500;

/**
 * The text of another mail server, without NUL characters and unpaired surrogates, which the database does not accept.
 */
export const storableReason = (said: string): string =>
  said.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH).toWellFormed();
