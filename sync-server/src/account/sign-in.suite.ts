import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { accountDeletions, auditLog, devices, tables } from '../db/tables.ts';
import {
  anAddress,
  answerOfSignIn,
  aSigningDevice,
  type Mailbox,
  openMailbox,
  signInDevice,
  signingApp,
} from '../test-kit/mailbox.ts';
import { type CatalogueIds, catalogueIds, pushSession, sessionFields } from '../test-kit/rows.ts';
import {
  aPush,
  joinDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../test-kit/server.ts';

const MINUTE_MS = 60_000;

export function signInSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let ids: CatalogueIds;
  let email: string;
  beforeAll(async () => {
    mailbox = openMailbox();
    server = await startServer(await open(), { withCatalogue: true, enqueueMail: mailbox.enqueue });
    ids = await catalogueIds(await registerDevice(server));
  });
  beforeEach(() => {
    email = anAddress();
    server.pass(MINUTE_MS);
  });
  afterAll(() => server.close());

  const post = signingApp(() => server);
  const request = (to = email) => post('/v1/account/request-sign-in', { email: to });
  const byCode = (code: string, as?: TestDevice) =>
    post('/v1/account/sign-in', { ...aSigningDevice(), email, code }, as?.token);
  const signIn = (as: TestDevice | null = null, to = email) => signInDevice(server, mailbox, { email: to, as });
  const sessionsOf = async (device: TestDevice) =>
    (await device.pull()).filter(({ table }) => table === 'practice_history').map(({ fields }) => fields['summary']);
  const userOf = async (device: TestDevice) => (await device.pull()).find(({ table }) => table === 'users')?.fields;

  describe('whose account it becomes', () => {
    it('a device’s own, when the address has none: nothing moves, and its devices hear of it', async () => {
      const laptop = await registerDevice(server);
      const phone = await joinDevice(server, laptop);
      await pushSession(server, laptop, ids, 'mine');
      const signedIn = await signIn(laptop);
      expect(signedIn).toMatchObject({ isSameAccount: true, userId: laptop.userId, deviceId: laptop.deviceId });
      expect(await userOf(phone)).toMatchObject({ email, hasAccess: true, lastLoginAt: server.now().toISOString() });
      expect(await sessionsOf(signedIn)).toEqual(['mine']);
    });

    it('goes on counting the device’s changes where it was, under a new token', async () => {
      const laptop = await registerDevice(server);
      await pushSession(server, laptop, ids, 'before');
      const { token } = await signIn(laptop);
      await expect(laptop.pull()).rejects.toThrow('auth.required');
      const change = laptop.change({ table: 'users', rowId: laptop.userId, fields: { firstName: 'Ana' } });
      const pushed = await server.post('/v1/sync/push', aPush(server, laptop.deviceId, [change]), token);
      expect(pushed.body).toMatchObject({ outcomes: [{ status: 'applied' }], lastSeq: 2 });
    });

    it('the one that has the address: the device moves there, and leaves no row and takes none', async () => {
      const first = await signIn();
      await pushSession(server, first, ids, 'of the account');
      const laptop = await registerDevice(server);
      await pushSession(server, laptop, ids, 'of the device');
      const moved = await signIn(laptop);
      expect(moved).toMatchObject({ isSameAccount: false, userId: first.userId });
      expect(await sessionsOf(moved)).toEqual(['of the account']);
      // What it held it brings itself, once, however often it does.
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
      // Should the answer have been lost, the device is still where it was, with all that is there.
      expect(await sessionsOf(laptop)).toEqual(['of the device']);
    });

    it('a new one for an unknown address from nowhere', async () => {
      const device = await signIn();
      expect(device.isSameAccount).toBe(false);
      expect(await userOf(device)).toMatchObject({ email, hasAccess: true, isAdmin: false });
    });

    it('that of another address, for a device that is signed in already: nothing of the former one changes', async () => {
      const former = anAddress();
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

    it('the same one, signed in once more', async () => {
      const laptop = await signIn();
      const again = await signIn(laptop);
      expect(again).toMatchObject({ isSameAccount: true, userId: laptop.userId, deviceId: laptop.deviceId });
      expect(again.token).not.toBe(laptop.token);
    });

    it('one account, when two devices claim an address at once', async () => {
      for (let round = 0; round < 3; round += 1) {
        email = anAddress();
        const [laptop, phone] = [await registerDevice(server), await registerDevice(server)];
        await request();
        const laptopCode = mailbox.code(email);
        await request();
        const answers = await Promise.all([byCode(laptopCode, laptop), byCode(mailbox.code(email), phone)]);
        // The code of one spends the other's.
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
        const [first, late] = answers[0]?.status === 200 ? [answers[0], phone] : [answers[1], laptop];
        const second = await signIn(late);
        expect(first?.body).toMatchObject({ credentials: { userId: second.userId }, isSameAccount: true });
        expect(await server.database.db.$count(tables.users, eq(tables.users.email, email))).toBe(1);
      }
    });

    it('one of the two addresses, when two devices of one account claim different ones at once', async () => {
      const laptop = await registerDevice(server);
      const phone = await joinDevice(server, laptop);
      const other = anAddress();
      await request();
      await request(other);
      const answers = await Promise.all([
        byCode(mailbox.code(email), laptop),
        post('/v1/account/sign-in', { ...aSigningDevice(), email: other, code: mailbox.code(other) }, phone.token),
      ]);
      expect(answers.filter(({ body }) => body['isSameAccount'] === true)).toHaveLength(1);
    });

    it('is the same for an address in other letters', async () => {
      const device = await signIn();
      await request(` ${email.toUpperCase()} `);
      const shouted = { ...aSigningDevice(), email: email.toUpperCase(), code: mailbox.code(email) };
      const { body } = await post('/v1/account/sign-in', shouted);
      expect(body).toMatchObject({ credentials: { userId: device.userId } });
    });

    it('takes no device along that is somebody else’s', async () => {
      const victim = await registerDevice(server);
      const taking = await answerOfSignIn(server, mailbox, { email, deviceId: victim.deviceId });
      expect(taking).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
      await victim.pull();
      // Nothing was spent by it.
      const link = mailbox.link(email);
      expect(await server.post('/v1/account/sign-in-by-link', { ...aSigningDevice(), link })).toMatchObject({
        status: 200,
      });
    });

    it('lets a device in again that was signed out, under its own id', async () => {
      const laptop = await signIn();
      await laptop.revoke(laptop.deviceId);
      const again = await answerOfSignIn(server, mailbox, { email, as: laptop, deviceId: laptop.deviceId });
      expect(again).toMatchObject({ status: 200, body: { credentials: { deviceId: laptop.deviceId } } });
    });
  });

  describe('an account that its only device has left', () => {
    const leftBehind = async (userId: string) =>
      (await server.database.db.select().from(accountDeletions).where(eq(accountDeletions.userId, userId)))[0];

    it('is erased in time', async () => {
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

  it('is noted, with the time zone of the device and without its address', async () => {
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

  it('refuses a time zone and a name that no database could hold', async () => {
    await request();
    for (const wrong of [{ timeZone: 'Nowhere/Atlantis' }, { name: 'a\0b' }])
      expect(
        await post('/v1/account/sign-in', { ...aSigningDevice(), ...wrong, email, code: mailbox.code(email) }),
      ).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
    expect((await byCode(mailbox.code(email))).status).toBe(200);
  });
}
