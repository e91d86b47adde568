import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bringInStarterCatalogue } from '../catalogue/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage, auditLog, devices, mails, tables } from '../db/tables.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';
import { DAY_MS, HOUR_MS, mailOf, MINUTE_MS, setUpMailScene, type StoredMail } from './test-kit/mail-scene.ts';

const whatOf = (mails: readonly Pick<StoredMail, 'kind' | 'step' | 'state'>[]): string[] =>
  mails.map(({ kind, step, state }) => `${kind} ${step} ${state}`);

export function remindersSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailScene(open);
  const round = async (mail = scene.mail): Promise<void> => {
    await mail.remind();
    await mail.sendDue();
  };
  /** Every ten minutes, as the schedule does. */
  const live = async (ms: number, every = 10 * MINUTE_MS): Promise<void> => {
    for (let gone = 0; gone < ms; gone += every) {
      await round();
      scene.pass(every);
    }
  };
  const practises = async (userId: string): Promise<void> => {
    await bringInStarterCatalogue({ db: scene.database.db, now: scene.now });
    const [practice] = await scene.database.db.select().from(tables.practices);
    await scene.database.db.insert(tables.practiceHistory).values({
      id: randomUUID(),
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
  };
  const signsIn = (userId: string): Promise<unknown> =>
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

  describe('a learner who does not come', () => {
    it('is reminded three times, each in the daytime, and then let be', async () => {
      const { userId } = await scene.aLearner({ timeZone: 'America/New_York' });
      await live(40 * DAY_MS, 3 * HOUR_MS);
      const mails = await scene.mailsOf(userId);
      expect(whatOf(mails)).toEqual(['not_logged_in 1 sent', 'not_logged_in 2 sent', 'not_logged_in 3 sent']);
      const hours = mails.map(({ sentAt }) =>
        Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: 'numeric' }).format(sentAt ?? 0)),
      );
      expect(Math.min(...hours)).toBeGreaterThanOrEqual(9);
      expect(Math.max(...hours)).toBeLessThan(20);
      expect(await scene.userRow(userId)).toMatchObject({ notLoggedInAfterAccessEmailSent: true });
    });

    it('is reminded of nothing from the moment when they sign in, and then of practising', async () => {
      const { userId } = await scene.aLearner();
      await live(3 * DAY_MS, HOUR_MS);
      await signsIn(userId);
      await live(10 * DAY_MS, HOUR_MS);
      expect(whatOf(await scene.mailsOf(userId)).map((what) => what.replace(/ \d sent$/, ''))).toEqual([
        'not_logged_in',
        'not_yet_practised',
        'not_yet_practised',
      ]);
    });

    it('counts as signed in where a device of theirs was seen since; what others practise is not theirs', async () => {
      const { userId } = await scene.aLearner();
      const other = await scene.aLearner({ emailNotifications: false });
      await practises(other.userId);
      scene.pass(HOUR_MS);
      await scene.database.db.update(devices).set({ lastSeenAt: scene.now() }).where(eq(devices.userId, userId));
      scene.pass(2 * DAY_MS);
      await round();
      expect(whatOf(await scene.mailsOf(userId))).toEqual(['not_yet_practised 1 sent']);
    });
  });

  describe('a learner whose app was open before they had access', () => {
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
      ['pulls', () => device.pull()],
      ['asks who is signed in', () => device.devices()],
    ])('and that only %s since is not told to sign in', async (_what, call) => {
      const { db } = server.database;
      await db.delete(mails);
      const before = new Date(server.now().getTime() - HOUR_MS);
      await db.update(tables.users).set({ accessDate: server.now() }).where(eq(tables.users.userId, device.userId));
      await db.update(devices).set({ lastSeenAt: before }).where(eq(devices.userId, device.userId));
      server.pass(4 * MINUTE_MS);
      await call();
      server.pass(2 * DAY_MS);
      expect(await mailOf(server).remind()).toBe(1);
      expect((await db.select().from(mails)).map(({ kind }) => kind)).toEqual(['not_yet_practised']);
    });
  });

  describe('what was found due', () => {
    it('is looked at again before it is sent', async () => {
      const { userId } = await scene.aLearner();
      scene.pass(2 * DAY_MS);
      expect(await scene.mail.remind()).toBe(1);
      await signsIn(userId);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, dropped: 1 });
      expect(whatOf(await scene.mailsOf(userId))).toEqual(['not_logged_in 1 dropped']);
      expect(await scene.userRow(userId)).toMatchObject({ notLoggedInAfterAccessEmailSent: false });
    });

    it('waits for the morning when a mail server kept it until the night', async () => {
      const { userId } = await scene.aLearner();
      scene.pass(2 * DAY_MS + 7.5 * HOUR_MS);
      scene.post.answer = () => ({ outcome: 'deferred', trouble: 'away' });
      await live(30 * MINUTE_MS);
      scene.post.answer = () => ({ outcome: 'accepted' });
      await live(DAY_MS);
      const [mail] = await scene.mailsOf(userId);
      expect(mail).toMatchObject({ state: 'sent', tries: 3 });
      expect(mail?.sentAt?.toISOString()).toBe('2026-11-21T09:00:00.000Z');
    });

    it('and was dropped is not written down again, nor a link made for it', async () => {
      const { userId } = await scene.aLearner();
      let links = 0;
      const mail = scene.anotherServer({ makeAccessLink: async () => `https://parley.example/${(links += 1)}` });
      scene.pass(2 * DAY_MS);
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
        await round(mail);
        scene.pass(HOUR_MS);
      }
      expect(whatOf(await scene.mailsOf(userId))).toEqual(['not_logged_in 1 dropped']);
      expect(links).toBe(1);
    });

    it('is written down once, whichever server looks', async () => {
      const learners = await Promise.all(Array.from({ length: 12 }, () => scene.aLearner()));
      scene.pass(2 * DAY_MS);
      const other = scene.anotherServer();
      const counts = await Promise.all([scene.mail.remind(), other.remind(), scene.mail.remind()]);
      expect(counts.reduce((a, b) => a + b)).toBe(learners.length);
      await Promise.all([scene.mail.sendDue(), other.sendDue()]);
      expect(scene.post.sent).toHaveLength(learners.length);
    });

    it('sets its flag in the learner’s row under a version of its own', async () => {
      const moved: [string, number][] = [];
      const { userId } = await scene.aLearner();
      scene.pass(2 * DAY_MS);
      const mail = scene.anotherServer({ changed: (...news) => moved.push(news) });
      await round(mail);
      const row = await scene.userRow(userId);
      expect(row).toMatchObject({ notLoggedInAfterAccessEmailSent: true, syncVersion: 2, updatedAt: scene.now() });
      expect(moved).toEqual([[userId, 2]]);
    });
  });

  describe('a mail with the link that did not arrive', () => {
    it.each([
      ['came back', () => ({ outcome: 'refused', trouble: '550' }) as const],
      ['is not taken by any mail server', () => ({ outcome: 'deferred', trouble: '451' }) as const],
    ])(
      'because it %s is sent again twice at most, two days apart, and each admin is told once',
      async (_why, answer) => {
        const learner = await scene.aLearner();
        const admins = [
          await scene.aLearner({ isAdmin: true, emailNotifications: false }),
          await scene.aLearner({ isAdmin: true, emailNotifications: false }),
        ];
        scene.post.answer = ({ subject }) =>
          subject.includes('access') || subject.includes('once more') ? answer() : { outcome: 'accepted' };
        await welcome(learner);
        await live(9 * DAY_MS, 30 * MINUTE_MS);
        const mails = (await scene.mailsOf(learner.userId)).filter(({ kind }) => kind === 'access_link_again');
        expect(mails.map(({ step }) => step)).toEqual(['1', '2']);
        const [first, second] = mails.map(({ createdAt }) => createdAt.getTime());
        expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2 * DAY_MS);
        expect((await scene.mail.troubles()).map(({ kind }) => kind)).toContain('access_link_again');
        expect(scene.post.sent.filter(({ subject }) => subject.includes('once more'))).toEqual([]);
        const told = scene.post.sent.filter(({ subject }) => subject === 'A link to Parley did not arrive');
        expect(told.map(({ to }) => to).toSorted()).toEqual(admins.map(({ email }) => email).toSorted());
        for (const { text } of told) expect(text).toContain(learner.email);
        for (const { userId } of admins) {
          await scene.database.db.update(tables.users).set({ isAdmin: false }).where(eq(tables.users.userId, userId));
        }
      },
    );

    it('is sent again half an hour later, in the place of the first', async () => {
      const learner = await scene.aLearner();
      let isAway = true;
      scene.post.answer = () => (isAway ? { outcome: 'deferred', trouble: 'away' } : { outcome: 'accepted' });
      await welcome(learner);
      await live(30 * MINUTE_MS);
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ kind: 'access_link', state: 'waiting' }]);
      isAway = false;
      await live(DAY_MS);
      expect(scene.post.sent.map(({ subject }) => subject)).toEqual(['Your link to Parley, once more']);
      expect(await scene.userRow(learner.userId)).toMatchObject({ accessLinkNotReceivedEmailSent: true });
    });
  });

  describe('a learner whose minutes run short', () => {
    const used = (userId: string, seconds: number, daysAgo = 0) =>
      scene.database.db.insert(aiUsage).values({
        id: randomUUID(),
        userId,
        use: 'live',
        style: 'turn_based',
        seconds,
        at: new Date(scene.now().getTime() - daysAgo * DAY_MS),
        localDay: new Date(scene.now().getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10),
      });
    const practising = async () => {
      const learner = await scene.aLearner({ accessDate: new Date(scene.now().getTime() - 60 * DAY_MS) });
      // Reminders to practise are long over.
      await scene.database.db
        .update(tables.users)
        .set({ lastLoginAt: new Date(scene.now().getTime() - 59 * DAY_MS) })
        .where(eq(tables.users.userId, learner.userId));
      return learner;
    };
    const subscribe = (userId: string, planType: 'PLUS' | 'PRO', period = { sinceDays: 10, forDays: 20 }) =>
      scene.database.db.insert(tables.subscriptions).values({
        subscriptionId: randomUUID(),
        userId,
        planType,
        quota: 36_000,
        remainingTime: 36_000,
        cancelAt: null,
        cancelAtPeriodEnd: false,
        canceledAt: null,
        currentPeriodStart: new Date(scene.now().getTime() - period.sinceDays * DAY_MS),
        currentPeriodEnd: new Date(scene.now().getTime() + period.forDays * DAY_MS),
        endedAt: null,
        priceId: null,
        quantity: 1,
        status: 'active',
        providerSubscriptionId: null,
        createdAt: scene.now(),
        updatedAt: scene.now(),
        syncVersion: 1,
        deletedAt: null,
      });

    it('on FREE is told after three full days of seven, once in thirty days', async () => {
      const { userId } = await practising();
      for (const day of [0, 2]) await used(userId, 600, day);
      await used(userId, 599, 4);
      await round();
      expect(await scene.mailsOf(userId)).toEqual([]);
      await used(userId, 1, 4);
      await round();
      expect(whatOf(await scene.mailsOf(userId))).toEqual(['plan_upgrade 1 sent']);
      await live(29 * DAY_MS, 6 * HOUR_MS);
      expect(await scene.mailsOf(userId)).toHaveLength(1);
      expect(await scene.userRow(userId)).toMatchObject({ planUpgradeReminderEmailSent: true });
    });

    it('on PLUS is told at four fifths of this period; on PRO there is nothing above', async () => {
      const [plus, pro] = [await practising(), await practising()];
      await subscribe(plus.userId, 'PLUS');
      await subscribe(pro.userId, 'PRO');
      await used(plus.userId, 20_000, 15);
      await used(plus.userId, 28_700, 3);
      await used(pro.userId, 108_000, 3);
      await round();
      expect(scene.post.sent).toEqual([]);
      await used(plus.userId, 100, 1);
      await round();
      expect(scene.post.sent.map(({ to }) => to)).toEqual([plus.email]);
    });

    it('on a PLUS that is paid by the year is told at four fifths of a month', async () => {
      const plus = await practising();
      await subscribe(plus.userId, 'PLUS', { sinceDays: 40, forDays: 325 });
      // The anniversary of this month is at least nine days ago.
      await used(plus.userId, 30_000, 35);
      await used(plus.userId, 28_700, 3);
      await round();
      expect(scene.post.sent).toEqual([]);
      await used(plus.userId, 100, 1);
      await round();
      expect(scene.post.sent.map(({ to }) => to)).toEqual([plus.email]);
    });
  });

  it('over weeks of twenty learners, looked at by two servers: nothing twice, at night, too close, or after its stop', async () => {
    const zones = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Auckland'];
    const learners = await Promise.all(
      Array.from({ length: 20 }, async (_none, index) => {
        const timeZone = zones[index % zones.length] ?? 'UTC';
        return {
          ...(await scene.aLearner({ timeZone })),
          timeZone,
          signsInAtDay: index % 4 === 0 ? null : index / 2,
          isIn: false,
        };
      }),
    );
    const start = scene.now().getTime();
    const sentAt: { to: string; atMs: number; subject: string }[] = [];
    scene.post.answer = ({ to, subject }) => {
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
          await signsIn(learner.userId);
          learner.isIn = true;
        }
      await Promise.all([round(), round(other)]);
      scene.pass(3 * HOUR_MS);
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
