import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../../sync-server/src/db/client.ts';
import { simulateYear } from './simulate-year.ts';

const ACCOUNTS = 12;
const DAYS = 60;
/** The seed of a year in which much goes wrong. */
const SEED = 5;

export function yearSuite(open: () => Promise<DatabaseConnection>): void {
  let database: DatabaseConnection;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it(
    'a dozen accounts break no rule of mail, minutes, plans and access until spring',
    { tags: ['slow'], timeout: 120_000 },
    async () => {
      const { violationMessages, ...lived } = await simulateYear({
        seed: SEED,
        accounts: ACCOUNTS,
        days: DAYS,
        database,
      });
      expect(violationMessages).toEqual([]);
      // A year without any activity would break no rule either.
      for (const what of ['mails', 'reminders', 'leases', 'quotaOuts', 'resets', 'webhooks', 'looks'] as const)
        expect(lived[what], what).toBeGreaterThan(0);
    },
  );
}
