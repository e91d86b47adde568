/** Promises about accounts: access, sign-in, billing and e-mail. */
import { z } from 'zod';
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { measureSignInTiming, type SignInTiming } from '../measure/sign-in-timing.ts';
import { simulateAccounts } from '../measure/simulate-year.ts';
import { type Outcome, type ProductPromise } from './promise.ts';

const SUBSCRIPTION_LIVES = 50;
const Count = z.coerce.number().int().positive();
const { PARLEY_YEAR_ACCOUNTS, PARLEY_YEAR_DAYS } = process.env;
/** A smaller simulation takes about a minute; the whole year takes long. */
const YEAR = { accounts: Count.parse(PARLEY_YEAR_ACCOUNTS ?? 200), days: Count.parse(PARLEY_YEAR_DAYS ?? 365) };
const DURATION = YEAR.days === 365 ? 'A year' : `${YEAR.days} days`;
/** Simulates a different year each day. */
const seed = Math.floor(Date.now() / 86_400_000);

const toOutcome = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>, of = 'tests'): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}`,
  holds: failed === 0 && passed > 0,
});

/** The two times may differ by the noise and a quarter, because the machine may be busy. */
function toTimingOutcome({ knownMs, unknownMs, differenceMs, noiseMs }: SignInTiming): Outcome {
  const ms = (value: number): string => value.toFixed(2);
  return {
    figure: `${ms(knownMs)} and ${ms(unknownMs)} ms, difference ${ms(differenceMs)}, noise ${ms(noiseMs)}`,
    holds: differenceMs <= noiseMs + unknownMs / 4,
  };
}

export const promises: readonly ProductPromise[] = [
  {
    claim:
      'In Chromium a new user signs in, is admitted, runs out of minutes, pays, cancels, and keeps access until the last day',
    bar: 'all steps',
    measure: async () =>
      toOutcome(await runTests(['--config', 'desktop/e2e/vitest.config.ts', 'account-journey']), 'journeys'),
  },
  {
    claim:
      'A subscription ends in the state that the provider reports, whatever happens and in whatever order events arrive (both databases)',
    bar: 'all lives',
    measure: async () => {
      process.env['PARLEY_SUBSCRIPTION_LIVES'] = String(SUBSCRIPTION_LIVES);
      const counts = await runTests(['sync-server/src/billing', '-t', 'the lifecycle of a subscription']);
      const outcome = toOutcome(counts);
      return { ...outcome, figure: `${outcome.figure}, ${SUBSCRIPTION_LIVES} lives each` };
    },
  },
  {
    claim: `${DURATION} of ${YEAR.accounts} accounts on two nodes: every due e-mail arrives within three days, never twice, at night or after an unsubscribe; quotas are exact to the second; rows match the provider`,
    bar: '0 violations',
    measure: async () => {
      const year = await simulateAccounts({ seed, ...YEAR });
      for (const broken of year.violationMessages.slice(0, 20)) console.error(`  ${broken}`);
      const { violations, looks, mails, reminders, sessions, minutes, resets, quotaOuts, webhooks, crashes } = year;
      return {
        figure: `${violations} of ${looks} checks (seed ${seed}): ${mails} mails, ${reminders} of them reminders, ${sessions} sessions, ${minutes} min, ${resets} resets, ${quotaOuts} times out of minutes, ${webhooks} webhooks, ${crashes} crashes while sending, ${year.erased} erased`,
        holds: violations === 0 && mails > 0 && webhooks > 0,
      };
    },
  },
  {
    claim: 'Attackers with and without an account gain nothing, and an honest learner is unharmed (both databases)',
    bar: 'all tests',
    measure: async () => toOutcome(await runTests(['both-databases', '-t', 'attacks']), 'tests'),
  },
  {
    claim: 'Requesting a code takes equally long for addresses with and without an account (medians of 320)',
    bar: 'within noise + 25 %',
    measure: async () => toTimingOutcome(await measureSignInTiming('request')),
  },
  {
    claim: 'So does submitting a wrong code',
    bar: 'within noise + 25 %',
    measure: async () => toTimingOutcome(await measureSignInTiming('type')),
  },
];
