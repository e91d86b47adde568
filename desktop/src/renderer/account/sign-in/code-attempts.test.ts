import { describe, expect, it } from 'vitest';
import { withCodesReset, type CodeAttempts, mustUseLink, afterEmailSent, afterWrongCode } from './code-attempts.ts';

const MINUTE_MS = 60_000;

const at = (nowMs: number) => ({ nowMs, isNetworkLimited: false, isMailWritten: false });

const wrong = (attempts: CodeAttempts, times: number): CodeAttempts =>
  times === 0 ? attempts : wrong(afterWrongCode(attempts), times - 1);

describe('the code attempts for an address', () => {
  it('require the link after five wrong codes', () => {
    const first = afterEmailSent(undefined, at(0));
    expect(mustUseLink(wrong(first, 4))).toBe(false);
    expect(mustUseLink(wrong(first, 5))).toBe(true);
  });

  it('are not reset by a new e-mail while the previous code is valid', () => {
    const second = afterEmailSent(wrong(afterEmailSent(undefined, at(0)), 3), at(10 * MINUTE_MS));
    expect(second).toMatchObject({ sent: 2, wrongCodes: 3 });
    const third = afterEmailSent(wrong(second, 2), at(24 * MINUTE_MS));
    expect(mustUseLink(third)).toBe(true);
    expect(mustUseLink(afterEmailSent(third, at(39 * MINUTE_MS)))).toBe(false);
  });

  it('can be reset when the learner has a code after all', () => {
    expect(mustUseLink(withCodesReset(wrong(afterEmailSent(undefined, at(0)), 5)))).toBe(false);
  });
});
