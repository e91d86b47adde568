/** What the messages to one address are still good for, as the server counts it: after the last wrong code only a link opens. */
import { SIGN_IN_CODE_LIFE_MS, SIGN_IN_CODE_TRIES } from '@parley/contract';

export interface Messages {
  /** How many were asked for here. */
  sent: number;
  lastSentAtMs: number;
  wrongCodes: number;
}

/** Another message brings no new tries while the one before is alive. */
export const sentMessage = (before: Messages | undefined, nowMs: number): Messages => ({
  sent: (before?.sent ?? 0) + 1,
  lastSentAtMs: nowMs,
  wrongCodes: before !== undefined && nowMs - before.lastSentAtMs < SIGN_IN_CODE_LIFE_MS ? before.wrongCodes : 0,
});

export const typedWrong = (messages: Messages): Messages => ({ ...messages, wrongCodes: messages.wrongCodes + 1 });

/** For whom a message brings a code all the same: the server may have counted otherwise. */
export const hasCode = (messages: Messages): Messages => ({ ...messages, wrongCodes: 0 });

export const onlyLinkOpens = ({ wrongCodes }: Messages): boolean => wrongCodes >= SIGN_IN_CODE_TRIES;
