/** A stolen token or an open browser of an admin: their code was typed long ago. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { openAccount } from '../account.ts';
import type { Attack } from '../attack.ts';
import { type Admin, signInAdmin } from '../admin.ts';
import { call, type Call } from '../call.ts';

const EMAIL = 'admin@parley.example';

export const oldConfirmations: Attack = {
  name: 'An admin’s device and browser 13 hours after a code; deletion, export and a new admin 11 minutes after one',
  before: 'allowed',
  target: '0 allowed',
  // The clock of a real process cannot be moved; on PostgreSQL the times in its database can.
  on: ['PostgreSQL'],
  environment: { ADMIN_EMAILS: EMAIL },
  run: async (target) => {
    const admin = await signInAdmin(target, EMAIL);
    const subject = await openAccount(target);
    const client = new Client({ connectionString: target.databaseUrl ?? '' });
    await client.connect();
    const provedAgo = async (interval: string): Promise<void> => {
      await client.query('update devices set confirmed_at = now() - $1::interval', [interval]);
      await client.query(
        'update web_sessions set confirmed_at = now() - $1::interval, created_at = now() - $1::interval',
        [interval],
      );
    };
    const allowed = async (calls: readonly Call[]): Promise<number> => {
      const answers = [];
      for (const each of calls) answers.push(await call(target, each));
      return answers.filter(({ status }) => status === 200).length;
    };
    try {
      const [ordinary, sensitive] = [ordinaryCalls(admin), sensitiveCalls(admin, subject.userId)];
      await provedAgo('13 hours');
      const old = await allowed(ordinary);
      await provedAgo('11 minutes');
      const stale = await allowed(sensitive);
      // What refuses is the time: all of this is allowed after a code.
      await provedAgo('0 minutes');
      const fresh = (await allowed(ordinary)) + (await allowed(sensitive));
      const all = ordinary.length + sensitive.length;
      if (fresh !== all) throw new Error(`${fresh} of ${all} were allowed after a fresh code`);
      return { after: `${old + stale} of ${all} allowed`, holds: old + stale === 0 };
    } finally {
      await client.end();
    }
  },
};

const ordinaryCalls = ({ device, browser }: Admin): Call[] =>
  [device, browser].map((headers) => ({ path: '/v1/admin/users', headers, body: { page: 0 } }));

/** Deletion last: after it the account would be leaving. */
const sensitiveCalls = ({ device, browser }: Admin, userId: string): Call[] => [
  ...[device, browser].map((headers) => ({
    path: '/v1/admin/set-admin',
    headers,
    body: { userId, isAdmin: true, reason: randomUUID() },
  })),
  { path: '/v1/account/export', headers: device },
  { path: '/account/export.json', headers: browser },
  { path: '/v1/account/request-deletion', headers: device, body: {} },
];
