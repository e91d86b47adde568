import { and, asc, eq, like } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { auditLog } from '../../db/tables.ts';
import { setUpWebFixture } from '../../../test-kit/account/web-fixture.ts';
import { anEmail, signInDevice } from '../../../test-kit/mailbox.ts';
import { joinDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';
import { listenForPokes } from '../../../test-kit/sync/poke-listener.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const aKey = (): string => randomBytes(32).toString('base64url');
const NOT_FOUND = { status: 404, body: { code: 'device.not_found' } };

export function deviceWipesSuite(open: () => Promise<DatabaseConnection>): void {
  const web = setUpWebFixture(open);
  let laptop: TestDevice;
  let lost: TestDevice;
  let key: string;
  beforeEach(async () => {
    web.server.advanceClock(16 * MINUTE_MS);
    laptop = await signInDevice(web.server, web.mailbox, { email: web.email });
    lost = await joinDevice(web.server, laptop);
    key = aKey();
    expect((await post('allow-wipe', { key }, lost)).status).toBe(200);
  });

  const post = (path: string, body: object, as?: TestDevice) => web.server.post(`/v1/devices/${path}`, body, as?.token);
  const list = async (as = laptop) =>
    (
      await web.server.send({
        method: 'GET',
        url: '/v1/devices/wipes',
        headers: { authorization: `Bearer ${as.token}` },
      })
    ).body;
  const wipe = (deviceId = lost.deviceId, as = laptop) => post('wipe', { deviceId }, as);
  const report = (sent: { deviceId?: string; key?: string } = {}) =>
    post('report-wiped', { deviceId: lost.deviceId, key, ...sent });
  const audited = async (): Promise<string[]> => {
    const rows = await web.server.database.db
      .select({ act: auditLog.act })
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, laptop.userId), like(auditLog.act, 'device_%')))
      .orderBy(asc(auditLog.id));
    return rows.map(({ act }) => act);
  };

  describe('deleting the data of a lost device', () => {
    it('lists only devices whose app can delete', async () => {
      await joinDevice(web.server, laptop);
      expect(await list()).toEqual({ wipeable: [lost.deviceId], wipes: [] });
    });

    it('orders it with the key in every refusal until the device has reported it', async () => {
      const { status, body } = await wipe();
      expect(status).toBe(200);
      const requested = { deviceId: lost.deviceId, name: 'Laptop', platform: 'linux' };
      const requestedAt = web.server.now().toISOString();
      expect(body).toEqual({ wipeable: [], wipes: [{ ...requested, requestedAt, wipedAt: null }] });

      const order = { status: 401, body: { code: 'auth.device_revoked', data: { wipeKey: key } } };
      expect(await lost.tryPush([])).toMatchObject(order);
      expect(await web.server.post('/v1/devices/link-code', {}, lost.token)).toMatchObject(order);
      await expect(lost.pull()).rejects.toThrow(key);

      web.server.advanceClock(MINUTE_MS);
      expect((await report()).status).toBe(200);
      const wipedAt = web.server.now().toISOString();
      web.server.advanceClock(MINUTE_MS);
      expect((await report()).status).toBe(200);
      expect(await list()).toMatchObject({ wipes: [{ requestedAt, wipedAt }] });
      await expect(lost.pull()).rejects.not.toThrow(key);
      expect(await audited()).toEqual(['device_wipe_requested', 'device_wiped']);

      web.server.advanceClock(90 * DAY_MS);
      expect(await list()).toMatchObject({ wipes: [] });
    });

    it('disconnects the device, so that it gets the order at once', async () => {
      const address = await web.server.listen();
      const pokes = await listenForPokes(address, lost);
      await wipe();
      await pokes.closed;
    });

    it('needs a code that was entered in the last ten minutes', async () => {
      web.server.advanceClock(10 * MINUTE_MS);
      expect(await wipe()).toMatchObject({ status: 403, body: { code: 'auth.confirmation_required' } });
      await lost.pull();
      expect(await audited()).toEqual([]);
    });

    it('is not possible for the calling device, an older app, or a device that is signed out', async () => {
      const older = await joinDevice(web.server, laptop);
      await post('allow-wipe', { key: aKey() }, laptop);
      for (const deviceId of [laptop.deviceId, older.deviceId]) expect(await wipe(deviceId)).toMatchObject(NOT_FOUND);
      await wipe();
      expect(await wipe()).toMatchObject(NOT_FOUND);
      await Promise.all([laptop.pull(), older.pull()]);
      expect(await audited()).toEqual(['device_wipe_requested']);
    });

    it("is not possible for another account's device, or without an address", async () => {
      const stranger = await signInDevice(web.server, web.mailbox, { email: anEmail() });
      expect(await wipe(lost.deviceId, stranger)).toMatchObject(NOT_FOUND);
      const anonymous = await registerDevice(web.server);
      const second = await joinDevice(web.server, anonymous);
      await post('allow-wipe', { key: aKey() }, second);
      expect(await wipe(second.deviceId, anonymous)).toMatchObject({ status: 409, body: { code: 'account.no_email' } });
      await Promise.all([lost.pull(), second.pull()]);
    });

    it('does not follow from merely signing a device out', async () => {
      await laptop.revoke(lost.deviceId);
      expect(await lost.tryPush([])).toMatchObject({ status: 401, body: { code: 'auth.device_revoked' } });
      await expect(lost.pull()).rejects.not.toThrow(key);
      expect(await report()).toMatchObject(NOT_FOUND);
      expect(await list()).toEqual({ wipeable: [], wipes: [] });
    });

    it('is reported only by the device that has the key', async () => {
      expect(await report()).toMatchObject(NOT_FOUND);
      await wipe();
      expect(await report({ key: aKey() })).toMatchObject(NOT_FOUND);
      expect(await report({ deviceId: laptop.deviceId })).toMatchObject(NOT_FOUND);
      expect(await list()).toMatchObject({ wipes: [{ wipedAt: null }] });
    });

    it('cannot be given another key once the device is signed out', async () => {
      await wipe();
      expect(await post('allow-wipe', { key: aKey() }, lost)).toMatchObject({ status: 401 });
      expect(await lost.tryPush([])).toMatchObject({ body: { data: { wipeKey: key } } });
    });
  });
}
