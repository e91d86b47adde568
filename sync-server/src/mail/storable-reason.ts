const MAX_REASON_LENGTH = 500;

/** What a foreign mail server said, as the database accepts it, whose text holds neither NUL nor halves of surrogate pairs. */
export const storableReason = (said: string): string =>
  said.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH).toWellFormed();
