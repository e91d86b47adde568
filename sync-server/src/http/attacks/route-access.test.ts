/**
 * Tries every route with every kind of caller. A route without a rule fails the test, so that its permitted callers
 * have to be decided here.
 */
import { randomUUID } from 'node:crypto';
import { PCM_MEDIA_TYPE, RECORDING_MEDIA_TYPE } from '@parley/contract';
import type { FastifyPluginCallback } from 'fastify';
import { eq } from 'drizzle-orm';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../compose/config/read-config.ts';
import { connectAiServices } from '../../compose/connect-ai-services.ts';
import { devices, tables, webSessions } from '../../db/tables.ts';
import { Secret, TOTP } from 'otpauth';
import { openBrowser } from '../../../test-kit/browser.ts';
import { anEmail, createMailbox, signInDevice } from '../../../test-kit/mailbox.ts';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { sampleInputs } from '../../../test-kit/sample-input.ts';
import { registerDevice, startServer, type TestServer } from '../../../test-kit/server.ts';
import { listProcedures } from '../openapi/list-procedures.ts';

const NO_SERVICES = { coach: null, transcriber: null, assessor: null, voice: null };
/** The headers that a browser sends from our own page. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const SETTINGS = {
  name: 'Parley',
  contactEmail: null,
  colour: null,
  timeZone: 'UTC',
  auditMonths: null,
  mailMonths: null,
};

interface Caller {
  /** How a caller is authenticated; `nothing` means not at all. */
  by: 'nothing' | 'device' | 'browser';
  access: 'none' | 'given' | 'ended';
  isAdmin: boolean;
  /** Whether the last proof of the address is too old for an admin. */
  isProofOld: boolean;
  /** Whether a code of the authenticator app, which this school requires, was entered. */
  hasSecondFactor: boolean;
}
const a = (caller: Partial<Caller>): Caller => ({
  by: 'nothing',
  access: 'none',
  isAdmin: false,
  isProofOld: false,
  hasSecondFactor: false,
  ...caller,
});
const CALLERS = {
  'a stranger': a({}),
  'an invalid token': a({}),
  'a forged cookie': a({}),
  'a device that was signed out': a({}),
  'a browser that was signed out': a({}),
  'an anonymous device': a({ by: 'device' }),
  'a learner': a({ by: 'device', access: 'given' }),
  'a learner in a browser': a({ by: 'browser', access: 'given' }),
  'a learner whose access has ended': a({ by: 'device', access: 'ended' }),
  'a learner whose access has ended, in a browser': a({ by: 'browser', access: 'ended' }),
  'a removed admin': a({ by: 'device', access: 'given' }),
  'a removed admin in a browser': a({ by: 'browser', access: 'given' }),
  'an admin on a device, which cannot enter a second factor': a({ by: 'device', access: 'given', isAdmin: true }),
  'an admin without the second factor': a({ by: 'browser', access: 'given', isAdmin: true }),
  'an admin with an old proof': a({
    by: 'browser',
    access: 'given',
    isAdmin: true,
    isProofOld: true,
    hasSecondFactor: true,
  }),
  'an admin': a({ by: 'browser', access: 'given', isAdmin: true, hasSecondFactor: true }),
};
type CallerName = keyof typeof CALLERS;

/**
 * The expected response: a code of `auth` or `access`, the sign-in page, or that the route itself examines the request.
 */
type Rule = (caller: Caller) => string;
const anyone: Rule = () => 'admitted';
const aKey: Rule = () => 'auth.required';
const aDevice: Rule = ({ by }) => (by === 'device' ? 'admitted' : 'auth.required');
const withAccess: Rule = (caller) => {
  if (caller.by !== 'device' || caller.access === 'given') return aDevice(caller);
  return caller.access === 'none' ? 'access.required' : 'access.taken';
};
const inRoleOfAdmin: Rule = ({ by, isAdmin }) =>
  by === 'nothing' ? 'auth.required' : isAdmin ? 'admitted' : 'auth.forbidden';
const recentlyProved: Rule = (caller) =>
  caller.isAdmin && caller.isProofOld ? 'auth.confirmation_required' : inRoleOfAdmin(caller);
/** A device has no session to which an authenticator code could apply. */
const inBrowser: Rule = (caller) => (caller.by === 'device' ? 'auth.forbidden' : recentlyProved(caller));
const anAdmin: Rule = (caller) => {
  const before = recentlyProved(caller);
  return before === 'admitted' && !caller.hasSecondFactor ? 'auth.second_factor_required' : before;
};
/** A learner is not told that an unpublished file exists. */
const aFile: Rule = (caller) => (caller.by === 'nothing' || caller.isAdmin ? anAdmin(caller) : 'admitted');
const aSession: Rule = ({ by }) => (by === 'browser' ? 'admitted' : 'sign in');
/** The request has no form token. */
const aForm: Rule = ({ by }) => (by === 'browser' ? 'forbidden' : 'sign in');

