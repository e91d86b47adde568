import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { simulateYear } from './simulate-year.ts';

const ACCOUNTS = 12;
const DAYS = 60;
/** Of a year in which much goes wrong. */
const SEED = 5;

export function yearSuite(open: () => Promise<DatabaseConnection>): void {
  let database: DatabaseConnection;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('of a dozen accounts, as far as the spring, breaks no rule of mail, minutes, plans and access', async () => {
    const { broken, ...lived } = await simulateYear({ seed: SEED, accounts: ACCOUNTS, days: DAYS, database });
    expect(broken).toEqual([]);
    // A year in which nothing happens would keep every rule.
    for (const what of ['mails', 'reminders', 'leases', 'quotaOuts', 'resets', 'webhooks', 'looks'] as const)
      expect(lived[what], what).toBeGreaterThan(0);
  }, 120_000);
}
