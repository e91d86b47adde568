/** The promises of accounts: who may do what and for how long, what is paid, and what is written to whom. */
import { z } from 'zod';
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { measureSignInTiming, type SignInTiming } from '../measure/sign-in-timing.ts';
import { simulateAccounts } from '../measure/simulate-accounts.ts';
import { type Outcome, type ProductPromise } from './promise.ts';

const LIVES = 50;
const Count = z.coerce.number().int().positive();
const { PARLEY_YEAR_ACCOUNTS, PARLEY_YEAR_DAYS } = process.env;
/** A few accounts and weeks take a minute, where the whole takes long. */
const YEAR = { accounts: Count.parse(PARLEY_YEAR_ACCOUNTS ?? 200), days: Count.parse(PARLEY_YEAR_DAYS ?? 365) };
const LENGTH = YEAR.days === 365 ? 'A year' : `${YEAR.days} days`;
/** Another year every day. */
const seed = Math.floor(Date.now() / 86_400_000);

const allOf = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>, of = 'tests'): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}`,
  holds: failed === 0 && passed > 0,
});

/** With a quarter of the usual time to spare, for a machine that does something else as well. */
function asLong({ knownMs, unknownMs, differenceMs, noiseMs }: SignInTiming): Outcome {
  const ms = (value: number): string => value.toFixed(2);
  return {
    figure: `${ms(knownMs)} and ${ms(unknownMs)} ms, difference ${ms(differenceMs)}, noise ${ms(noiseMs)}`,
    holds: differenceMs <= noiseMs + unknownMs / 4,
  };
}

export const promises: readonly ProductPromise[] = [
  {
    says: 'In Chromium a stranger signs in, is let in, runs out of minutes, pays, cancels, and stays until the last day',
    bar: 'all steps',
    keep: async () =>
      allOf(await runTests(['--config', 'desktop/e2e/vitest.config.ts', 'account-journey']), 'journeys'),
  },
  {
    says: 'A subscription ends as the provider says, whatever it lives through and in whatever order that is told (both databases)',
    bar: 'all lives',
    keep: async () => {
      process.env['PARLEY_SUBSCRIPTION_LIVES'] = String(LIVES);
      const counts = await runTests(['sync-server/src/billing', '-t', 'the life of a subscription']);
      const outcome = allOf(counts);
      return { ...outcome, figure: `${outcome.figure}, ${LIVES} lives each` };
    },
  },
  {
    says: `${LENGTH} of ${YEAR.accounts} accounts on two nodes: each e-mail that is due comes within three days, none twice, at night or after its stop; quotas exact to the second; rows as the provider says`,
    bar: '0 violations',
    keep: async () => {
      const year = await simulateAccounts({ seed, ...YEAR });
      for (const broken of year.broken.slice(0, 20)) console.error(`  ${broken}`);
      const { violations, looks, mails, reminders, sessions, minutes, resets, quotaOuts, webhooks, crashes } = year;
      return {
        figure: `${violations} of ${looks} checks (seed ${seed}): ${mails} mails, ${reminders} of them reminders, ${sessions} sessions, ${minutes} min, ${resets} resets, ${quotaOuts} times out of minutes, ${webhooks} webhooks, ${crashes} crashes in sending, ${year.erased} erased`,
        holds: violations === 0 && mails > 0 && webhooks > 0,
      };
    },
  },
  {
    says: 'Attackers with and without an account get nothing, and the honest learner beside them is unharmed (both databases)',
    bar: 'all tests',
    keep: async () => allOf(await runTests(['both-databases', '-t', 'attacks']), 'tests'),
  },
  {
    says: 'Asking for a code takes as long for an address with an account as for one without (medians of 320)',
    bar: 'within noise + 25 %',
    keep: async () => asLong(await measureSignInTiming('request')),
  },
  {
    says: 'So does typing a wrong code',
    bar: 'within noise + 25 %',
    keep: async () => asLong(await measureSignInTiming('type')),
  },
];