/** The first matching rule applies. */
const RULES: readonly [route: RegExp, rule: Rule][] = [
  [/ \/v1\/admin\/(request-proof|prove)$/, inRoleOfAdmin],
  [/ \/v1\/admin\/second-factor\/set-up$/, recentlyProved],
  [/ \/v1\/admin\/second-factor\/(confirm|enter)$/, inBrowser],
  // For an unknown address below the admin routes, the role is checked first.
  [/ \/v1\/admin\/\*$/, inRoleOfAdmin],
  [/ \/v1\/admin\//, anAdmin],
  [/^(GET|HEAD) \/media\/:id(\/cover)?$/, aFile],
  [/^(GET|HEAD) \/v1\/server$/, anyone],
  [/ \/v1\/devices\/(register|join|report-wiped)$/, anyone],
  [/ \/v1\/account\/(request-sign-in|sign-in|sign-in-by-link|whose-link)$/, anyone],
  [/ \/v1\/web\/(request-sign-in|sign-in|sign-out)$/, anyone],
  [/ \/v1\/coach\/(lease|reply|warm-up|hint|review|translate|realtime)$/, withAccess],
  [/ \/v1\/recordings\/(keep|announce|send)$/, withAccess],
  [/ \/v1\/speech\/(speak|transcribe|assess)$/, withAccess],
  [/ \/v1\/billing\/(start-trial|checkout)$/, withAccess],
  [/ \/v1\/billing\/(plans|invoices|portal)$/, aDevice],
  [/ \/v1\/coach(\/(local|release|forget|\*))?$/, aDevice],
  [/ \/v1\/(devices|account|sync|recordings)(\/|$)/, aDevice],
  [/ \/v1\/practice-reports$/, (caller) => (caller.access === 'none' ? withAccess(caller) : aDevice(caller))],
  [/ \/v1\/crashes$/, aDevice],
  [/^POST \/v1\/mail\/bounces$/, aKey],
  // The signature is checked together with the event.
  [/^POST \/v1\/billing\/webhook$/, anyone],
  [/^POST \/(account|plans)\//, aForm],
  [/^GET \/account\/export\.(json|zip)$/, (caller) => (caller.isProofOld ? 'forbidden' : aSession(caller))],
  [/^(GET|HEAD) \/account$/, aSession],
  [/^POST \/(sign-in|sign-in\/request)$/, () => 'forbidden'],
  [/^POST \/request-access$/, () => 'auth.forbidden'],
  [/^POST \/(unsubscribe|dismiss-plan-reminders)$/, anyone],
  [/^(GET|HEAD) \/(livez|readyz|healthz|openapi\.json)$/, anyone],
  // The site, and the panel's program, which has no data but that of the procedures above.
  [/^(GET|HEAD) \/(\*|billing\/(done|back)|sign-in|unsubscribe|dismiss-plan-reminders)?$/, anyone],
  [/^(GET|HEAD) \/(plans|pricing|privacy|terms|downloads|request-access|preview\/:token)$/, anyone],
  [/^(GET|HEAD) \/(robots\.txt|sitemap\.xml|\.well-known\/security\.txt)$/, anyone],
  [/^(GET|HEAD) \/(blog|tags|site|admin)(\/|$)/, anyone],
];
/** Routes that change the caller are tried last, and those that end its session at the very end. */
const CHANGES_CALLER: readonly RegExp[] = [
  /second-factor\/(remove|set-up)|save-settings|-deletion/,
  / \/account\/sign-out/,
  / \/v1\/.*\/sign-out/,
];

const routes = new Set<string>();
/** Runs before the server adds its routes. */
const collectRoutes: FastifyPluginCallback = (app, _options, done) => {
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat();
    // A route for all methods serves those that the contract declares.
    for (const each of methods.length > 2 ? ['GET', 'POST'] : methods) routes.add(`${each} ${url}`);
  });
  done();
};
Object.assign(collectRoutes, { [Symbol.for('skip-override')]: true });

let server: TestServer;
let inputs: ReturnType<typeof sampleInputs>;
const headersOf = new Map<CallerName, Record<string, string>>();

