import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { schoolSettings, secondFactors } from '../db/school-tables.ts';
import { forgetSecondFactorOf, makeAdmin } from '../account/index.ts';
import { createSecondFactor } from './second-factor.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { anEmail } from '../../test-kit/mailbox.ts';

const PERIOD_MS = 30_000;
const WRONG = { status: 401, body: { code: 'sign_in.code_wrong' } };

export function secondFactorSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  let secret = '';
  beforeEach(async () => {
    const { db } = scene.server.database;
    await db.delete(secondFactors);
    await db.delete(schoolSettings);
    await scene.confirm();
  });

  async function setUp(): Promise<void> {
    secret = String((await scene.ask('second-factor/set-up', {})).body['secret']);
    expect((await scene.ask('second-factor/confirm', { code: codeNow() })).status).toBe(200);
  }
  const codeNow = (): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: scene.server.now().getTime() });
  const notTheCode = (): string => (codeNow() === '000000' ? '000001' : '000000');
  const settings = {
    name: 'Parley',
    contactEmail: null,
    colour: null,
    timeZone: 'UTC',
    auditMonths: null,
    mailMonths: null,
  };

  describe('the second factor', () => {
    it('cannot be required by an admin who has none', async () => {
      expect(await scene.ask('save-settings', { ...settings, requiresSecondFactor: true })).toMatchObject({
        body: { code: 'auth.second_factor_required', data: { detail: 'set_up' } },
      });
    });

    it('is set up with a code of the app, without revealing its secret in the database', async () => {
      const { body } = await scene.ask('second-factor/set-up', {});
      secret = String(body['secret']);
      expect(body['address']).toContain('otpauth://totp/Parley');
      const stored = await scene.server.database.db.select().from(secondFactors);
      expect(JSON.stringify(stored)).not.toContain(secret);
      expect(await scene.ask('second-factor/confirm', { code: notTheCode() })).toMatchObject(WRONG);
      expect((await scene.ask('second-factor/confirm', { code: codeNow() })).status).toBe(200);
      expect((await scene.ask('overview', {})).status).toBe(200);
    });

    it('is asked for in another browser, where each code works once', async () => {
      await setUp();
      const other = await scene.signInBrowser(scene.adminEmail);
      const enter = (code: string) => scene.askAs(other, 'second-factor/enter', { code });
      const required = { status: 403, body: { code: 'auth.second_factor_required', data: { detail: 'enter' } } };
      expect(await scene.askAs(other, 'users', {})).toMatchObject(required);
      expect(await scene.askAs(other, 'second-factor/remove', {})).toMatchObject(required);
      expect(await enter(codeNow())).toMatchObject(WRONG);
      scene.server.advanceClock(PERIOD_MS);
      expect((await enter(codeNow())).status).toBe(200);
      expect((await scene.askAs(other, 'users', {})).status).toBe(200);
      expect(await enter(codeNow())).toMatchObject(WRONG);
    });

    it('is paused after five wrong codes', async () => {
      await setUp();
      scene.server.advanceClock(PERIOD_MS);
      const enter = (code: string) => scene.ask('second-factor/enter', { code });
      expect((await enter(codeNow())).status).toBe(200);
      for (let tries = 0; tries < 5; tries += 1) expect((await enter(notTheCode())).status).toBe(401);
      expect(await enter(codeNow())).toMatchObject({
        status: 503,
        body: { code: 'sign_in.codes_paused', data: { detail: 'app_codes_paused' } },
      });
      scene.server.advanceClock(15 * 60_000);
      expect((await enter(codeNow())).status).toBe(200);
    });

    it('can be required of every admin', async () => {
      await setUp();
      scene.server.advanceClock(PERIOD_MS);
      const fresh = await scene.signInBrowser(scene.adminEmail);
      await scene.askAs(fresh, 'second-factor/enter', { code: codeNow() });
      expect((await scene.askAs(fresh, 'save-settings', { ...settings, requiresSecondFactor: true })).status).toBe(200);
      expect((await scene.askAs(fresh, 'second-factor/remove', {})).status).toBe(200);
      expect(await scene.askAs(fresh, 'users', {})).toMatchObject({
        status: 403,
        body: { code: 'auth.second_factor_required', data: { detail: 'set_up' } },
      });
    });

    it('is forgotten when another admin removes an admin, who may have lost the phone', async () => {
      const { db } = scene.server.database;
      const setUpAs = async (cookie: string): Promise<void> => {
        secret = String((await scene.askAs(cookie, 'second-factor/set-up', {})).body['secret']);
        expect((await scene.askAs(cookie, 'second-factor/confirm', { code: codeNow() })).status).toBe(200);
      };
      await setUp();
      await scene.ask('save-settings', { ...settings, requiresSecondFactor: true });
      const email = anEmail();
      await scene.signInBrowser(email);
      await makeAdmin(db, { email, now: scene.server.now() });
      const colleague = await scene.signInBrowser(email);
      await setUpAs(colleague);
      for (const isAdmin of [false, true]) {
        const change = { userId: scene.adminId, isAdmin, reason: 'has lost the phone' };
        expect((await scene.askAs(colleague, 'set-admin', change)).status).toBe(200);
      }
      const fresh = await scene.signInBrowser(scene.adminEmail);
      expect(await scene.askAs(fresh, 'users', {})).toMatchObject({ body: { data: { detail: 'set_up' } } });
      const { body } = await scene.askAs(colleague, 'audit', { act: 'second_factor_removed' });
      expect(body['rows']).toContainEqual(expect.objectContaining({ subjectId: scene.adminId, actor: email }));
    });

    it('that was sealed with another secret of the server can be removed by the operator', async () => {
      const { db } = scene.server.database;
      const { now } = scene.server;
      const earlier = createSecondFactor({ db, now, secret: 'another secret' });
      ({ secret } = await earlier.setUp(scene.adminId, 'admin'));
      await db.update(secondFactors).set({ confirmedAt: now() });
      expect(await scene.ask('second-factor/enter', { code: codeNow() })).toMatchObject({
        status: 401,
        body: { code: 'sign_in.code_wrong', data: { detail: 'app_code_unreadable' } },
      });
      const forget = (email = scene.adminEmail) => forgetSecondFactorOf(db, { email, now: now() });
      expect(await forget(anEmail())).toBe('no_account');
      expect(await forget()).toBe('removed');
      expect(await forget()).toBe('has_none');
      await setUp();
      const { body } = await scene.ask('audit', { act: 'second_factor_removed' });
      expect(body['rows']).toContainEqual(expect.objectContaining({ subjectId: scene.adminId, actor: null }));
    });
  });
}
