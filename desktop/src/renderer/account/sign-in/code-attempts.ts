/** Counts the sign-in codes tried for one address as the server does: after too many wrong codes only the link works. */
import { SIGN_IN_CODE_TTL_MS, MAX_SIGN_IN_CODE_ATTEMPTS } from '@parley/contract';

export interface CodeAttempts {
  /** The number of e-mails requested in this window. */
  sent: number;
  lastSentAtMs: number;
  wrongCodes: number;
  /** Whether the network had requested so many e-mails that the last one was sent only to an address with an account. */
  isNetworkLimited: boolean;
  /** Whether the server only wrote the last e-mail to a folder. */
  isMailWritten: boolean;
}

/** A new e-mail does not reset the count while the previous code is still valid. */
export const afterEmailSent = (
  before: CodeAttempts | undefined,
  { nowMs, isNetworkLimited, isMailWritten }: { nowMs: number; isNetworkLimited: boolean; isMailWritten: boolean },
): CodeAttempts => ({
  sent: (before?.sent ?? 0) + 1,
  lastSentAtMs: nowMs,
  wrongCodes: before !== undefined && nowMs - before.lastSentAtMs < SIGN_IN_CODE_TTL_MS ? before.wrongCodes : 0,
  isNetworkLimited,
  isMailWritten,
});

export const afterWrongCode = (attempts: CodeAttempts): CodeAttempts => ({
  ...attempts,
  wrongCodes: attempts.wrongCodes + 1,
});

/** Resets the count when an e-mail has a code after all, because the server may have counted differently. */
export const withCodesReset = (attempts: CodeAttempts): CodeAttempts => ({ ...attempts, wrongCodes: 0 });

export const mustUseLink = ({ wrongCodes }: CodeAttempts): boolean => wrongCodes >= MAX_SIGN_IN_CODE_ATTEMPTS;
