/** Strangers who know an address can neither guess its codes nor lock its owner out. */
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { signIns } from '../../db/tables.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { anEmail, aDeviceToSignIn, signInDevice } from '../../../test-kit/mailbox.ts';
import { type JsonResponse, registerDevice } from '../../../test-kit/server.ts';
import { networksOf } from './requester.ts';
import { MINUTE_MS, setUpAccountAttackFixture } from '../../../test-kit/account/account-attack-fixture.ts';

interface App {
  request: (email?: string) => Promise<JsonResponse>;
  /** Enters a code for the newest request; null sends no request id, as older apps do. */
  type: (code: string, asked?: { email?: string; requestId?: string | null }) => Promise<JsonResponse>;
}

export function signInStrangersSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpAccountAttackFixture(open);

  /** An app in the given network, with a device token if one is given. */
  function app(remoteAddress: string, token?: string): App {
    let newest: unknown;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const post = (call: string, payload: object) =>
      scene.server.send({ method: 'POST', url: `/v1/account/${call}`, remoteAddress, headers, payload });
    return {
      request: async (email = scene.email) => {
        const answer = await post('request-sign-in', { email });
        newest = answer.body['requestId'];
        return answer;
      },
      type: (code, { email = scene.email, requestId = String(newest) } = {}) =>
        post('sign-in', { ...aDeviceToSignIn(), email, code, ...(requestId === null ? {} : { requestId }) }),
    };
  }
  const HOME = '198.51.100.7';
  const STRANGE = '203.0.113.66';
  const wrongFor = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const newestCode = (): string => scene.mailbox.code(scene.email);
  const newest = () => scene.mailbox.to(scene.email).at(-1);
  const sent = (): number => scene.mailbox.to(scene.email).length;

  describe('a code', () => {
    it("does not work for a stranger's request, whose guesses cost the owner nothing", async () => {
      const owner = app(HOME);
      await owner.request();
      const code = newestCode();
      for (let request = 0; request < 3; request += 1) {
        const stranger = app(STRANGE);
        await stranger.request();
        expect((await stranger.type(code)).status).toBe(401);
        for (let guess = 0; guess < 4; guess += 1) await stranger.type(wrongFor(code));
      }
      expect((await owner.type(code)).status).toBe(200);
    });

    it('does not work without its own request', async () => {
      const owner = app(HOME);
      const other = app(HOME);
      await other.request();
      await owner.request();
      const code = newestCode();
      expect((await other.type(code)).status).toBe(401);
      expect((await owner.type(code, { requestId: 'A'.repeat(43) })).status).toBe(401);
      expect((await owner.type(code)).status).toBe(200);
    });

    it('spends all other codes and links of its address', async () => {
      const [laptop, phone] = [app(HOME), app(HOME)];
      await laptop.request();
      const [laptopCode, laptopLink] = [newestCode(), scene.mailbox.link(scene.email)];
      await phone.request();
      expect((await phone.type(newestCode())).status).toBe(200);
      expect((await laptop.type(laptopCode)).status).toBe(401);
      const byLink = await scene.server.post('/v1/account/whose-link', { link: laptopLink });
      expect(byLink.status).toBe(410);
    });

    it('from an older app needs the token of the device that asked', async () => {
      const { token } = await registerDevice(scene.server);
      const [old, fresh] = [app(HOME, token), app(HOME)];
      await fresh.request();
      expect(await fresh.type(newestCode(), { requestId: null })).toMatchObject({
        status: 426,
        body: { code: 'sync.protocol_too_old' },
      });
      await old.request();
      expect((await old.type(newestCode(), { requestId: null })).status).toBe(200);
    });

    it('is withheld from strangers after twenty wrong guesses in a day', async () => {
      for (let request = 0; request < 4; request += 1) {
        const stranger = app(`203.0.113.${request}`);
        await stranger.request();
        const wrong = wrongFor(newestCode());
        for (let guess = 0; guess < 5; guess += 1) await stranger.type(wrong);
      }
      const owner = app(HOME);
      await owner.request();
      expect(newest()).toMatchObject({ data: { code: null, withoutCode: 'guessed' } });
      const link = scene.mailbox.link(scene.email);
      const known = await scene.server.post('/v1/account/sign-in-by-link', { ...aDeviceToSignIn(), link });
      expect(known.status).toBe(200);
      const { token } = known.body['credentials'] as { token: string };
      const again = app(STRANGE, token);
      await again.request();
      expect((await again.type(newestCode())).status).toBe(200);
    });
  });

  describe('a message', () => {
    const exhaust = async (network: string): Promise<void> => {
      for (let quarter = 0; quarter < 5; quarter += 1) {
        for (let time = 0; time < 4; time += 1) await app(network).request();
        scene.server.advanceClock(15 * MINUTE_MS);
      }
    };

    it('reaches the owner in their own network, whatever a stranger requested', async () => {
      await exhaust(STRANGE);
      await app(STRANGE).request();
      const before = sent();
      await app(STRANGE).request();
      expect(sent()).toBe(before);
      const owner = app(HOME);
      await owner.request();
      expect(sent()).toBe(before + 1);
      expect((await owner.type(newestCode())).status).toBe(200);
    });

    it('reaches the owner in their own network, whatever was requested from all networks of an IPv6 site', async () => {
      for (let network = 0; network < 60; network += 1) await app(`2001:db8:1:${network}::1`).request();
      const before = sent();
      await app(HOME).request();
      expect(sent()).toBe(before + 1);
    });

    it('reaches a device that the owner used before, despite a flood of requests', async () => {
      const device = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
      await scene.server.post('/v1/account/sign-out', {}, device.token);
      for (let network = 0; network < 60; network += 1) await app(`203.0.113.${network}`).request();
      const before = sent();
      await app(HOME).request();
      expect(sent()).toBe(before);
      const owner = app(HOME, device.token);
      await owner.request();
      expect(sent()).toBe(before + 1);
      expect((await owner.type(newestCode())).status).toBe(200);
    });

    it('reaches a browser that the owner used before, without a code', async () => {
      const browser = openBrowser(scene.server);
      const ask = async (by = browser): Promise<void> => {
        const page = await by.get('/sign-in');
        await by.submit(page, '/sign-in/request', { fields: { email: scene.email } });
      };
      await ask();
      expect(newest()).toMatchObject({ data: { code: null, withoutCode: 'browser' } });
      const link = await browser.get(`/sign-in?link=${scene.mailbox.link(scene.email)}`);
      await browser.submit(link, '/sign-in');
      await browser.submit(await browser.get('/account'), '/account/sign-out');
      for (let network = 0; network < 60; network += 1) await app(`203.0.113.${network}`).request();
      const before = sent();
      await ask(openBrowser(scene.server));
      expect(sent()).toBe(before);
      await ask();
      expect(sent()).toBe(before + 1);
      // The cookie is valid for this address alone.
      const mark = String(browser.cookieJar.get('__Host-parley-known'));
      scene.email = anEmail();
      for (let network = 0; network < 60; network += 1) await app(`203.0.113.${network}`).request();
      const others = openBrowser(scene.server);
      others.cookieJar.set('__Host-parley-known', mark);
      const beforeOther = sent();
      await ask(others);
      expect(sent()).toBe(beforeOther);
    });

    /** Asks for a message, as if that many more addresses had been sent one from the same network, or each from another. */
    async function requestMany(network: string, times: number, { isElsewhere = false } = {}): Promise<void> {
      const email = anEmail();
      expect(await app(network).request(email)).toMatchObject({ status: 200 });
      const requester = isElsewhere ? sql`gen_random_uuid()::text` : sql`sent.requester`;
      await scene.server.database.db.execute(sql`insert into sign_ins
        select other.* from sign_ins as sent, generate_series(1, ${times - 1}::int) as nr,
          lateral jsonb_populate_record(null::sign_ins, to_jsonb(sent) || jsonb_build_object('id', gen_random_uuid(),
            'link_hash', gen_random_uuid(), 'email', 'many-' || nr || '@example.com', 'requester', ${requester})) as other
        where sent.email = ${email}`);
    }

    const requestForOthers = async (messages: number): Promise<void> => {
      const { db } = scene.server.database;
      await app(STRANGE).request();
      const [first] = await db.select().from(signIns).where(eq(signIns.email, scene.email));
      if (first === undefined) throw new Error('no message was recorded');
      const others = Array.from({ length: messages }, () => ({ ...first, id: randomUUID(), linkHash: randomUUID() }));
      await db.insert(signIns).values(others.map((other) => ({ ...other, email: anEmail() })));
    };

    it('is sent to any number of addresses whose owners sign in from one network', async () => {
      await requestForOthers(299);
      await scene.server.database.db.update(signIns).set({ usedAt: scene.server.now() });
      const email = anEmail();
      expect(await app(STRANGE).request(email)).toMatchObject({ status: 200 });
      expect(scene.mailbox.to(email)).toHaveLength(1);
    });

    it('is not sent to any number of addresses from one network', async () => {
      await requestForOthers(299);
      const email = anEmail();
      expect(await app(STRANGE).request(email)).toMatchObject({
        status: 429,
        body: { code: 'request.too_many', data: { detail: 'sign_in_network' } },
      });
      expect(scene.mailbox.to(email)).toHaveLength(0);
      await app(HOME).request(email);
      expect(scene.mailbox.to(email)).toHaveLength(1);
      scene.server.advanceClock(61 * MINUTE_MS);
      await app(STRANGE).request(email);
      expect(scene.mailbox.to(email)).toHaveLength(2);
    });

    it('is not sent to any number of addresses from the networks of one IPv6 site', async () => {
      for (const network of ['1', '101', '201', '301', '401', '501', '601', '701'])
        await requestMany(`2001:db8:1:${network}::1`, 300);
      expect(await app('2001:db8:1:801::1').request()).toMatchObject({ status: 429 });
      expect(await app('2001:db8:2:1::1').request()).toMatchObject({ status: 200 });
    });

    it('is not sent to any number of addresses from the networks of one IPv6 /56', async () => {
      for (const network of ['1', '2']) await requestMany(`2001:db8:1:${network}::1`, 300);
      expect(await app('2001:db8:1:3::1').request()).toMatchObject({ status: 429 });
      expect(await app('2001:db8:1:101::1').request()).toMatchObject({ status: 200 });
    });

    it('is not sent to any number of addresses from any number of networks, except to known devices', async () => {
      const device = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
      await requestMany(STRANGE, 5_000, { isElsewhere: true });
      expect(await app(STRANGE).request(anEmail())).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
      expect(scene.server.log()).toContain('sign_in_mail_limited');
      // A network without any is served for longer.
      await requestMany(HOME, 5_000, { isElsewhere: true });
      expect(await app('203.0.113.67').request(anEmail())).toMatchObject({ status: 429 });
      expect(await app(STRANGE, device.token).request()).toMatchObject({ status: 200 });
      scene.server.advanceClock(61 * MINUTE_MS);
      expect(await app('203.0.113.67').request(anEmail())).toMatchObject({ status: 200 });
    });

    it('requested again by the same app gives no more tries and keeps its code', async () => {
      const { post } = scene;
      await scene.request();
      const code = newestCode();
      for (let guess = 0; guess < 3; guess += 1)
        await post('/v1/account/sign-in', { ...aDeviceToSignIn(), email: scene.email, code: wrongFor(code) });
      await scene.request();
      const typed = await post('/v1/account/sign-in', { ...aDeviceToSignIn(), email: scene.email, code });
      expect(typed.status).toBe(200);
    });
  });

  /** Guesses five codes of each of ten requests. */
  async function guessFrom(network: (request: number) => string): Promise<void> {
    for (let request = 0; request < 10; request += 1) {
      const stranger = app(network(request));
      const email = anEmail();
      await stranger.request(email);
      const wrong = wrongFor(scene.mailbox.code(email));
      await Promise.all(Array.from({ length: 5 }, () => stranger.type(wrong, { email })));
    }
  }

  it.each([
    ['address', () => STRANGE, STRANGE],
    ['IPv6 site', (request: number) => `2001:db8:1:${request}00::1`, '2001:db8:1:ffff::1'],
  ])('fifty wrong codes in an hour pause codes of their own %s only', async (_what, network, guessing) => {
    const [owner, neighbour] = [app(HOME), app(guessing)];
    await owner.request();
    const code = newestCode();
    const email = anEmail();
    await neighbour.request(email);
    const neighboursCode = scene.mailbox.code(email);
    await guessFrom(network);
    expect(await neighbour.type(neighboursCode, { email })).toMatchObject({
      status: 503,
      body: { code: 'sign_in.codes_paused' },
    });
    await neighbour.request(email);
    expect(scene.mailbox.to(email).at(-1)).toMatchObject({ data: { code: null, withoutCode: 'paused' } });
    expect((await owner.type(code)).status).toBe(200);
  });

  it('two hundred wrong codes in an hour pause codes for strangers, and it is logged', { tags: ['slow'] }, async () => {
    const device = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
    const owner = app(HOME);
    await owner.request();
    const code = newestCode();
    for (let network = 0; network < 4; network += 1) await guessFrom(() => `203.0.113.${network}`);
    expect(await owner.type(code)).toMatchObject({ status: 503, body: { code: 'sign_in.codes_paused' } });
    expect(scene.server.log()).toContain('sign_in_codes_paused');
    await owner.request();
    expect(newest()).toMatchObject({ data: { code: null, withoutCode: 'paused' } });
    const known = app(HOME, device.token);
    await known.request();
    expect((await known.type(newestCode())).status).toBe(200);
    scene.server.advanceClock(61 * MINUTE_MS);
    await owner.request();
    expect((await owner.type(newestCode())).status).toBe(200);
  });

  it.each([
    ['192.0.2.1', ['192.0.2.1']],
    ['::ffff:192.0.2.1', ['192.0.2.1']],
    ['2001:db8:1:2a2:3:4:5:6', ['2001:db8:1::/48', '2001:db8:1:200::/56', '2001:db8:1:2a2::/64']],
    ['2001:0db8:1:2::9', ['2001:db8:1::/48', '2001:db8:1::/56', '2001:db8:1:2::/64']],
    ['::1', ['::/48', '::/56', '::/64']],
    ['fe80::1%eth0', ['fe80::/48', 'fe80::/56', 'fe80::/64']],
    ['not an address', ['not an address']],
  ])('the networks of %s are %j', (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
}
