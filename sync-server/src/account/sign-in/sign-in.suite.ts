import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { accountDeletions, auditLog, devices, tables } from '../../db/tables.ts';
import {
  anEmail,
  requestAndSignIn,
  aDeviceToSignIn,
  type Mailbox,
  createMailbox,
  signInDevice,
  createSignInApp,
} from '../../../test-kit/mailbox.ts';
import { type CatalogueIds, catalogueIds, pushSession, sessionFields } from '../../../test-kit/sync/rows.ts';
import {
  aPushRequest,
  joinDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

const MINUTE_MS = 60_000;

export function signInSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let ids: CatalogueIds;
  let email: string;
  beforeAll(async () => {
    mailbox = createMailbox();
    server = await startServer(await open(), { withCatalogue: true, enqueueMail: mailbox.enqueue });
    ids = await catalogueIds(await registerDevice(server));
  });
  beforeEach(() => {
    email = anEmail();
    server.advanceClock(MINUTE_MS);
  });
  afterAll(() => server.close());

  const post = createSignInApp(() => server);
  const request = (to = email) => post('/v1/account/request-sign-in', { email: to });
  const byCode = (code: string, as?: TestDevice) =>
    post('/v1/account/sign-in', { ...aDeviceToSignIn(), email, code }, as?.token);
  const signIn = (as: TestDevice | null = null, to = email) => signInDevice(server, mailbox, { email: to, as });
  const sessionsOf = async (device: TestDevice) =>
    (await device.pull()).filter(({ table }) => table === 'practice_history').map(({ fields }) => fields['summary']);
  const userOf = async (device: TestDevice) => (await device.pull()).find(({ table }) => table === 'users')?.fields;

  describe('signing in', () => {
    it("gives a device's own account the address when no account has it", async () => {
      const laptop = await registerDevice(server);
      const phone = await joinDevice(server, laptop);
      await pushSession(server, laptop, ids, 'mine');
      const signedIn = await signIn(laptop);
      expect(signedIn).toMatchObject({ isSameAccount: true, userId: laptop.userId, deviceId: laptop.deviceId });
      expect(await userOf(phone)).toMatchObject({ email, hasAccess: true, lastLoginAt: server.now().toISOString() });
      expect(await sessionsOf(signedIn)).toEqual(['mine']);
    });

    it("keeps the device's sequence numbers under a new token", async () => {
      const laptop = await registerDevice(server);
      await pushSession(server, laptop, ids, 'before');
      const { token } = await signIn(laptop);
      await expect(laptop.pull()).rejects.toThrow('auth.required');
      const change = laptop.change({ table: 'users', rowId: laptop.userId, fields: { firstName: 'Ana' } });
      const pushed = await server.post('/v1/sync/push', aPushRequest(server, laptop.deviceId, [change]), token);
      expect(pushed.body).toMatchObject({ outcomes: [{ status: 'applied' }], lastSeq: 2 });
    });

    it('moves the device to the account that has the address, without its rows', async () => {
      const first = await signIn();
      await pushSession(server, first, ids, 'of the account');
      const laptop = await registerDevice(server);
      await pushSession(server, laptop, ids, 'of the device');
      const moved = await signIn(laptop);
      expect(moved).toMatchObject({ isSameAccount: false, userId: first.userId });
      expect(await sessionsOf(moved)).toEqual(['of the account']);
      // The device pushes its own data again. Sending it twice leaves one row.
      const rowId = randomUUID();
      for (let time = 0; time < 2; time += 1)
        await moved.push(
          moved.change({
            table: 'practice_history',
            rowId,
            fields: sessionFields(ids, moved.userId, 'of the device'),
          }),
        );
      expect(new Set(await sessionsOf(first))).toEqual(new Set(['of the account', 'of the device']));
      expect(await sessionsOf(first)).toHaveLength(2);
      // If the response was lost, the device can still use its former account.
      expect(await sessionsOf(laptop)).toEqual(['of the device']);
    });

    it('creates an account for an unknown address', async () => {
      const device = await signIn();
      expect(device.isSameAccount).toBe(false);
      expect(await userOf(device)).toMatchObject({ email, hasAccess: true, isAdmin: false });
    });

    it('moves a signed-in device and leaves its former account unchanged', async () => {
      const former = anEmail();
      const laptop = await signIn(null, former);
      await pushSession(server, laptop, ids, 'of the former');
      const before = await laptop.pull();
      const moved = await signIn(laptop);
      expect(moved).toMatchObject({ isSameAccount: false });
      expect(moved.userId).not.toBe(laptop.userId);
      expect(await laptop.pull()).toEqual(before);
      expect(await userOf(moved)).toMatchObject({ email });
      const left = await server.database.db.$count(accountDeletions, eq(accountDeletions.userId, laptop.userId));
      expect(left).toBe(0);
    });

    it('again keeps the account and replaces the token', async () => {
      const laptop = await signIn();
      const again = await signIn(laptop);
      expect(again).toMatchObject({ isSameAccount: true, userId: laptop.userId, deviceId: laptop.deviceId });
      expect(again.token).not.toBe(laptop.token);
    });

    it('makes one account when two devices claim an address at once', async () => {
      for (let round = 0; round < 3; round += 1) {
        email = anEmail();
        const [laptop, phone] = [await registerDevice(server), await registerDevice(server)];
        await request();
        const laptopCode = mailbox.code(email);
        await request();
        const answers = await Promise.all([byCode(laptopCode, laptop), byCode(mailbox.code(email), phone)]);
        // The code of one device spends the other device's code.
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
        const [first, late] = answers[0]?.status === 200 ? [answers[0], phone] : [answers[1], laptop];
        const second = await signIn(late);
        expect(first?.body).toMatchObject({ credentials: { userId: second.userId }, isSameAccount: true });
        expect(await server.database.db.$count(tables.users, eq(tables.users.email, email))).toBe(1);
      }
    });

    it('gives an account one of two addresses that are claimed at once', async () => {
      const laptop = await registerDevice(server);
      const phone = await joinDevice(server, laptop);
      const other = anEmail();
      await request();
      await request(other);
      const answers = await Promise.all([
        byCode(mailbox.code(email), laptop),
        post('/v1/account/sign-in', { ...aDeviceToSignIn(), email: other, code: mailbox.code(other) }, phone.token),
      ]);
      expect(answers.filter(({ body }) => body['isSameAccount'] === true)).toHaveLength(1);
    });

    it('ignores the case of the address', async () => {
      const device = await signIn();
      await request(` ${email.toUpperCase()} `);
      const shouted = { ...aDeviceToSignIn(), email: email.toUpperCase(), code: mailbox.code(email) };
      const { body } = await post('/v1/account/sign-in', shouted);
      expect(body).toMatchObject({ credentials: { userId: device.userId } });
    });

    it('does not move a device without its token', async () => {
      const victim = await registerDevice(server);
      const taking = await requestAndSignIn(server, mailbox, { email, deviceId: victim.deviceId });
      expect(taking).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
      await victim.pull();
      // The refused attempt spent nothing.
      const link = mailbox.link(email);
      expect(await server.post('/v1/account/sign-in-by-link', { ...aDeviceToSignIn(), link })).toMatchObject({
        status: 200,
      });
    });

    it('admits a signed-out device under its own id', async () => {
      const laptop = await signIn();
      await laptop.revoke(laptop.deviceId);
      const again = await requestAndSignIn(server, mailbox, { email, as: laptop, deviceId: laptop.deviceId });
      expect(again).toMatchObject({ status: 200, body: { credentials: { deviceId: laptop.deviceId } } });
    });
  });

  describe('an account that its only device has left', () => {
    const leftBehind = async (userId: string) =>
      (await server.database.db.select().from(accountDeletions).where(eq(accountDeletions.userId, userId)))[0];

    it('is scheduled for erasure', async () => {
      const home = await signIn();
      const laptop = await registerDevice(server);
      await signIn(laptop);
      expect(await leftBehind(laptop.userId)).toMatchObject({ leftFor: home.userId });
    });

    it('is kept while another device is on it', async () => {
      await signIn();
      const laptop = await registerDevice(server);
      await joinDevice(server, laptop);
      await signIn(laptop);
      expect(await leftBehind(laptop.userId)).toBeUndefined();
    });
  });

  it("signing in is logged with the device's time zone and without the address", async () => {
    const device = await signIn();
    const { db } = server.database;
    const entries = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, device.userId)));
    expect(entries.map(({ act }) => act).toSorted()).toEqual(['access_granted', 'signed_in']);
    expect(JSON.stringify(entries)).not.toContain(email);
    const [row] = await db.select().from(devices).where(eq(devices.deviceId, device.deviceId));
    expect(row?.timeZone).toBe('Europe/Berlin');
  });

  it('signing in refuses an unknown time zone and an unstorable name', async () => {
    await request();
    for (const wrong of [{ timeZone: 'Nowhere/Atlantis' }, { name: 'a\0b' }])
      expect(
        await post('/v1/account/sign-in', { ...aDeviceToSignIn(), ...wrong, email, code: mailbox.code(email) }),
      ).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
    expect((await byCode(mailbox.code(email))).status).toBe(200);
  });
}
