const MAX_REASON_LENGTH = 500;

/** The text of a foreign mail server without NUL and halves of surrogate pairs, which the database does not accept. */
export const storableReason = (said: string): string =>
  said.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH).toWellFormed();
