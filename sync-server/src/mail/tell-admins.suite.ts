import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { DatabaseConnection } from '../db/client.ts';
import { accountDeletions, auditLog, tables } from '../db/tables.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, setUpMailScene } from './test-kit/mail-scene.ts';

/** What admins hear of who waits to be let in. */
export function tellAdminsSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailScene(open);
  let admins: { userId: string; email: string }[];
  beforeEach(async () => {
    await scene.database.db.update(tables.users).set({ isAdmin: false });
    await scene.database.db.delete(auditLog);
    admins = [
      await scene.aLearner({ isAdmin: true, emailNotifications: false, hasAccess: false }),
      await scene.aLearner({ isAdmin: true, hasAccess: false }),
    ];
  });

  const note = (subjectId: string, act: 'access_requested' | 'access_granted' | 'access_revoked'): Promise<unknown> =>
    scene.database.db
      .insert(auditLog)
      .values({ id: randomUUID(), at: scene.now(), actorId: subjectId, subjectId, act });
  const asks = async (): Promise<string> => {
    const { userId } = await scene.aLearner({ hasAccess: false, accessDate: null });
    await note(userId, 'access_requested');
    return userId;
  };
  /** Every ten minutes, as the schedule does. */
  const live = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 10 * MINUTE_MS) {
      scene.pass(10 * MINUTE_MS);
      await scene.mail.remind();
      await scene.mail.sendDue();
    }
  };
  const told = (): string[] =>
    scene.post.sent.filter(({ to }) => to === admins[0]?.email).map(({ subject }) => subject);

  describe('somebody who waits for access', () => {
    it('is told to each admin within ten minutes or so, once, however long they wait', async () => {
      await asks();
      await live(20 * MINUTE_MS);
      expect(scene.post.sent.map(({ to }) => to).toSorted()).toEqual(admins.map(({ email }) => email).toSorted());
      expect(told()).toEqual(['Somebody waits for access to Parley']);
      await live(30 * HOUR_MS);
      expect(scene.post.sent).toHaveLength(2);
    });

    it('is one of many: ten within a hundred minutes are three mails, an hour apart, each of which counts all who wait', async () => {
      for (let person = 0; person < 10; person += 1) {
        await asks();
        await live(10 * MINUTE_MS);
      }
      await live(2 * HOUR_MS);
      expect(told()).toEqual([
        'Somebody waits for access to Parley',
        '7 people wait for access to Parley',
        '10 people wait for access to Parley',
      ]);
      const times = (await scene.mailsTo(admins[0]?.email ?? '')).map(({ createdAt }) => createdAt.getTime());
      for (const [index, at] of times.slice(1).entries())
        expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
    });

    it('is not counted once they were let in, refused, erased or are leaving', async () => {
      const letIn = await asks();
      const refused = await asks();
      const erased = await asks();
      const leaving = await asks();
      scene.pass(MINUTE_MS);
      await scene.database.db.update(tables.users).set({ hasAccess: true }).where(eq(tables.users.userId, letIn));
      await note(letIn, 'access_granted');
      await note(refused, 'access_revoked');
      await scene.database.db.update(tables.users).set({ email: null }).where(eq(tables.users.userId, erased));
      const eraseAt = new Date(scene.now().getTime() + 30 * DAY_MS);
      await scene.database.db.insert(accountDeletions).values({ userId: leaving, requestedAt: scene.now(), eraseAt });
      await live(2 * HOUR_MS);
      expect(told()).toEqual([]);
      await asks();
      await live(HOUR_MS);
      expect(told()).toEqual(['Somebody waits for access to Parley']);
    });

    it('is told in the morning, with all who asked at night', async () => {
      scene.goTo('2026-11-18T21:00:00.000Z');
      for (let person = 0; person < 3; person += 1) {
        await asks();
        await live(HOUR_MS);
      }
      expect(told()).toEqual([]);
      await live(DAY_MS / 2);
      expect(told()).toEqual(['3 people wait for access to Parley']);
      const [mail] = await scene.mailsTo(admins[0]?.email ?? '');
      expect(mail?.createdAt.getUTCHours()).toBe(9);
    });

    it('is told once though two servers look at once, and neither misses who asked a moment before', async () => {
      await asks();
      scene.pass(2 * MINUTE_MS);
      await asks();
      const another = scene.anotherServer();
      await Promise.all([scene.mail.remind(), another.remind(), another.remind()]);
      await Promise.all([scene.mail.sendDue(), another.sendDue()]);
      expect(told()).toEqual(['Somebody waits for access to Parley']);
      await live(2 * HOUR_MS);
      expect(told()).toEqual(['Somebody waits for access to Parley', '2 people wait for access to Parley']);
    });
  });
}
