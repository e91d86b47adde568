/** Concurrent calls each passed the budget check, because none of them saw what the others were about to spend. */
import { Client } from 'pg';
import { registerAccount } from '../anonymous-account.ts';
import type { Attack } from '../attack.ts';
import { sendRequest, countStatus } from '../http-request.ts';
import { startRemoteFakeOpenAi } from '../fake-openai.ts';

const CALLS = 40;
/** The server runs at most 16 of these per device at a time. */
const DEVICES = 4;
const LIMIT_USD = 0.5;
const MAX_OVERSPEND = 1;
const TEXT = 'A line that goes on and on. '.repeat(140);

export const concurrentSpending: Attack = {
  name: `${CALLS} concurrent AI calls from ${DEVICES} devices, with a budget of ${LIMIT_USD} dollars a day`,
  before: '4.4 times the budget',
  target: `<= ${MAX_OVERSPEND.toFixed(1)} times`,
  // The usage is read from the database, and only the server itself can open PGlite.
  on: ['PostgreSQL'],
  environment: { AI_DAILY_LIMIT_USD: String(LIMIT_USD) },
  startServices: startRemoteFakeOpenAi,
  run: async (target) => {
    const accounts = await Promise.all(Array.from({ length: DEVICES }, () => registerAccount(target)));
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, n) =>
        sendRequest(target, {
          path: '/v1/speech/speak',
          headers: { authorization: accounts[n % DEVICES]?.authorization ?? '' },
          body: { text: TEXT, voice: { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 } },
        }),
      ),
    );
    const [served, refused] = [countStatus(answers, 200), countStatus(answers, 503)];
    const times = (await readSpentUsd(target.databaseUrl)) / LIMIT_USD;
    return {
      after: `${times.toFixed(2)} times (${served} served, ${refused} refused)`,
      holds: times > 0 && times <= MAX_OVERSPEND && served > 0 && served + refused === CALLS,
    };
  },
};

async function readSpentUsd(databaseUrl: string | null): Promise<number> {
  const client = new Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  try {
    const sum = await client.query<{ micros: string }>('select coalesce(sum(cost_micros), 0) as micros from ai_usage');
    return Number(sum.rows[0]?.micros) / 1_000_000;
  } finally {
    await client.end();
  }
}
