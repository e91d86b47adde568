/** Strangers who know an address can neither guess its codes nor lock its owner out. */
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { anEmail, aDeviceToSignIn, signInDevice } from '../../../test-kit/mailbox.ts';
import { type JsonResponse, registerDevice } from '../../../test-kit/server.ts';
import { networkOf } from './requester.ts';
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

  describe('an e-mail', () => {
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
      // The cookie is valid only for this address.
      const mark = String(browser.cookieJar.get('__Host-parley-known'));
      scene.email = anEmail();
      for (let network = 0; network < 60; network += 1) await app(`203.0.113.${network}`).request();
      const others = openBrowser(scene.server);
      others.cookieJar.set('__Host-parley-known', mark);
      const beforeOther = sent();
      await ask(others);
      expect(sent()).toBe(beforeOther);
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

  it('fifty wrong codes in an hour pause codes for strangers in their network', async () => {
    const guess = async (network: string, email: string): Promise<void> => {
      const stranger = app(network);
      await stranger.request(email);
      const wrong = wrongFor(scene.mailbox.code(email));
      for (let time = 0; time < 5; time += 1) await stranger.type(wrong, { email });
    };
    const neighbour = app(STRANGE);
    await neighbour.request();
    // Learners who mistype and then sign in do not count.
    for (let learner = 0; learner < 3; learner += 1) {
      const email = anEmail();
      const [first, second] = [app(STRANGE), app(STRANGE)];
      await first.request(email);
      for (let time = 0; time < 4; time += 1) await first.type(wrongFor(scene.mailbox.code(email)), { email });
      await second.request(email);
      expect((await second.type(scene.mailbox.code(email), { email })).status).toBe(200);
    }
    for (let request = 0; request < 9; request += 1) await guess(STRANGE, anEmail());
    const newcomer = app(STRANGE);
    await newcomer.request();
    expect(newest()).toMatchObject({ data: { withoutCode: null } });
    await guess(STRANGE, anEmail());
    expect(await newcomer.type(newestCode())).toMatchObject({ status: 503, body: { code: 'sign_in.codes_paused' } });
    await app(STRANGE).request();
    expect(newest()).toMatchObject({ data: { code: null, withoutCode: 'paused' } });
    const elsewhere = app(HOME);
    await elsewhere.request();
    expect((await elsewhere.type(newestCode())).status).toBe(200);
  });

  it('two hundred wrong codes in an hour pause codes for strangers, and it is logged', { tags: ['slow'] }, async () => {
    const device = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
    const owner = app(HOME);
    await owner.request();
    const code = newestCode();
    for (let request = 0; request < 40; request += 1) {
      const stranger = app(`203.0.113.${request % 4}`);
      const email = anEmail();
      await stranger.request(email);
      const wrong = wrongFor(scene.mailbox.code(email));
      await Promise.all(Array.from({ length: 5 }, () => stranger.type(wrong, { email })));
    }
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

  describe('the pause of codes on the whole server', () => {
    const expectNoPause = async (): Promise<void> => {
      const newcomer = app(HOME);
      await newcomer.request();
      expect(newest()).toMatchObject({ data: { withoutCode: null } });
      expect((await newcomer.type(newestCode())).status).toBe(200);
    };

    it(
      'is not caused by one learner who guesses at their own address on many devices',
      { tags: ['slow'] },
      async () => {
        const own = anEmail();
        const first = await signInDevice(scene.server, scene.mailbox, { email: own });
        for (let device = 0; device < 14; device += 1) {
          const { code } = (await scene.server.post('/v1/devices/link-code', {}, first.token)).body;
          const { timeZone: _, ...joining } = aDeviceToSignIn();
          const joined = await scene.server.post('/v1/devices/join', { ...joining, code });
          const known = app(STRANGE, String(joined.body['token']));
          for (let request = 0; request < 3; request += 1) {
            await known.request(own);
            const wrong = wrongFor(scene.mailbox.code(own));
            for (let guess = 0; guess < 5; guess += 1) await known.type(wrong, { email: own });
          }
          scene.server.advanceClock(MINUTE_MS);
        }
        await expectNoPause();
      },
    );

    it('is not caused by one network that mistypes codes of its own addresses', { tags: ['slow'] }, async () => {
      for (let address = 0; address < 51; address += 1) {
        const own = anEmail();
        const stranger = app(STRANGE);
        await stranger.request(own);
        const code = scene.mailbox.code(own);
        for (let guess = 0; guess < 4; guess += 1) await stranger.type(wrongFor(code), { email: own });
        expect((await stranger.type(code, { email: own })).status).toBe(200);
      }
      await expectNoPause();
    });
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
    ['2001:0db8:1:2::9', '2001:db8:1'],
    ['::1', '0:0:0'],
  ])('the network of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
}
