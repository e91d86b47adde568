import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpWebFixture } from '../../../test-kit/account/web-fixture.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { aDeviceToSignIn, signInDevice } from '../../../test-kit/mailbox.ts';
import { createTestDevice, joinDevice } from '../../../test-kit/server.ts';
import { createSignInEmails } from './sign-in-emails.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Runs attacks by someone with a link or code that once belonged to its owner: from a forwarded e-mail, or from a
 * stolen device.
 */
export function oldLinksSuite(open: () => Promise<DatabaseConnection>): void {
  const web = setUpWebFixture(open);

  const openByDevice = (link: string) => web.server.post('/v1/account/sign-in-by-link', { ...aDeviceToSignIn(), link });
  const openByBrowser = async (link: string) => {
    const browser = openBrowser(web.server);
    const signedIn = await browser.submit(await browser.get(`/sign-in?link=${link}`), '/sign-in');
    expect(signedIn).toMatchObject({ status: 303, location: '/account' });
    return browser;
  };
  /** The link in an e-mail that grants access or reminds of it. */
  const sendAccessLink = async (email = web.email): Promise<string> => {
    const { db } = web.server.database;
    const signInEmails = createSignInEmails({ db, now: web.server.now, secret: 'any' });
    return db.transaction(async (tx) => (await signInEmails.createAccessLink(tx, email)).link);
  };
  const signOutEverywhere = async (): Promise<void> => {
    const page = await web.browser.get('/account');
    expect(await web.browser.submit(page, '/account/sign-out-everywhere')).toMatchObject({ location: '/sign-in' });
  };
  const isSpent = { status: 410, body: { code: 'sign_in.link_spent' } };
  const isRefused = { status: 403, body: { code: 'auth.confirmation_required' } };

  describe('signing out everywhere', () => {
    it('spends the links in older e-mails', async () => {
      await web.signIn();
      const [access, later] = [await sendAccessLink(), await sendAccessLink(web.email.toUpperCase())];
      const signIn = await web.requestLink();
      await signOutEverywhere();
      for (const link of [access, later, signIn]) expect(await openByDevice(link)).toMatchObject(isSpent);
      // Links that are sent from now on work.
      expect((await openByDevice(await sendAccessLink())).status).toBe(200);
    });

    it('uses up the code with which another device could join', async () => {
      await web.signIn();
      const stolen = await signInDevice(web.server, web.mailbox, { email: web.email });
      const { body: link } = await web.server.post('/v1/devices/link-code', {}, stolen.token);
      await signOutEverywhere();
      const join = { ...aDeviceToSignIn(), timeZone: undefined, code: link['code'] };
      expect(await web.server.post('/v1/devices/join', join)).toMatchObject({ body: { code: 'link.code_invalid' } });
    });
  });

  it.each(['sign-out', 'revoke'])('a device that is signed out by %s leaves no code to join with', async (how) => {
    const owner = await signInDevice(web.server, web.mailbox, { email: web.email });
    const stolen = await joinDevice(web.server, owner);
    const { body: link } = await web.server.post('/v1/devices/link-code', {}, stolen.token);
    const signedOut =
      how === 'revoke'
        ? await owner.revoke(stolen.deviceId)
        : await web.server.post('/v1/account/sign-out', {}, stolen.token);
    expect(signedOut.status).toBe(200);
    const join = { deviceId: randomUUID(), name: 'Phone', platform: 'other', code: link['code'] };
    expect(await web.server.post('/v1/devices/join', join)).toMatchObject({ body: { code: 'link.code_invalid' } });
  });

  describe('a link that grants access', () => {
    it('is spent once its owner has signed in by another e-mail', async () => {
      const link = await sendAccessLink();
      await signInDevice(web.server, web.mailbox, { email: web.email });
      expect(await openByDevice(link)).toMatchObject(isSpent);
    });

    it('signs in days later, but confirms nothing', async () => {
      await signInDevice(web.server, web.mailbox, { email: web.email });
      const forDevice = await sendAccessLink();
      web.server.advanceClock(3 * DAY_MS);
      const { status, body } = await openByDevice(forDevice);
      expect(status).toBe(200);
      const device = createTestDevice(web.server, body['credentials'] as never);
      const headers = { authorization: `Bearer ${device.token}` };
      expect(await web.server.send({ url: '/v1/account/export', headers })).toMatchObject(isRefused);
      expect(await web.server.post('/v1/account/request-deletion', {}, device.token)).toMatchObject(isRefused);

      const forBrowser = await sendAccessLink();
      web.server.advanceClock(3 * DAY_MS);
      const browser = await openByBrowser(forBrowser);
      expect((await browser.get('/account/export.json')).status).toBe(403);
    });

    it('opened days later by a signed-in device does not renew its confirmation', async () => {
      const device = await signInDevice(web.server, web.mailbox, { email: web.email });
      const link = await sendAccessLink();
      web.server.advanceClock(3 * DAY_MS);
      const again = { ...aDeviceToSignIn(device.deviceId), link };
      const { body } = await web.server.post('/v1/account/sign-in-by-link', again, device.token);
      const { token } = createTestDevice(web.server, body['credentials'] as never);
      expect(await web.server.post('/v1/account/request-deletion', {}, token)).toMatchObject(isRefused);
    });

    it('confirms like any other while it is new', async () => {
      const link = await sendAccessLink();
      web.server.advanceClock(14 * MINUTE_MS);
      expect((await (await openByBrowser(link)).get('/account/export.json')).status).toBe(200);
    });
  });
}
