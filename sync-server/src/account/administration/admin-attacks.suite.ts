import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { listProcedures } from '../../http/openapi/list-procedures.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { signInDevice } from '../../../test-kit/mailbox.ts';
import { confirmDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';
import { MINUTE_MS, setUpAccountAttackFixture } from '../../../test-kit/account/account-attack-fixture.ts';

/** Attacks that try to gain an admin's rights. */
export function adminAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpAccountAttackFixture(open);

  describe('admin procedures', () => {
    const procedures = listProcedures()
      .filter(({ caller }) => caller === 'admin')
      .map(({ path }) => path);
    /**
     * Valid inputs for calls that change nothing on which the other tests depend. The other calls are refused before
     * their input is read.
     */
    const harmless: [path: string, input: (learner: TestDevice) => object][] = [
      ['/v1/admin/overview', () => ({})],
      ['/v1/admin/users', () => ({ page: 0 })],
      ['/v1/admin/audit', () => ({ page: 0 })],
      ['/v1/admin/grant-access-to-many', ({ userId }) => ({ userIds: [userId], reason: 'me' })],
      ['/v1/admin/revoke-access-of-many', ({ userId }) => ({ userIds: [userId], reason: 'me' })],
      ['/v1/admin/set-admin', ({ userId }) => ({ userId, isAdmin: true, reason: 'me' })],
    ];
    const signInBrowser = async (address: string) => {
      const browser = openBrowser(scene.server);
      await scene.request(address);
      await browser.submit(await browser.get(`/sign-in?link=${scene.mailbox.link(address)}`), '/sign-in');
      return browser;
    };

    it('outnumber the harmless ones', () => expect(procedures.length).toBeGreaterThan(harmless.length));

    it.each(procedures)("%s is refused without an admin's token or session", async (path) => {
      const learner = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
      const anonymous = await registerDevice(scene.server);
      const browser = await signInBrowser(scene.email);
      const before = await scene.server.database.db
        .select()
        .from(tables.users)
        .where(eq(tables.users.email, scene.email));
      const body = { userId: learner.userId, isAdmin: true, reason: 'me' };
      const cookie = [...browser.cookieJar].map(([key, value]) => `${key}=${value}`).join('; ');
      const asked = (headers: Record<string, string>) =>
        scene.server.send({ method: 'POST', url: path, headers, payload: body });
      const own = { 'sec-fetch-site': 'same-origin' };
      const forbidden = { status: 403, body: { code: 'auth.forbidden' } };
      expect(await asked({ authorization: `Bearer ${learner.token}` })).toMatchObject(forbidden);
      expect(await asked({ authorization: `Bearer ${anonymous.token}` })).toMatchObject(forbidden);
      expect(await asked({ cookie, ...own })).toMatchObject(forbidden);
      for (const headers of [{}, own, { authorization: 'Bearer x' }, { cookie: '__Host-parley=x.y', ...own }])
        expect(await asked(headers)).toMatchObject({ status: 401, body: { code: 'auth.required' } });
      expect(
        await scene.server.database.db.select().from(tables.users).where(eq(tables.users.email, scene.email)),
      ).toEqual(before);
    });

    it.each(harmless)('%s works for an admin, from a device and from our own page', async (path, input) => {
      const admin = await signInDevice(scene.server, scene.mailbox, { email: scene.adminEmail });
      scene.server.advanceClock(16 * MINUTE_MS);
      await confirmDevice(scene.server, admin);
      const browser = await signInBrowser(scene.adminEmail);
      const subject = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
      const cookie = [...browser.cookieJar].map(([key, value]) => `${key}=${value}`).join('; ');
      const asked = async (headers: Record<string, string>) =>
        (await scene.server.send({ method: 'POST', url: path, headers, payload: input(subject) })).status;
      expect(await asked({ authorization: `Bearer ${admin.token}` })).toBe(200);
      expect(await asked({ cookie, 'sec-fetch-site': 'same-origin' })).toBe(200);
      for (const elsewhere of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}])
        expect(await asked({ cookie, ...elsewhere })).toBe(403);
      expect(await asked({ cookie, origin: 'https://evil.example', host: 'parley.example' })).toBe(403);
    });

    it('are refused at the next call after the role is revoked, in browsers too', async () => {
      const admin = await signInDevice(scene.server, scene.mailbox, { email: scene.adminEmail });
      const other = await signInDevice(scene.server, scene.mailbox, { email: scene.email });
      const set = (isAdmin: boolean) =>
        scene.server.post('/v1/admin/set-admin', { userId: other.userId, isAdmin, reason: 'x' }, admin.token);
      await set(true);
      const browser = await signInBrowser(scene.email);
      const cookie = [...browser.cookieJar].map(([key, value]) => `${key}=${value}`).join('; ');
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      const look = () => scene.server.send({ method: 'POST', url: '/v1/admin/users', headers, payload: { page: 0 } });
      expect((await look()).status).toBe(200);
      await set(false);
      expect((await look()).status).toBe(403);
    });
  });
}