async function setUp(): Promise<void> {
  const adminEmail = anEmail();
  const mailbox = createMailbox();
  const { realtime } = await connectAiServices(readConfig({ OPENAI_API_KEY: 'sk-test' }));
  server = await startServer(await openMemoryDatabase(), {
    tracing: collectRoutes,
    accountLimits: { requests: 10_000, changes: 10_000 },
    ai: { services: NO_SERVICES, realtime, dailyLimitUsd: null, isMetered: false },
    mail: {
      transport: { name: 'test', send: async () => ({ outcome: 'accepted' }) },
      origin: 'https://parley.example',
      secret: 'x',
      bounceKey: 'x',
    },
    enqueueMail: mailbox.enqueue,
    account: { access: 'granted', adminEmails: [adminEmail], hasSecureCookies: true },
  });
  for (const { method, path } of listProcedures()) {
    routes.add(`${method} ${path}`);
    // Fastify adds this route, which the contract does not contain.
    routes.delete(`HEAD ${path}`);
  }

  const { db } = server.database;
  const asDevice = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
  const asBrowser = (cookie: string) => ({ cookie, ...OWN_PAGE });
  const openSession = async (email: string) => {
    // The number of messages to one address is limited.
    server.advanceClock(6 * 60_000);
    await server.post('/v1/account/request-sign-in', { email });
    const browser = openBrowser(server);
    await browser.submit(await browser.get(`/sign-in?link=${mailbox.link(email)}`), '/sign-in');
    const cookie = [...browser.cookieJar].map(([name, value]) => `${name}=${value}`).join('; ');
    return { browser, headers: asBrowser(cookie) };
  };
  /** A learner on a device and in a browser, with the given account row. */
  const aLearner = async (email: string, row: Partial<typeof tables.users.$inferInsert>) => {
    const device = await signInDevice(server, mailbox, { email });
    const { headers } = await openSession(email);
    await db.update(tables.users).set(row).where(eq(tables.users.email, email));
    return { device, headers };
  };
  const at = server.now();
  headersOf.set('a stranger', {});
  headersOf.set('an invalid token', { authorization: `Bearer ${randomUUID()}.${'A'.repeat(43)}` });
  headersOf.set('a forged cookie', asBrowser(`__Host-parley=${randomUUID()}.${'A'.repeat(43)}`));
  headersOf.set('an anonymous device', asDevice(await registerDevice(server)));

  const gone = anEmail();
  const signedOut = await aLearner(gone, { hasAccess: true, accessDate: at });
  headersOf.set('a device that was signed out', asDevice(signedOut.device));
  headersOf.set('a browser that was signed out', signedOut.headers);
  expect((await server.post('/v1/account/sign-out', {}, signedOut.device.token)).status).toBe(200);
  const leave = { method: 'POST', url: '/v1/web/sign-out', headers: signedOut.headers, payload: {} } as const;
  expect((await server.send(leave)).status).toBe(200);

  const given = { hasAccess: true, accessDate: at };
  const learner = await aLearner(anEmail(), given);
  headersOf.set('a learner', asDevice(learner.device));
  headersOf.set('a learner in a browser', learner.headers);
  const former = await aLearner(anEmail(), { hasAccess: false, accessDate: at });
  headersOf.set('a learner whose access has ended', asDevice(former.device));
  headersOf.set('a learner whose access has ended, in a browser', former.headers);
  const removed = await aLearner(anEmail(), { ...given, isAdmin: true });
  headersOf.set('a removed admin', asDevice(removed.device));
  headersOf.set('a removed admin in a browser', removed.headers);
  await db
    .update(tables.users)
    .set({ isAdmin: false })
    .where(eq(tables.users.userId, removed.device.userId as never));

  const admin = await aLearner(adminEmail, given);
  headersOf.set('an admin on a device, which cannot enter a second factor', asDevice(admin.device));

  const ask = async (headers: Record<string, string>, call: string, payload: object) =>
    server.send({ method: 'POST', url: `/v1/admin/${call}`, headers, payload });
  const signInAdmin = async () => {
    const { headers, browser } = await openSession(adminEmail);
    const [id = ''] = browser.cookieJar.get('__Host-parley')?.split('.') ?? [];
    const change = (row: Partial<typeof webSessions.$inferInsert>) =>
      db.update(webSessions).set(row).where(eq(webSessions.id, id));
    return { headers, change };
  };
  const whole = await signInAdmin();
  const secret = String((await ask(whole.headers, 'second-factor/set-up', {})).body['secret']);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.now().getTime() });
  expect((await ask(whole.headers, 'second-factor/confirm', { code })).status).toBe(200);
  expect((await ask(whole.headers, 'save-settings', { ...SETTINGS, requiresSecondFactor: true })).status).toBe(200);
  const stale = await signInAdmin();
  headersOf.set('an admin without the second factor', (await signInAdmin()).headers);
  const confirmedAt = server.now();
  await db.update(devices).set({ confirmedAt });
  await db.update(webSessions).set({ confirmedAt });
  await stale.change({ confirmedAt: new Date(at.getTime() - 13 * 3_600_000), secondFactorAt: server.now() });
  headersOf.set('an admin', whole.headers);
  headersOf.set('an admin with an old proof', stale.headers);
}
beforeAll(setUp);
// The first attempt may have ended the caller's session or changed the settings.
beforeEach(async ({ task }) => {
  if ((task.result?.retryCount ?? 0) === 0) return;
  await server.close();
  await setUp();
});
afterAll(() => server.close());

