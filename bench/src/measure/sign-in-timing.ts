/** Measures whether response times reveal that an address has an account, as medians of many interleaved calls. */
import { randomUUID } from 'node:crypto';
import { buildApp, openDatabase } from '../../../sync-server/src/index.ts';
import { median } from './quantile.ts';

export interface SignInTiming {
  knownMs: number;
  unknownMs: number;
  differenceMs: number;
  /** The difference between two groups of unknown addresses, which must be noise. */
  noiseMs: number;
}

const UNKNOWN_REQUEST = 'A'.repeat(43);
const ACCOUNTS = 40;
const ROUNDS = 8;
/** The interval after which another e-mail to an address is allowed. */
const REQUEST_INTERVAL_MS = 4 * 3_600_000;

export async function measureSignInTiming(step: 'request' | 'type'): Promise<SignInTiming> {
  const database = await openDatabase({ type: 'memory' });
  const codes = new Map<string, string>();
  let nowMs = Date.parse('2027-01-04T10:00:00Z');
  const app = await buildApp({
    database,
    now: () => new Date(nowMs),
    requestsPerMinute: 1_000_000,
    strictRequestsPerMinute: 1_000_000,
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
  const newAddress = (): string => `${randomUUID()}@example.org`;
  const timeCall = (email: string): Promise<number> =>
    step === 'request'
      ? post('request-sign-in', { email }, 200)
      : post('sign-in', { ...device(), email, requestId: UNKNOWN_REQUEST, code: '000000' }, 401);

  const known = Array.from({ length: ACCOUNTS }, newAddress);
  for (const email of known) {
    const { requestId } = await request(email);
    await post('sign-in', { ...device(), email, requestId, code: codes.get(email) ?? '' }, 200);
  }
  const times = { known: [] as number[], unknown: [] as number[], control: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    nowMs += REQUEST_INTERVAL_MS;
    for (const email of known) {
      times.known.push(await timeCall(email));
      times.unknown.push(await timeCall(newAddress()));
      times.control.push(await timeCall(newAddress()));
    }
  }
  await app.close();
  await database.close();
  const [knownMs, unknownMs, controlMs] = [median(times.known), median(times.unknown), median(times.control)];
  return {
    knownMs,
    unknownMs,
    differenceMs: Math.abs(knownMs - unknownMs),
    noiseMs: Math.abs(unknownMs - controlMs),
  };
}
