/** An attacker uses a stolen token or an open browser of an admin whose confirmation is old. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { registerAccount } from '../anonymous-account.ts';
import type { Attack } from '../attack.ts';
import { type Admin, signInAdmin } from '../admin-sign-in.ts';
import { sendRequest, type HttpRequest } from '../http-request.ts';

const EMAIL = 'admin@parley.example';

export const staleConfirmations: Attack = {
  name: 'Admin access 13 hours after a confirmation; deletion, export and a new admin 11 minutes after one',
  before: 'allowed',
  target: '0 allowed',
  // The clock of a real process cannot be moved, but the times in its PostgreSQL database can.
  on: ['PostgreSQL'],
  environment: { ADMIN_EMAILS: EMAIL },
  run: async (target) => {
    const admin = await signInAdmin(target, EMAIL);
    const subject = await registerAccount(target);
    const client = new Client({ connectionString: target.databaseUrl ?? '' });
    await client.connect();
    const setConfirmedAgo = async (interval: string): Promise<void> => {
      await client.query('update devices set confirmed_at = now() - $1::interval', [interval]);
      await client.query(
        'update web_sessions set confirmed_at = now() - $1::interval, created_at = now() - $1::interval',
        [interval],
      );
    };
    const countAllowed = async (calls: readonly HttpRequest[]): Promise<number> => {
      const answers = [];
      for (const each of calls) answers.push(await sendRequest(target, each));
      return answers.filter(({ status }) => status === 200).length;
    };
    try {
      const [ordinary, sensitive] = [ordinaryCalls(admin), sensitiveCalls(admin, subject.userId)];
      await setConfirmedAgo('13 hours');
      const expired = await countAllowed(ordinary);
      await setConfirmedAgo('11 minutes');
      const stale = await countAllowed(sensitive);
      // All of these calls are allowed after a fresh code, which shows that only the age of the confirmation matters.
      await setConfirmedAgo('0 minutes');
      const allowedWhenFresh = (await countAllowed(ordinary)) + (await countAllowed(sensitive));
      const all = ordinary.length + sensitive.length;
      if (allowedWhenFresh !== all) throw new Error(`${allowedWhenFresh} of ${all} were allowed after a fresh code`);
      return { after: `${expired + stale} of ${all} allowed`, holds: expired + stale === 0 };
    } finally {
      await client.end();
    }
  },
};

const ordinaryCalls = ({ device, browser }: Admin): HttpRequest[] =>
  [device, browser].map((headers) => ({ path: '/v1/admin/users', headers, body: { page: 0 } }));

/** Deletion comes last, because it schedules the account for deletion. */
const sensitiveCalls = ({ device, browser }: Admin, userId: string): HttpRequest[] => [
  ...[device, browser].map((headers) => ({
    path: '/v1/admin/set-admin',
    headers,
    body: { userId, isAdmin: true, reason: randomUUID() },
  })),
  { path: '/v1/account/export', headers: device },
  { path: '/account/export.json', headers: browser },
  { path: '/v1/account/request-deletion', headers: device, body: {} },
];
