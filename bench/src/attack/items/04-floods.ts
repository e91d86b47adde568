/** Made-up names and addresses gave each call a limit of its own, and one page cost much to answer. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Attack, AttackOutcome } from '../attack.ts';
import { call, callManyTimes, countStatus } from '../call.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const MADE_UP = 1_600;
const ADDRESS_LIMIT = 1_200;
const GUESSES = 600;
const GUESS_LIMIT = 20;
const HEALTH_CHECKS = 1_300;
const PAGES = 300;
/** A server that has just started has yet to compile itself. */
const WARM_UP_PAGES = 300;
const MAX_PAGE_CPU_MS = 1;

/** The attack calls from addresses of its choice, as through a balancer. */
const BEHIND_BALANCER = { TRUST_PROXY: '127.0.0.1' };
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

const madeUpDevices = async (target: Target): Promise<AttackOutcome> => {
  const answers = await callManyTimes(MADE_UP, () => {
    const authorization = `Bearer ${randomUUID()}.${randomBytes(32).toString('base64url')}`;
    return call(target, { path: '/v1/devices', headers: { ...from('203.0.113.9'), authorization } });
  });
  const limited = countStatus(answers, 429);
  const health = await callManyTimes(HEALTH_CHECKS, () =>
    call(target, { path: '/healthz', headers: from('203.0.113.9') }),
  );
  const healthLimited = HEALTH_CHECKS - countStatus(health, 200);
  return {
    after: `${limited} of ${MADE_UP} limited, ${healthLimited} of ${HEALTH_CHECKS} health checks`,
    holds: limited >= MADE_UP - ADDRESS_LIMIT && healthLimited === 0,
  };
};

const guesses = async (target: Target): Promise<AttackOutcome> => {
  const startedMs = performance.now();
  const answers = await callManyTimes(GUESSES, (n) =>
    call(target, {
      path: '/v1/account/sign-in',
      headers: from(`2001:db8:0:1:${n.toString(16)}::1`),
      body: {
        deviceId: randomUUID(),
        name: 'Attack',
        platform: 'other',
        timeZone: 'UTC',
        email: 'owner@parley.example',
        code: String(n).padStart(6, '0'),
        requestId: 'A'.repeat(43),
      },
    }),
  );
  const minutes = Math.max(1, Math.ceil((performance.now() - startedMs) / 60_000));
  const [taken, limited] = [countStatus(answers, 401), countStatus(answers, 429)];
  return {
    after: `${taken} taken, ${limited} refused`,
    holds: taken > 0 && taken <= GUESS_LIMIT * minutes && taken + limited === GUESSES,
  };
};

const description = async (target: Target): Promise<AttackOutcome> => {
  const headers = { ...from('198.51.100.4'), 'accept-encoding': 'gzip' };
  const [first] = await callManyTimes(WARM_UP_PAGES, () => call(target, { path: '/openapi.json', headers }));
  const before = await target.cpuSeconds();
  const answers = await callManyTimes(PAGES, () => call(target, { path: '/openapi.json', headers }));
  const cpuMs = (((await target.cpuSeconds()) - before) * 1_000) / PAGES;
  const again = await call(target, {
    path: '/openapi.json',
    headers: { ...headers, 'if-none-match': String(first?.headers.etag) },
  });
  return {
    after: `${cpuMs.toFixed(2)} ms of CPU, ${again.status} to its ETag`,
    holds: countStatus(answers, 200) === PAGES && cpuMs <= MAX_PAGE_CPU_MS && again.status === 304,
  };
};

export const floods: readonly Attack[] = [
  {
    name: `${MADE_UP} calls of one address with made-up devices and tokens`,
    before: '0 limited',
    target: `>= ${MADE_UP - ADDRESS_LIMIT} limited (all above ${ADDRESS_LIMIT} a minute), health checks never`,
    on: SERVER_KINDS,
    environment: BEHIND_BALANCER,
    run: madeUpDevices,
  },
  {
    name: `${GUESSES} guesses of a sign-in code from addresses of one /64`,
    before: `${GUESSES} taken`,
    target: `<= ${GUESS_LIMIT} a minute`,
    on: SERVER_KINDS,
    environment: BEHIND_BALANCER,
    run: guesses,
  },
  {
    name: 'The description of the API (/openapi.json), asked for again and again',
    before: '10 ms of CPU a call',
    target: `<= ${MAX_PAGE_CPU_MS} ms, 304 to its ETag`,
    on: SERVER_KINDS,
    environment: BEHIND_BALANCER,
    run: description,
  },
];
