/** Whether the server's answer takes longer for an address that has an account: medians of many calls of each kind, taken in turns. */
import { randomUUID } from 'node:crypto';
import { buildApp, openDatabase } from '../../../sync-server/src/index.ts';

export interface SignInTiming {
  knownMs: number;
  unknownMs: number;
  differenceMs: number;
  /** Between two groups of unknown addresses, where there is nothing to tell. */
  noiseMs: number;
}

const UNKNOWN_REQUEST = 'A'.repeat(43);
const PEOPLE = 40;
const ROUNDS = 8;
/** After so long an address may be written to again. */
const PAUSE_MS = 4 * 3_600_000;

export async function measureSignInTiming(ask: 'request' | 'type'): Promise<SignInTiming> {
  const database = await openDatabase({ type: 'memory' });
  const codes = new Map<string, string>();
  let nowMs = Date.parse('2027-01-04T10:00:00Z');
  const app = await buildApp({
    database,
    now: () => new Date(nowMs),
    callsAMinute: 1_000_000,
    accountCallsAMinute: 1_000_000,
    enqueueMail: async (_tx, mail) => {
      if (mail.kind === 'sign_in' && mail.data.code !== null) codes.set(mail.to, mail.data.code);
    },
  });
  const post = async (path: string, payload: object, expected: number): Promise<number> => {
    const startMs = performance.now();
    const { statusCode } = await app.inject({ method: 'POST', url: `/v1/account/${path}`, payload });
    const tookMs = performance.now() - startMs;
    if (statusCode !== expected) throw new Error(`${path} answered ${statusCode}, not ${expected}`);
    return tookMs;
  };
  const request = async (email: string): Promise<{ requestId: string }> => {
    const answer = await app.inject({ method: 'POST', url: '/v1/account/request-sign-in', payload: { email } });
    return answer.json();
  };
  const device = () => ({ deviceId: randomUUID(), name: 'Laptop', platform: 'linux', timeZone: 'Europe/Berlin' });
  const anAddress = (): string => `${randomUUID()}@example.org`;
  const call = (email: string): Promise<number> =>
    ask === 'request'
      ? post('request-sign-in', { email }, 200)
      : post('sign-in', { ...device(), email, requestId: UNKNOWN_REQUEST, code: '000000' }, 401);

  const known = Array.from({ length: PEOPLE }, anAddress);
  for (const email of known) {
    const { requestId } = await request(email);
    await post('sign-in', { ...device(), email, requestId, code: codes.get(email) ?? '' }, 200);
  }
  const times = { known: [] as number[], unknown: [] as number[], again: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    nowMs += PAUSE_MS;
    for (const email of known) {
      times.known.push(await call(email));
      times.unknown.push(await call(anAddress()));
      times.again.push(await call(anAddress()));
    }
  }
  await app.close();
  await database.close();
  const [knownMs, unknownMs, againMs] = [medianOf(times.known), medianOf(times.unknown), medianOf(times.again)];
  return {
    knownMs,
    unknownMs,
    differenceMs: Math.abs(knownMs - unknownMs),
    noiseMs: Math.abs(unknownMs - againMs),
  };
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
