import { describe, expect, it } from 'vitest';
import { createSystemClock } from './system-clock.ts';
import { openHost, startPractice } from './test-kit/open-host.ts';

const START_MS = Date.parse('2026-11-18T10:00:00.000Z');
const MINUTE_MS = 60_000;

/** A computer whose time advances in small steps while it is awake, and in one step when it wakes up. */
function aComputer(startMs = START_MS) {
  let nowMs = startMs;
  const clock = createSystemClock({ now: () => nowMs });
  return {
    clock,
    work: (ms: number): void => {
      for (let passedMs = 0; passedMs < ms; passedMs += 5_000) {
        nowMs += Math.min(5_000, ms - passedMs);
        clock.sleptMsSince(clock.now());
      }
    },
    /** On waking, a timer that is due fires at once. */
    sleep: (ms: number): void => {
      nowMs += ms;
      clock.sleptMsSince(clock.now());
    },
  };
}

describe('the system clock', () => {
  it('reports the time that the computer slept', () => {
    const { clock, work, sleep } = aComputer();
    const start = clock.now();
    work(MINUTE_MS);
    expect(clock.sleptMsSince(start)).toBe(0);
    sleep(8 * MINUTE_MS);
    expect(clock.sleptMsSince(start)).toBe(8 * MINUTE_MS);
    work(MINUTE_MS);
    expect(clock.sleptMsSince(clock.now())).toBe(0);
    sleep(2 * MINUTE_MS);
    expect(clock.sleptMsSince(start)).toBe(10 * MINUTE_MS);
  });

  it('does not count a short delay as sleep', () => {
    const { clock, sleep } = aComputer();
    const start = clock.now();
    sleep(20_000);
    expect(clock.sleptMsSince(start)).toBe(0);
  });
});

it('the duration of a session leaves out the time that the computer slept', async () => {
  const { clock, work, sleep } = aComputer();
  const { ask, host } = await openHost({ clock });
  const { sessionId } = await startPractice(ask, 'text');
  work(40_000);
  sleep(90 * MINUTE_MS);
  work(20_000);
  expect((await ask.practice.session({ sessionId })).durationS).toBe(60);
  await host.close();
});

it('the duration of a session leaves out the time in which the app was closed', async () => {
  const before = aComputer();
  const { ask, host, dataDir } = await openHost({ clock: before.clock });
  const { sessionId } = await startPractice(ask, 'text');
  before.work(30_000);
  await ask.practice.sendTyped({ sessionId, text: 'I am sorry, the delivery is late.', hintLevel: 0 });
  await host.close();
  const after = aComputer(before.clock.now().getTime() + 4 * MINUTE_MS);
  const reopened = await openHost({ dataDir, clock: after.clock });
  after.work(20_000);
  expect((await reopened.ask.practice.session({ sessionId })).durationS).toBe(50);
  await reopened.host.close();
});