it('covers each route by a rule', () => {
  expect(routes.size).toBeGreaterThan(150);
  expect([...routes].filter((route) => !RULES.some(([pattern]) => pattern.test(route)))).toEqual([]);
});

it('has no rule for routes that do not exist', () => {
  const matching = new Set([...routes].map((route) => RULES.find(([pattern]) => pattern.test(route))));
  expect(RULES.filter((rule) => !matching.has(rule))).toEqual([]);
});

describe('access', () => {
  it.each(Object.keys(CALLERS) as CallerName[])('of %s', async (name) => {
    const wrong: string[] = [];
    inputs = sampleInputs({ now: server.now() });
    for (const route of inOrder()) {
      const rule = RULES.find(([pattern]) => pattern.test(route))?.[1];
      // Routes that are open to strangers need not be tried by other callers.
      if (rule === undefined || (rule === anyone && CALLERS[name].by !== 'nothing')) continue;
      const wanted = rule(CALLERS[name]);
      // The answer to HEAD has no body to name the reason.
      const expected = route.startsWith('HEAD') && /^(auth\.(?!required)|access)/.test(wanted) ? 'forbidden' : wanted;
      const outcome = await outcomeOf(route, headersOf.get(name) ?? {});
      if (outcome !== expected) wrong.push(`${route}: ${outcome} instead of ${expected}`);
    }
    expect(wrong).toEqual([]);
  });
});

const inOrder = (): string[] => {
  const place = (route: string): number => CHANGES_CALLER.findIndex((pattern) => pattern.test(route));
  return [...routes].toSorted((a, b) => place(a) - place(b));
};

async function outcomeOf(route: string, headers: Record<string, string>): Promise<string> {
  const [method = '', path = ''] = route.split(' ');
  const url = path.replaceAll(/:id/g, randomUUID()).replaceAll(/:\w+|\*/g, 'nothing');
  const response = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { host: 'parley.example', ...OWN_PAGE, ...headers, ...headersFor(path) },
    ...(method === 'GET' || method === 'HEAD' ? {} : { payload: bodyOf(route, path) }),
    // A stream of pokes never ends.
    payloadAsStream: true,
  });
  const body = response.stream();
  const type = String(response.headers['content-type']);
  if (type.startsWith('text/event-stream')) {
    body.destroy();
    return 'admitted';
  }
  const answer = await text(body);
  if (response.headers.location === '/sign-in') return 'sign in';
  if (response.statusCode === 500) return `500 ${answer}`;
  if (response.statusCode === 401 && method === 'HEAD') return 'auth.required';
  const code = /"code":"((?:auth|access)\.\w+)"/.exec(answer)?.[1];
  // A device that was signed out gets its own error code.
  if (code !== undefined) return code === 'auth.device_revoked' ? 'auth.required' : code;
  return response.statusCode === 403 ? 'forbidden' : 'admitted';
}

/** Routes that carry files have no input in the contract. */
const FILE_HEADERS: readonly [path: RegExp, headers: Record<string, string>][] = [
  [/^\/v1\/admin\/packs\//, { 'content-type': 'application/zip' }],
  [/^\/v1\/admin\/uploads$/, { 'tus-resumable': '1.0.0', 'upload-length': '10' }],
  [
    /^\/v1\/admin\/uploads\//,
    { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  ],
  [/^\/v1\/speech\/(transcribe|assess)$/, { 'content-type': PCM_MEDIA_TYPE }],
  [/^\/v1\/recordings\/send$/, { 'content-type': RECORDING_MEDIA_TYPE }],
  [/^\/v1\/billing\/webhook$/, { 'content-type': 'application/json' }],
  [/^\/(?!v1\/)/, { 'content-type': 'application/x-www-form-urlencoded' }],
];
const headersFor = (path: string): Record<string, string> =>
  FILE_HEADERS.find(([pattern]) => pattern.test(path))?.[1] ?? {};

function bodyOf(route: string, path: string): string | Buffer | object {
  const input = inputs.get(route);
  if (input !== undefined) return input as object;
  if (path === '/v1/admin/uploads') return '';
  return headersFor(path)['content-type'] === undefined ? { text: 'x', voice: null } : Buffer.from('xx');
}
