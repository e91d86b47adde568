/** Calls at once were each checked against what the others had not yet spent. */
import { Client } from 'pg';
import { openAccount } from '../account.ts';
import type { Attack } from '../attack.ts';
import { call, countStatus } from '../call.ts';
import { startPaidOpenAi } from '../open-ai.ts';

const CALLS = 40;
/** Of each no more than 16 are taken at a time. */
const DEVICES = 4;
const LIMIT_USD = 0.5;
const MAX_TIMES = 1;
const TEXT = 'A line that goes on and on. '.repeat(140);

export const parallelCalls: Attack = {
  name: `${CALLS} calls to AI at once, of ${DEVICES} devices, on a budget of ${LIMIT_USD} dollars a day`,
  before: '4.4 times the budget',
  target: `<= ${MAX_TIMES.toFixed(1)} times`,
  // What was spent is read from the database, which cannot be read beside a server on PGlite.
  on: ['PostgreSQL'],
  environment: { AI_DAILY_LIMIT_USD: String(LIMIT_USD) },
  startServices: startPaidOpenAi,
  run: async (target) => {
    const accounts = await Promise.all(Array.from({ length: DEVICES }, () => openAccount(target)));
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, n) =>
        call(target, {
          path: '/v1/speech/speak',
          headers: { authorization: accounts[n % DEVICES]?.authorization ?? '' },
          body: { text: TEXT, voice: { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 } },
        }),
      ),
    );
    const [served, refused] = [countStatus(answers, 200), countStatus(answers, 503)];
    const times = (await spentUsd(target.databaseUrl)) / LIMIT_USD;
    return {
      after: `${times.toFixed(2)} times (${served} served, ${refused} refused)`,
      holds: times > 0 && times <= MAX_TIMES && served > 0 && served + refused === CALLS,
    };
  },
};

async function spentUsd(databaseUrl: string | null): Promise<number> {
  const client = new Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  try {
    const sum = await client.query<{ micros: string }>('select coalesce(sum(cost_micros), 0) as micros from ai_usage');
    return Number(sum.rows[0]?.micros) / 1_000_000;
  } finally {
    await client.end();
  }
}
