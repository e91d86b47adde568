import { describe, expect, it } from 'vitest';
import { hasCode, type Messages, onlyLinkOpens, sentMessage, typedWrong } from './sign-in-messages.ts';

const MINUTE_MS = 60_000;

const wrong = (messages: Messages, times: number): Messages =>
  times === 0 ? messages : wrong(typedWrong(messages), times - 1);

describe('the messages to an address', () => {
  it('are opened by their links alone after five wrong codes', () => {
    const first = sentMessage(undefined, 0);
    expect(onlyLinkOpens(wrong(first, 4))).toBe(false);
    expect(onlyLinkOpens(wrong(first, 5))).toBe(true);
  });

  it('bring no new tries while the one before is alive', () => {
    const second = sentMessage(wrong(sentMessage(undefined, 0), 3), 10 * MINUTE_MS);
    expect(second).toMatchObject({ sent: 2, wrongCodes: 3 });
    const third = sentMessage(wrong(second, 2), 24 * MINUTE_MS);
    expect(onlyLinkOpens(third)).toBe(true);
    expect(onlyLinkOpens(sentMessage(third, 39 * MINUTE_MS))).toBe(false);
  });

  it('may have a code although we counted five: who has one types it', () => {
    expect(onlyLinkOpens(hasCode(wrong(sentMessage(undefined, 0), 5)))).toBe(false);
  });
});
