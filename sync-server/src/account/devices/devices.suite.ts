import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import {
  aPushRequest,
  joinDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';
import { INITIAL_CURSORS } from '../../../test-kit/sync/sync-stream.ts';

export function devicesSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let laptop: TestDevice;
  let phone: TestDevice;
  beforeAll(async () => {
    server = await startServer(await open());
  });
  beforeEach(async () => {
    laptop = await registerDevice(server);
    server.advanceClock(1_000);
    phone = await joinDevice(server, laptop);
    server.advanceClock(1_000);
  });
  afterAll(() => server.close());

  const idsOf = async (device: TestDevice): Promise<string[]> => (await device.devices()).map((each) => each.deviceId);
  const everyCall = (device: TestDevice) => {
    const { deviceId, token } = device;
    const headers = { authorization: `Bearer ${token}` };
    const asked = { protocol: 3, deviceId, epoch: null };
    return [
      { method: 'GET', url: '/v1/devices', headers },
      { method: 'POST', url: '/v1/devices/link-code', headers, payload: {} },
      { method: 'POST', url: '/v1/devices/revoke', headers, payload: { deviceId } },
      { method: 'POST', url: '/v1/sync/push', headers, payload: aPushRequest(server, deviceId, []) },
      {
        method: 'POST',
        url: '/v1/sync/stream',
        headers,
        payload: { ...asked, cursors: INITIAL_CURSORS, answeredSeq: 0 },
      },
      { method: 'GET', url: '/v1/sync/pokes', headers },
    ] as const;
  };

  describe("the list of a learner's devices", () => {
    it("names the account's devices and marks the caller", async () => {
      await registerDevice(server);
      expect(await laptop.devices()).toMatchObject([
        { deviceId: phone.deviceId, isThis: false, platform: 'linux', name: 'Laptop' },
        { deviceId: laptop.deviceId, isThis: true },
      ]);
      expect(await phone.devices()).toMatchObject([{ isThis: true }, { isThis: false }]);
    });

    it('starts with the device seen last', async () => {
      await laptop.push();
      expect(await idsOf(phone)).toEqual([laptop.deviceId, phone.deviceId]);
      server.advanceClock(1_000);
      await phone.push();
      expect(await idsOf(phone)).toEqual([phone.deviceId, laptop.deviceId]);
      const [first] = await laptop.devices();
      expect(first?.lastSeenAt).toBe(server.now().toISOString());
    });

    const seenAt = async (): Promise<string | undefined> =>
      (await laptop.devices()).find(({ deviceId }) => deviceId === phone.deviceId)?.lastSeenAt;

    it('shows when a device last made a call, to within a few minutes', async () => {
      server.advanceClock(60 * 60_000);
      await Promise.all([phone.pull(), phone.stream(), phone.pull()]);
      const at = server.now().toISOString();
      expect(await seenAt()).toBe(at);
      server.advanceClock(60_000);
      await phone.pull();
      expect(await seenAt()).toBe(at);
      server.advanceClock(3 * 60_000);
      await phone.pull();
      expect(await seenAt()).toBe(server.now().toISOString());
    });

    it('ignores calls with an invalid token', async () => {
      const before = await seenAt();
      server.advanceClock(60 * 60_000);
      await server.post('/v1/devices/link-code', {}, `${phone.token.slice(0, -4)}AAAA`);
      expect(await seenAt()).toBe(before);
    });

    it('contains no token and no hash', async () => {
      const { body } = await server.send(everyCall(laptop)[0]);
      const shown = ['createdAt', 'deviceId', 'isThis', 'lastSeenAt', 'name', 'platform'];
      for (const device of Object.values(body)) expect(Object.keys(device as object).toSorted()).toEqual(shown);
    });

    it('is shown only to a device of the account', async () => {
      expect(await server.send({ method: 'GET', url: '/v1/devices' })).toMatchObject({
        status: 401,
        body: { code: 'auth.required' },
      });
    });
  });

  describe('signing a device out', () => {
    it('removes it from the list', async () => {
      const { status, body } = await laptop.revoke(phone.deviceId);
      expect(status).toBe(200);
      expect(body).toMatchObject([{ deviceId: laptop.deviceId, isThis: true }]);
      expect(await idsOf(laptop)).toEqual([laptop.deviceId]);
    });

    it("refuses its every call with the reason, and no other device's", async () => {
      await laptop.revoke(phone.deviceId);
      for (const call of everyCall(phone))
        expect(await server.send(call), call.url).toMatchObject({
          status: 401,
          body: { code: 'auth.device_revoked' },
        });
      expect((await laptop.stream()).hasEnded).toBe(true);
    });

    it('can be done by the device itself', async () => {
      expect((await phone.revoke(phone.deviceId)).status).toBe(200);
      await expect(phone.pull()).rejects.toThrow('auth.device_revoked');
      expect(await idsOf(laptop)).toEqual([laptop.deviceId]);
    });

    it('is refused for the last device of an account without an address, because no device could return to it', async () => {
      await laptop.revoke(phone.deviceId);
      expect(await laptop.revoke(laptop.deviceId)).toMatchObject({ status: 409, body: { code: 'account.no_email' } });
      await laptop.pull();
    });

    it('leaves one device when both sign out at once', async () => {
      const statuses = await Promise.all([laptop.revoke(laptop.deviceId), phone.revoke(phone.deviceId)]);
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 409]));
    });

    it('is not undone by a change that the device made before', async () => {
      const change = phone.change({ table: 'users', rowId: phone.userId, fields: { jobTitle: 'Too late' } });
      await laptop.revoke(phone.deviceId);
      await expect(phone.push(change)).rejects.toThrow('auth.device_revoked');
      const users = (await laptop.pull()).filter(({ table }) => table === 'users');
      expect(users.map(({ fields }) => fields['jobTitle'])).toEqual([null]);
    });

    const others: [which: string, deviceId: () => Promise<string>][] = [
      ['that does not exist', async () => randomUUID()],
      ['of another account', async () => (await registerDevice(server)).deviceId],
      [
        'that is already signed out',
        async () => {
          await laptop.revoke(phone.deviceId);
          return phone.deviceId;
        },
      ],
    ];
    it.each(others)('answers the same for a device %s', async (_which, deviceId) => {
      const answer = await laptop.revoke(await deviceId());
      expect(answer).toMatchObject({ status: 404, body: { code: 'device.not_found' } });
      expect(answer.body).not.toHaveProperty('data.detail');
    });

    it('does not sign out a device of another account', async () => {
      const stranger = await registerDevice(server);
      await laptop.revoke(stranger.deviceId);
      expect(await idsOf(stranger)).toEqual([stranger.deviceId]);
    });

    it.each(['', null, 7, `${randomUUID()}' or '1'='1`])('refuses %j as a device id', async (deviceId) => {
      expect(await server.post('/v1/devices/revoke', { deviceId }, laptop.token)).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
    });

    it('admits the device again only with a new code and a new token', async () => {
      await laptop.revoke(phone.deviceId);
      const { body: link } = await server.post('/v1/devices/link-code', {}, laptop.token);
      const again = { deviceId: phone.deviceId, name: 'Phone', platform: 'other', code: link['code'] };
      const joined = await server.post('/v1/devices/join', again);
      expect(joined.status).toBe(200);
      expect(joined.body['token']).not.toBe(phone.token);
      expect((await idsOf(laptop)).toSorted()).toEqual([laptop.deviceId, phone.deviceId].toSorted());
      await expect(phone.pull()).rejects.toThrow('auth.required');
    });
  });
}
