import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { signIns, tables } from '../../db/tables.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { anEmail, aDeviceToSignIn, signInDevice } from '../../../test-kit/mailbox.ts';
import { type JsonResponse, startServerWithResetLimits } from '../../../test-kit/server.ts';
import { newUserRow } from '../account-rows.ts';
import { createSignInEmails } from './sign-in-emails.ts';
import { MINUTE_MS, setUpAccountAttackFixture } from '../../../test-kit/account/account-attack-fixture.ts';

/** Attacks on accounts: taking one over, finding out whether an address has one, or gaining rights. */
export function accountAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpAccountAttackFixture(open);

  const tryCode = (code: string, to = scene.email) =>
    scene.post('/v1/account/sign-in', { ...aDeviceToSignIn(), email: to, code });
  const tryLink = (link: string) => scene.server.post('/v1/account/sign-in-by-link', { ...aDeviceToSignIn(), link });
  /** Distinct codes, all of them wrong. */
  const wrongCodes = (right: readonly string[], count: number): string[] =>
    Array.from({ length: count + right.length }, (_, n) => String(n + 1).padStart(6, '0'))
      .filter((code) => !right.includes(code))
      .slice(0, count);
  const statusesOf = (answers: readonly JsonResponse[]): number[] => answers.map(({ status }) => status);

  describe('guessing codes', () => {
    it('ends after five tries, while the link still works', async () => {
      await scene.request();
      const code = scene.mailbox.code(scene.email);
      for (const wrong of wrongCodes([code], 5)) expect((await tryCode(wrong)).status).toBe(401);
      expect((await tryCode(code)).status).toBe(401);
      expect((await tryLink(scene.mailbox.link(scene.email))).status).toBe(200);
    });

    it('still admits the owner after four typing mistakes', async () => {
      await scene.request();
      const code = scene.mailbox.code(scene.email);
      for (const wrong of wrongCodes([code], 4)) await tryCode(wrong);
      expect((await tryCode(code)).status).toBe(200);
    });

    it('allows five tries in total when they arrive at once', async () => {
      await scene.request();
      const code = scene.mailbox.code(scene.email);
      const answers = await Promise.all(wrongCodes([code], 24).map((wrong) => tryCode(wrong)));
      expect(new Set(statusesOf(answers))).toEqual(new Set([401]));
      const [row] = await scene.server.database.db.select().from(signIns).where(eq(signIns.email, scene.email));
      expect(row).toMatchObject({ triesLeft: 0, usedAt: null });
      expect((await tryCode(code)).status).toBe(401);
    });

    it('takes one guess per address at a time', async () => {
      const { db } = scene.server.database;
      const signInEmails = createSignInEmails({ db, now: scene.server.now, secret: 'any' });
      const guess = await db.transaction(async (tx) => {
        await signInEmails.redeemCode(tx, { email: scene.email, code: '000000', requestId: 'any', deviceId: null });
        const next = tryCode('000000').then(({ status }) => status);
        expect(await Promise.race([next, sleep(200, 'waits')])).toBe('waits');
        return { next };
      });
      expect(await guess.next).toBe(401);
    });

    it('allows five tries over all open codes, however many e-mails are sent', async () => {
      const codes: string[] = [];
      for (const tries of [2, 2, 1]) {
        await scene.request();
        codes.push(scene.mailbox.code(scene.email));
        for (const wrong of wrongCodes(codes, tries)) await tryCode(wrong);
      }
      for (const code of codes) expect((await tryCode(code)).status).toBe(401);
      scene.server.advanceClock(16 * MINUTE_MS);
      await scene.request();
      expect((await tryCode(scene.mailbox.code(scene.email))).status).toBe(200);
    });

    it('leaves new e-mails without a code until the guessed code expires', async () => {
      await scene.request();
      for (const wrong of wrongCodes([scene.mailbox.code(scene.email)], 5)) await tryCode(wrong);
      scene.server.advanceClock(15 * MINUTE_MS - 1);
      await scene.request();
      expect(scene.mailbox.to(scene.email).at(-1)).toMatchObject({ kind: 'sign_in', data: { code: null } });
      expect((await tryLink(scene.mailbox.link(scene.email))).status).toBe(200);
      scene.server.advanceClock(15 * MINUTE_MS);
      await scene.request();
      expect((await tryCode(scene.mailbox.code(scene.email))).status).toBe(200);
    });

    it('at one address does not affect another address', async () => {
      const other = anEmail();
      await scene.request();
      await scene.request(other);
      for (const wrong of wrongCodes([scene.mailbox.code(scene.email)], 5)) await tryCode(wrong);
      expect((await tryCode(scene.mailbox.code(other), other)).status).toBe(200);
    });

    it.each(['request-sign-in', 'sign-in', 'sign-in-by-link', 'whose-link'])(
      'is limited per network: /v1/account/%s, however the path is spelled',
      async (call) => {
        const strict = await startServerWithResetLimits(scene.server.database, {
          enqueueMail: scene.mailbox.enqueue,
          strictRequestsPerMinute: 5,
        });
        const send = async (url: string, n: number) =>
          strict.send({
            method: 'POST',
            url,
            headers: {
              'x-forwarded-for': `203.0.113.${n}`,
              authorization: `Bearer ${randomUUID()}.${'A'.repeat(43)}`,
            },
            payload: { ...aDeviceToSignIn(), email: anEmail(), code: '000000', link: 'A'.repeat(43) },
          });
        const statuses: number[] = [];
        for (let n = 0; n < 8; n += 1) statuses.push((await send(`/v1/account/${call}`, n)).status);
        expect(statuses.slice(5)).toEqual([429, 429, 429]);
        expect(statuses.slice(0, 5)).not.toContain(429);
        const spellings = [
          call.replaceAll('-', '%2D'),
          `${call}/`,
          `./${call}`,
          `x/../${call}`,
          `%73${call.slice(1)}`,
          call.toUpperCase(),
        ];
        for (const spelling of spellings) {
          const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => send(`/v1/account/${spelling}`, n)));
          // Each spelling of the path is either unknown or rate-limited.
          expect(answers.filter(({ status }) => status !== 404 && status !== 429).length).toBeLessThanOrEqual(5);
        }
        await strict.app.close();
      },
    );
  });

  describe('whether an address has an account', () => {
    const known = async (): Promise<string> => {
      const address = anEmail();
      const user = { ...newUserRow(LearnerId.parse(randomUUID()), scene.server.now()), email: address };
      await scene.server.database.db.insert(tables.users).values(user);
      return address;
    };
    const postRaw = async (url: string, body: object) => {
      const { statusCode, payload, headers } = await scene.server.app.inject({ method: 'POST', url, payload: body });
      const { date: _, ...said } = headers;
      const counted = Object.fromEntries(Object.entries(said).filter(([name]) => !name.startsWith('x-ratelimit')));
      // Request ids differ each time, so they are removed before the comparison.
      return { statusCode, payload: payload.replace(/"requestId":"[\w-]{43}"/, '"requestId"'), headers: counted };
    };

    it('is not revealed by any answer', async () => {
      const [theirs, unknownAddress] = [await known(), anEmail()];
      const asked = await postRaw('/v1/account/request-sign-in', { email: theirs });
      expect(await postRaw('/v1/account/request-sign-in', { email: unknownAddress })).toEqual(asked);
      const requestId = 'A'.repeat(43);
      const typed = (to: string) =>
        postRaw('/v1/account/sign-in', { ...aDeviceToSignIn(), email: to, code: '000000', requestId });
      expect(await typed(unknownAddress)).toEqual(await typed(theirs));
      for (let time = 0; time < 4; time += 1)
        for (const to of [theirs, unknownAddress])
          expect(await postRaw('/v1/account/request-sign-in', { email: to })).toEqual(asked);
      expect(scene.mailbox.to(theirs)).toHaveLength(scene.mailbox.to(unknownAddress).length);
    });

    const calls: [what: string, status: number, ask: (to: string) => Promise<JsonResponse>][] = [
      ['requesting an e-mail', 200, (to) => scene.request(to)],
      ['entering a code', 401, (to) => tryCode('000000', to)],
    ];
    it.each(calls)('is not revealed by how long %s takes', { tags: ['slow'] }, async (_what, status, ask) => {
      const ROUNDS = 5;
      // Together they stay below the limit of a network.
      const CALLS_PER_ROUND = 18;
      const tookMs = async (to: string): Promise<number> => {
        const startMs = performance.now();
        const answer = await ask(to);
        const ms = performance.now() - startMs;
        expect(answer.status).toBe(status);
        return ms;
      };
      const median = (times: readonly number[]): number =>
        times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
      await tookMs(anEmail());
      // A timing leak shows in every round; noise from the machine does not.
      const differences: { differenceMs: number; noiseMs: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [theirs, unknownMs, again]: [number[], number[], number[]] = [[], [], []];
        for (let n = 0; n < CALLS_PER_ROUND; n += 1) {
          theirs.push(await tookMs(await known()));
          unknownMs.push(await tookMs(anEmail()));
          again.push(await tookMs(anEmail()));
        }
        differences.push({
          differenceMs: Math.abs(median(theirs) - median(unknownMs)),
          // Noise is the difference between two series of the same kind, plus a quarter of the median.
          noiseMs: Math.abs(median(again) - median(unknownMs)) + 0.25 * median(unknownMs),
        });
      }
      const leaking = differences.filter(({ differenceMs, noiseMs }) => differenceMs > noiseMs);
      expect(leaking.length, JSON.stringify(differences)).toBeLessThan(ROUNDS);
    });
  });

  it('the log contains no code, link, cookie, token, form token or address', async () => {
    const browser = openBrowser(scene.server);
    await scene.request();
    const [code, link] = [scene.mailbox.code(scene.email), scene.mailbox.link(scene.email)];
    const page = await browser.get(`/sign-in?link=${link}`);
    await browser.get(`/sign-in?${link}`);
    await browser.get(`/sign-in?link=${link}&link=${link}`);
    await tryCode(code === '000000' ? '000001' : '000000');
    await browser.submit(page, '/sign-in');
    const account = await browser.get('/account');
    await browser.submit(account, '/account/sign-out', { fields: { token: 'x' } });
    await tryLink(link);
    await tryCode(code);
    const device = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
    await scene.post('/v1/account/sign-in', {
      ...aDeviceToSignIn(),
      email: scene.email,
      code: scene.mailbox.code(scene.email),
      odd: 1,
    });
    const secrets = [
      link,
      scene.mailbox.link(scene.email),
      String(browser.cookieJar.get('__Host-parley')).split('.')[1],
      browser.cookieJar.get('__Host-parley-form'),
      /name="token" value="([^"]+)"/.exec(page.text)?.[1],
      /name="token" value="([^"]+)"/.exec(account.text)?.[1],
      device.token.split('.')[1],
      scene.email,
    ];
    const log = scene.server.log();
    expect(log).toContain('/sign-in?…');
    expect(log).not.toContain('"statusCode":500');
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(20);
      expect(log).not.toContain(secret);
    }
    for (const each of [code, scene.mailbox.code(scene.email)]) expect(log).not.toMatch(new RegExp(`"${each}"`));
  });
}
