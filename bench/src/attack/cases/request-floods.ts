/** Invented device names and addresses gave each call its own rate limit, and one page was expensive to render. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Attack, AttackOutcome } from '../attack.ts';
import { sendRequest, sendManyRequests, countStatus } from '../http-request.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const UNKNOWN_DEVICE_REQUESTS = 1_600;
const ADDRESS_LIMIT = 1_200;
const GUESSES = 600;
const GUESS_LIMIT = 20;
const HEALTH_CHECKS = 1_300;
const PAGES = 300;
/** The JIT compiler of a server that has just started is still cold. */
const WARM_UP_PAGES = 300;
const MAX_PAGE_CPU_MS = 1;

/** The server trusts this proxy, so the attack can choose its client addresses. */
const BEHIND_BALANCER = { TRUST_PROXY: '127.0.0.1' };
const fromAddress = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

const floodWithUnknownDevices = async (target: Target): Promise<AttackOutcome> => {
  const answers = await sendManyRequests(UNKNOWN_DEVICE_REQUESTS, () => {
    const authorization = `Bearer ${randomUUID()}.${randomBytes(32).toString('base64url')}`;
    return sendRequest(target, { path: '/v1/devices', headers: { ...fromAddress('203.0.113.9'), authorization } });
  });
  const limited = countStatus(answers, 429);
  const health = await sendManyRequests(HEALTH_CHECKS, () =>
    sendRequest(target, { path: '/healthz', headers: fromAddress('203.0.113.9') }),
  );
  const healthLimited = HEALTH_CHECKS - countStatus(health, 200);
  return {
    after: `${limited} of ${UNKNOWN_DEVICE_REQUESTS} limited, ${healthLimited} of ${HEALTH_CHECKS} health checks`,
    holds: limited >= UNKNOWN_DEVICE_REQUESTS - ADDRESS_LIMIT && healthLimited === 0,
  };
};

const guessSignInCodes = async (target: Target): Promise<AttackOutcome> => {
  const startedMs = performance.now();
  const answers = await sendManyRequests(GUESSES, (n) =>
    sendRequest(target, {
      path: '/v1/account/sign-in',
      headers: fromAddress(`2001:db8:0:1:${n.toString(16)}::1`),
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
  const [accepted, limited] = [countStatus(answers, 401), countStatus(answers, 429)];
  return {
    after: `${accepted} taken, ${limited} refused`,
    holds: accepted > 0 && accepted <= GUESS_LIMIT * minutes && accepted + limited === GUESSES,
  };
};

const floodApiDescription = async (target: Target): Promise<AttackOutcome> => {
  const headers = { ...fromAddress('198.51.100.4'), 'accept-encoding': 'gzip' };
  const [first] = await sendManyRequests(WARM_UP_PAGES, () => sendRequest(target, { path: '/openapi.json', headers }));
  const before = await target.cpuSeconds();
  const answers = await sendManyRequests(PAGES, () => sendRequest(target, { path: '/openapi.json', headers }));
  const cpuMs = (((await target.cpuSeconds()) - before) * 1_000) / PAGES;
  const again = await sendRequest(target, {
    path: '/openapi.json',
    headers: { ...headers, 'if-none-match': String(first?.headers.etag) },
  });
  return {
    after: `${cpuMs.toFixed(2)} ms of CPU, ${again.status} to its ETag`,
    holds: countStatus(answers, 200) === PAGES && cpuMs <= MAX_PAGE_CPU_MS && again.status === 304,
  };
};

export const requestFloods: readonly Attack[] = [
  {
    name: `${UNKNOWN_DEVICE_REQUESTS} requests from one address with invented devices and tokens`,
    before: '0 limited',
    target: `>= ${UNKNOWN_DEVICE_REQUESTS - ADDRESS_LIMIT} limited (all above ${ADDRESS_LIMIT} a minute), health checks never`,
    on: SERVER_KINDS,
    environment: BEHIND_BALANCER,
    run: floodWithUnknownDevices,
  },
  {
    name: `${GUESSES} guesses of a sign-in code from addresses of one /64`,
    before: `${GUESSES} taken`,
    target: `<= ${GUESS_LIMIT} a minute`,
    on: SERVER_KINDS,
    environment: BEHIND_BALANCER,
    run: guessSignInCodes,
  },
  {
    name: 'The API description (/openapi.json) is requested again and again',
    before: '10 ms of CPU a call',
    target: `<= ${MAX_PAGE_CPU_MS} ms, 304 to its ETag`,
    on: SERVER_KINDS,
    environment: BEHIND_BALANCER,
    run: floodApiDescription,
  },
];
