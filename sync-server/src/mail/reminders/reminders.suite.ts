import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installStarterCatalogue } from '../../catalogue/index.ts';
import type { DatabaseConnection } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { auditLog, devices, tables } from '../../db/tables.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import {
  DAY_MS,
  HOUR_MS,
  createMailFor,
  MINUTE_MS,
  setUpMailFixture,
  type StoredMail,
} from '../../../test-kit/mail/mail-fixture.ts';

const summarise = (mails: readonly Pick<StoredMail, 'kind' | 'step' | 'state'>[]): string[] =>
  mails.map(({ kind, step, state }) => `${kind} ${step} ${state}`);

export function remindersSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailFixture(open);
  const runOnce = async (mail = scene.mail): Promise<void> => {
    await mail.remind();
    await mail.sendDue();
  };
  /** Runs as often as the schedule does, every ten minutes. */
  const runFor = async (ms: number, every = 10 * MINUTE_MS): Promise<void> => {
    for (let gone = 0; gone < ms; gone += every) {
      await runOnce();
      scene.advanceClock(every);
    }
  };
  const addPractice = async (userId: string): Promise<string> => {
    await installStarterCatalogue({ db: scene.database.db, now: scene.now });
    const [practice] = await scene.database.db.select().from(tables.practices);
    const sessionId = randomUUID();
    await scene.database.db.insert(tables.practiceHistory).values({
      id: sessionId,
      practiceId: practice?.practiceId ?? '',
      userId,
      agentId: practice?.agentId ?? '',
      entireConversation: [],
      completedObjectives: [],
      duration: 0,
      communicationStyle: 'text',
      status: 'in_progress',
      difficulty: 'easy',
      createdAt: scene.now(),
      updatedAt: scene.now(),
      syncVersion: 1,
    });
    return sessionId;
  };
  const addTurn = async (userId: string, sessionId: string, role: 'coach' | 'learner'): Promise<void> => {
    const interactionId = randomUUID();
    const at = scene.now().toISOString();
    await scene.database.db.execute(sql`
      insert into user_course_interaction
        (interaction_id, user_id, interaction_type, "timestamp", details, created_at, updated_at, sync_version)
      values (${interactionId}, ${userId}, 'practice', ${at}, '{}', ${at}, ${at}, 1)`);
    await scene.database.db.execute(sql`
      insert into ai_conversations
        (conversation_id, interaction_id, user_id, content, role, session_id, created_at, updated_at, sync_version)
      values (${randomUUID()}, ${interactionId}, ${userId}, 'Hello.', ${role}, ${sessionId}, ${at}, ${at}, 1)`);
  };
  const addSignIn = (userId: string): Promise<unknown> =>
    scene.database.db
      .insert(auditLog)
      .values({ id: randomUUID(), at: scene.now(), actorId: userId, subjectId: userId, act: 'signed_in' });
  const welcome = (learner: { userId: string; email: string }) =>
    scene.database.db.transaction((tx) =>
      scene.mail.enqueue(tx, {
        userId: learner.userId,
        to: learner.email,
        kind: 'access_link',
        step: randomUUID(),
        data: { firstName: null, link: 'https://parley.example/x' },
      }),
    );

  describe('a learner who has not signed in', () => {
    it('is reminded three times, always in the daytime', async () => {
      const { userId } = await scene.createLearner({ timeZone: 'America/New_York' });
      await runFor(40 * DAY_MS, 3 * HOUR_MS);
      const mails = await scene.mailsOf(userId);
      expect(summarise(mails)).toEqual(['not_logged_in 1 sent', 'not_logged_in 2 sent', 'not_logged_in 3 sent']);
      const hours = mails.map(({ sentAt }) =>
        Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: 'numeric' }).format(sentAt ?? 0)),
      );
      expect(Math.min(...hours)).toBeGreaterThanOrEqual(9);
      expect(Math.max(...hours)).toBeLessThan(20);
      expect(await scene.userRow(userId)).toMatchObject({ notLoggedInAfterAccessEmailSent: true });
    });

    it('is reminded to practise instead after signing in', { tags: ['slow'] }, async () => {
      const { userId } = await scene.createLearner();
      await runFor(3 * DAY_MS, HOUR_MS);
      await addSignIn(userId);
      await runFor(10 * DAY_MS, HOUR_MS);
      expect(summarise(await scene.mailsOf(userId)).map((what) => what.replace(/ \d sent$/, ''))).toEqual([
        'not_logged_in',
        'not_yet_practised',
        'not_yet_practised',
      ]);
    });

    it('is reminded after opening a practice, until they say something', { tags: ['slow'] }, async () => {
      const { userId } = await scene.createLearner();
      await addSignIn(userId);
      const sessionId = await addPractice(userId);
      await addTurn(userId, sessionId, 'coach');
      scene.advanceClock(2 * DAY_MS);
      await runOnce();
      expect(summarise(await scene.mailsOf(userId))).toEqual(['not_yet_practised 1 sent']);
      await addTurn(userId, sessionId, 'learner');
      await runFor(20 * DAY_MS, HOUR_MS);
      expect(summarise(await scene.mailsOf(userId))).toEqual(['not_yet_practised 1 sent']);
    });

    it('counts as signed in once a device was seen, whatever others practise', async () => {
      const { userId } = await scene.createLearner();
      const other = await scene.createLearner({ emailNotifications: false });
      await addPractice(other.userId);
      scene.advanceClock(HOUR_MS);
      await scene.database.db.update(devices).set({ lastSeenAt: scene.now() }).where(eq(devices.userId, userId));
      scene.advanceClock(2 * DAY_MS);
      await runOnce();
      expect(summarise(await scene.mailsOf(userId))).toEqual(['not_yet_practised 1 sent']);
    });
  });

  describe('a learner whose app was open before the access', () => {
    let server: TestServer;
    let device: TestDevice;
    beforeAll(async () => {
      server = await startServer(await open());
      device = await registerDevice(server);
      const { userId } = device;
      await server.database.db
        .update(tables.users)
        .set({ email: `${userId}@example.org`, hasAccess: true })
        .where(eq(tables.users.userId, userId));
    });
    afterAll(() => server.close());

    it.each([
      ['pulled', () => device.pull()],
      ['listed its devices', () => device.devices()],
    ])('and that only %s since then gets no reminder to sign in', async (_what, call) => {
      const { db } = server.database;
      await db.delete(mails);
      const before = new Date(server.now().getTime() - HOUR_MS);
      await db.update(tables.users).set({ accessDate: server.now() }).where(eq(tables.users.userId, device.userId));
      await db.update(devices).set({ lastSeenAt: before }).where(eq(devices.userId, device.userId));
      server.advanceClock(4 * MINUTE_MS);
      await call();
      server.advanceClock(2 * DAY_MS);
      expect(await createMailFor(server).remind()).toBe(1);
      expect((await db.select().from(mails)).map(({ kind }) => kind)).toEqual(['not_yet_practised']);
    });
  });

  describe('a reminder that is due', () => {
    it('is checked again before it is sent', async () => {
      const { userId } = await scene.createLearner();
      scene.advanceClock(2 * DAY_MS);
      expect(await scene.mail.remind()).toBe(1);
      await addSignIn(userId);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 1 });
      expect(summarise(await scene.mailsOf(userId))).toEqual(['not_logged_in 1 suppressed']);
      expect(await scene.userRow(userId)).toMatchObject({ notLoggedInAfterAccessEmailSent: false });
    });

    it('waits until morning if the mail server delayed it into the night', { tags: ['slow'] }, async () => {
      const { userId } = await scene.createLearner();
      scene.advanceClock(2 * DAY_MS + 7.5 * HOUR_MS);
      scene.scriptedTransport.answer = () => ({ outcome: 'deferred', trouble: 'away' });
      await runFor(30 * MINUTE_MS);
      scene.scriptedTransport.answer = () => ({ outcome: 'accepted' });
      await runFor(DAY_MS);
      const [mail] = await scene.mailsOf(userId);
      expect(mail).toMatchObject({ state: 'sent', tries: 3 });
      expect(mail?.sentAt?.toISOString()).toBe('2026-11-21T09:00:00.000Z');
    });

    it('that was suppressed is not queued again', async () => {
      const { userId } = await scene.createLearner();
      let links = 0;
      const mail = scene.anotherServer({ makeAccessLink: async () => `https://parley.example/${(links += 1)}` });
      scene.advanceClock(2 * DAY_MS);
      await mail.remind();
      await scene.database.db
        .update(tables.users)
        .set({ emailNotifications: false })
        .where(eq(tables.users.userId, userId));
      await mail.sendDue();
      await scene.database.db
        .update(tables.users)
        .set({ emailNotifications: true })
        .where(eq(tables.users.userId, userId));
      for (let hour = 0; hour < 6; hour += 1) {
        await runOnce(mail);
        scene.advanceClock(HOUR_MS);
      }
      expect(summarise(await scene.mailsOf(userId))).toEqual(['not_logged_in 1 suppressed']);
      expect(links).toBe(1);
    });

    it('is queued once by several servers', async () => {
      const learners = await Promise.all(Array.from({ length: 12 }, () => scene.createLearner()));
      scene.advanceClock(2 * DAY_MS);
      const other = scene.anotherServer();
      const counts = await Promise.all([scene.mail.remind(), other.remind(), scene.mail.remind()]);
      expect(counts.reduce((a, b) => a + b)).toBe(learners.length);
      await Promise.all([scene.mail.sendDue(), other.sendDue()]);
      expect(scene.scriptedTransport.sent).toHaveLength(learners.length);
    });

    it("sets its flag in the learner's row under a new version", async () => {
      const moved: [string, number][] = [];
      const { userId } = await scene.createLearner();
      scene.advanceClock(2 * DAY_MS);
      const mail = scene.anotherServer({ onChanged: (...news) => moved.push(news) });
      await runOnce(mail);
      const row = await scene.userRow(userId);
      expect(row).toMatchObject({ notLoggedInAfterAccessEmailSent: true, syncVersion: 2, updatedAt: scene.now() });
      expect(moved).toEqual([[userId, 2]]);
    });
  });

  describe('an access mail that did not arrive', () => {
    it.each([
      ['bounced', () => ({ outcome: 'refused', trouble: '550' }) as const],
      ['was never accepted', () => ({ outcome: 'deferred', trouble: '451' }) as const],
    ])('because it %s is sent twice more and reported once to each admin', { tags: ['slow'] }, async (_why, answer) => {
      const learner = await scene.createLearner();
      const admins = [
        await scene.createLearner({ isAdmin: true, emailNotifications: false }),
        await scene.createLearner({ isAdmin: true, emailNotifications: false }),
      ];
      scene.scriptedTransport.answer = ({ subject }) =>
        subject.includes('access') || subject.includes('link again') ? answer() : { outcome: 'accepted' };
      await welcome(learner);
      await runFor(9 * DAY_MS, 30 * MINUTE_MS);
      const mails = (await scene.mailsOf(learner.userId)).filter(({ kind }) => kind === 'access_link_again');
      expect(mails.map(({ step }) => step)).toEqual(['1', '2']);
      const [first, second] = mails.map(({ createdAt }) => createdAt.getTime());
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2 * DAY_MS);
      expect((await scene.mail.listUndelivered()).map(({ kind }) => kind)).toContain('access_link_again');
      expect(scene.scriptedTransport.sent.filter(({ subject }) => subject.includes('link again'))).toEqual([]);
      const told = scene.scriptedTransport.sent.filter(
        ({ subject }) => subject === 'A sign-in link for Parley didn’t arrive',
      );
      expect(told.map(({ to }) => to).toSorted()).toEqual(admins.map(({ email }) => email).toSorted());
      for (const { text } of told) expect(text).toContain(learner.email);
      for (const { userId } of admins) {
        await scene.database.db.update(tables.users).set({ isAdmin: false }).where(eq(tables.users.userId, userId));
      }
    });

    it('is replaced by a new one after half an hour', { tags: ['slow'] }, async () => {
      const learner = await scene.createLearner();
      let isAway = true;
      scene.scriptedTransport.answer = () =>
        isAway ? { outcome: 'deferred', trouble: 'away' } : { outcome: 'accepted' };
      await welcome(learner);
      await runFor(30 * MINUTE_MS);
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ kind: 'access_link', state: 'queued' }]);
      isAway = false;
      await runFor(DAY_MS);
      expect(scene.scriptedTransport.sent.map(({ subject }) => subject)).toEqual(['Here’s your Parley link again']);
      expect(await scene.userRow(learner.userId)).toMatchObject({ accessLinkNotReceivedEmailSent: true });
    });
  });

  it('two servers send reminders for four weeks without breaking any rule', { tags: ['slow'] }, async () => {
    const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Auckland'];
    const learners = await Promise.all(
      Array.from({ length: 20 }, async (_none, index) => {
        const timeZone = zones[index % zones.length] ?? 'UTC';
        return {
          ...(await scene.createLearner({ timeZone })),
          timeZone,
          signsInAtDay: index % 4 === 0 ? null : index / 2,
          isIn: false,
        };
      }),
    );
    const start = scene.now().getTime();
    const sentAt: { to: string; atMs: number; subject: string }[] = [];
    scene.scriptedTransport.answer = ({ to, subject }) => {
      const learner = learners.find(({ email }) => email === to);
      const hour = Number(
        new Intl.DateTimeFormat('en-GB', { timeZone: learner?.timeZone ?? 'UTC', hour: 'numeric' }).format(scene.now()),
      );
      expect(hour >= 9 && hour < 20).toBe(true);
      expect(learner?.isIn && subject.includes('access')).toBe(false);
      sentAt.push({ to, atMs: scene.now().getTime(), subject });
      return { outcome: 'accepted' };
    };
    const other = scene.anotherServer();
    for (let hour = 0; hour < 24 * 28; hour += 3) {
      for (const learner of learners)
        if (!learner.isIn && learner.signsInAtDay !== null && hour / 24 >= learner.signsInAtDay) {
          await addSignIn(learner.userId);
          learner.isIn = true;
        }
      await Promise.all([runOnce(), runOnce(other)]);
      scene.advanceClock(3 * HOUR_MS);
    }
    expect(sentAt.length).toBeGreaterThan(35);
    for (const { email } of learners) {
      const own = sentAt.filter(({ to }) => to === email);
      expect(new Set(own.map(({ subject }) => subject)).size).toBe(own.length);
      own.forEach(({ atMs }, index) => {
        expect(atMs - (own[index - 1]?.atMs ?? -Infinity)).toBeGreaterThanOrEqual(2 * DAY_MS);
        expect(atMs - (own[index - 3]?.atMs ?? -Infinity)).toBeGreaterThanOrEqual(14 * DAY_MS);
      });
    }
    expect(scene.now().getTime() - start).toBe(28 * DAY_MS);
  });
}
