import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { DatabaseConnection } from '../../db/client.ts';
import { accountDeletions, auditLog, tables } from '../../db/tables.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, ORIGIN, setUpMailFixture } from '../../../test-kit/mail/mail-fixture.ts';

/** E-mails to admins about learners who wait for access. */
export function adminNoticesSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailFixture(open);
  let admins: { userId: string; email: string }[];
  beforeEach(async () => {
    await scene.database.db.update(tables.users).set({ isAdmin: false });
    await scene.database.db.delete(auditLog);
    admins = [
      await scene.createLearner({ isAdmin: true, emailNotifications: false, hasAccess: false }),
      await scene.createLearner({ isAdmin: true, hasAccess: false }),
    ];
  });

  const logAct = (subjectId: string, act: 'access_requested' | 'access_granted' | 'access_revoked'): Promise<unknown> =>
    scene.database.db
      .insert(auditLog)
      .values({ id: randomUUID(), at: scene.now(), actorId: subjectId, subjectId, act });
  const requestAccess = async (): Promise<string> => {
    const { userId } = await scene.createLearner({ hasAccess: false, accessDate: null });
    await logAct(userId, 'access_requested');
    return userId;
  };
  /** Runs as often as the schedule does, every ten minutes. */
  const runFor = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 10 * MINUTE_MS) {
      scene.advanceClock(10 * MINUTE_MS);
      await scene.mail.remind();
      await scene.mail.sendDue();
    }
  };
  const receivedSubjects = (): string[] =>
    scene.scriptedTransport.sent.filter(({ to }) => to === admins[0]?.email).map(({ subject }) => subject);

  describe('a learner who waits for access', () => {
    it('is reported once to each admin within about ten minutes', async () => {
      await requestAccess();
      await runFor(20 * MINUTE_MS);
      expect(scene.scriptedTransport.sent.map(({ to }) => to).toSorted()).toEqual(
        admins.map(({ email }) => email).toSorted(),
      );
      expect(receivedSubjects()).toEqual(['A learner is waiting for access to Parley']);
      const [mail] = scene.scriptedTransport.sent;
      expect(mail?.html).toContain(`href="${ORIGIN}/admin/learners?only=waiting"`);
      expect(mail?.text).toContain(`${ORIGIN}/admin/learners?only=waiting`);
      await runFor(30 * HOUR_MS);
      expect(scene.scriptedTransport.sent).toHaveLength(2);
    });

    it('is counted in one mail an hour at most, with all others who wait', async () => {
      for (let person = 0; person < 10; person += 1) {
        await requestAccess();
        await runFor(10 * MINUTE_MS);
      }
      await runFor(2 * HOUR_MS);
      expect(receivedSubjects()).toEqual([
        'A learner is waiting for access to Parley',
        '7 learners are waiting for access to Parley',
        '10 learners are waiting for access to Parley',
      ]);
      const times = (await scene.mailsTo(admins[0]?.email ?? '')).map(({ createdAt }) => createdAt.getTime());
      for (const [index, at] of times.slice(1).entries())
        expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
    });

    it('is not counted once they are granted, refused, erased or leaving', async () => {
      const letIn = await requestAccess();
      const refused = await requestAccess();
      const erased = await requestAccess();
      const leaving = await requestAccess();
      scene.advanceClock(MINUTE_MS);
      await scene.database.db.update(tables.users).set({ hasAccess: true }).where(eq(tables.users.userId, letIn));
      await logAct(letIn, 'access_granted');
      await logAct(refused, 'access_revoked');
      await scene.database.db.update(tables.users).set({ email: null }).where(eq(tables.users.userId, erased));
      const eraseAt = new Date(scene.now().getTime() + 30 * DAY_MS);
      await scene.database.db.insert(accountDeletions).values({ userId: leaving, requestedAt: scene.now(), eraseAt });
      await runFor(2 * HOUR_MS);
      expect(receivedSubjects()).toEqual([]);
      await requestAccess();
      await runFor(HOUR_MS);
      expect(receivedSubjects()).toEqual(['A learner is waiting for access to Parley']);
    });

    it('is reported in the morning when they asked at night', async () => {
      scene.setTime('2026-11-18T21:00:00.000Z');
      for (let person = 0; person < 3; person += 1) {
        await requestAccess();
        await runFor(HOUR_MS);
      }
      expect(receivedSubjects()).toEqual([]);
      await runFor(DAY_MS / 2);
      expect(receivedSubjects()).toEqual(['3 learners are waiting for access to Parley']);
      const [mail] = await scene.mailsTo(admins[0]?.email ?? '');
      expect(mail?.createdAt.getUTCHours()).toBe(9);
    });

    it('is reported once by two servers, and a late request is not missed', async () => {
      await requestAccess();
      scene.advanceClock(2 * MINUTE_MS);
      await requestAccess();
      const another = scene.anotherServer();
      await Promise.all([scene.mail.remind(), another.remind(), another.remind()]);
      await Promise.all([scene.mail.sendDue(), another.sendDue()]);
      expect(receivedSubjects()).toEqual(['A learner is waiting for access to Parley']);
      await runFor(2 * HOUR_MS);
      expect(receivedSubjects()).toEqual([
        'A learner is waiting for access to Parley',
        '2 learners are waiting for access to Parley',
      ]);
    });
  });
}
