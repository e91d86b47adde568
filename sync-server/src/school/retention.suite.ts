import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { mails } from '../db/mail-tables.ts';
import { auditLog, tables } from '../db/tables.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { registerDevice, type TestDevice } from '../../test-kit/server.ts';
import { readWaitingSince } from '../account/index.ts';
import { monthsBefore } from './months-before.ts';
import { applyRetention } from './retention.ts';

const DAY_MS = 24 * 3_600_000;
const SETTINGS = { name: 'Nordhafen', contactEmail: null, colour: null, timeZone: 'UTC', requiresSecondFactor: false };

export function retentionSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  const db = () => scene.server.database.db;
  const apply = () => applyRetention(db(), scene.server.now());
  const keep = (retention: { auditMonths: number | null; mailMonths: number | null }) =>
    scene.ask('save-settings', { ...SETTINGS, ...retention });
  const daysAgo = (days: number): Date => new Date(scene.server.now().getTime() - days * DAY_MS);
  const anEntry = async (at: Date): Promise<string> => {
    const id = randomUUID();
    const entry = { id, at, actorId: scene.adminId, subjectId: scene.adminId, act: 'signed_in' as const };
    await db().insert(auditLog).values(entry);
    return id;
  };
  const aMail = async (createdAt: Date, change: Partial<typeof mails.$inferInsert> = {}): Promise<string> => {
    const id = randomUUID();
    await db()
      .insert(mails)
      .values({
        id,
        userId: scene.adminId as never,
        to: 'someone@nordhafen.example',
        kind: 'receipt',
        step: id,
        subject: 'Your receipt',
        html: '',
        text: '',
        state: 'sent',
        nextTryAt: createdAt,
        createdAt,
        ...change,
      });
    return id;
  };
  beforeEach(async () => {
    await db().delete(auditLog);
    await db().delete(mails);
  });
  const idsOf = async (table: typeof auditLog | typeof mails): Promise<string[]> =>
    (await db().select({ id: table.id }).from(table)).map(({ id }) => id);

  describe('a school that keeps everything', () => {
    it('loses nothing', async () => {
      await keep({ auditMonths: null, mailMonths: null });
      const [entry, mail] = [await anEntry(daysAgo(5_000)), await aMail(daysAgo(5_000))];
      expect(await apply()).toEqual({ auditEntries: 0, mails: 0 });
      expect(await idsOf(auditLog)).toContain(entry);
      expect(await idsOf(mails)).toEqual([mail]);
    });
  });

  describe('a school that keeps its audit log for a year', () => {
    it('loses older entries, and says how many in the log', async () => {
      expect((await keep({ auditMonths: 12, mailMonths: null })).status).toBe(200);
      const [old, young] = [await anEntry(daysAgo(367)), await anEntry(daysAgo(364))];
      expect(await apply()).toEqual({ auditEntries: 1, mails: 0 });
      const ids = await idsOf(auditLog);
      expect([ids.includes(old), ids.includes(young)]).toEqual([false, true]);
      const { body } = await scene.ask('audit', { act: 'records_deleted' });
      expect(body['rows']).toMatchObject([{ actorId: null, subjectKind: 'settings', after: { auditEntries: 1 } }]);
      expect(await apply()).toEqual({ auditEntries: 0, mails: 0 });
    });

    it('has recorded that in the log', async () => {
      await keep({ auditMonths: null, mailMonths: null });
      await db().delete(auditLog);
      await keep({ auditMonths: 24, mailMonths: 6 });
      const { body } = await scene.ask('audit', { act: 'settings_changed' });
      expect(body['rows']).toMatchObject([
        { before: { auditMonths: null, mailMonths: null }, after: { auditMonths: 24, mailMonths: 6 } },
      ]);
    });
  });

  describe('the access of learners and the rights of admins', () => {
    type Act = 'access_requested' | 'access_granted' | 'access_revoked' | 'admin_granted' | 'admin_revoked';
    const aDecision = async (device: TestDevice, act: Act, daysOld: number): Promise<string> => {
      const id = randomUUID();
      await db()
        .insert(auditLog)
        .values({ id, at: daysAgo(daysOld), actorId: scene.adminId, subjectId: device.userId, act, reason: 'Left' });
      return id;
    };

    it('keeps the newest old entry about each learner without access, because it says why', async () => {
      await keep({ auditMonths: 6, mailMonths: null });
      const [waiting, revoked] = [await registerDevice(scene.server), await registerDevice(scene.server)];
      const older = [await aDecision(waiting, 'access_revoked', 300), await aDecision(revoked, 'access_granted', 300)];
      const newest = [
        await aDecision(waiting, 'access_requested', 250),
        await aDecision(revoked, 'access_revoked', 250),
      ];
      await apply();
      const ids = await idsOf(auditLog);
      expect(newest.map((id) => ids.includes(id))).toEqual([true, true]);
      expect(older.map((id) => ids.includes(id))).toEqual([false, false]);
      expect([...(await readWaitingSince(db(), [waiting.userId, revoked.userId])).keys()]).toEqual([waiting.userId]);
    });

    it('keeps the newest old entry about an admin who was removed, because signing in must not make them one again', async () => {
      await keep({ auditMonths: 6, mailMonths: null });
      const [removed, back] = [await registerDevice(scene.server), await registerDevice(scene.server)];
      const old = [
        await aDecision(removed, 'admin_granted', 300),
        await aDecision(removed, 'admin_revoked', 250),
        await aDecision(back, 'admin_revoked', 300),
        await aDecision(back, 'admin_granted', 250),
      ];
      await apply();
      const ids = await idsOf(auditLog);
      expect(old.map((id) => ids.includes(id))).toEqual([false, true, false, false]);
    });

    it('keeps no entry about learners who have access or were erased, nor one superseded by a later entry', async () => {
      await keep({ auditMonths: 6, mailMonths: null });
      const [granted, again] = [await registerDevice(scene.server), await registerDevice(scene.server)];
      const { users } = tables;
      await db().update(users).set({ hasAccess: true }).where(eq(users.userId, granted.userId));
      const old = [
        await aDecision(granted, 'access_granted', 250),
        await aDecision(again, 'access_requested', 250),
        await aDecision({ ...again, userId: randomUUID() }, 'access_requested', 250),
      ];
      await aDecision(again, 'access_requested', 10);
      await apply();
      const ids = await idsOf(auditLog);
      expect(old.filter((id) => ids.includes(id))).toEqual([]);
    });
  });

  describe('a school that keeps its e-mails for half a year', () => {
    it('forgets to whom older ones were sent, and never sends a reminder twice for it', async () => {
      await keep({ auditMonths: null, mailMonths: 6 });
      const reminder = await aMail(daysAgo(200));
      const young = await aMail(daysAgo(100));
      const signIn = await aMail(daysAgo(200), { kind: 'sign_in' });
      const waiting = await aMail(daysAgo(200), { state: 'queued' });
      expect(await apply()).toEqual({ auditEntries: 0, mails: 2 });
      const rows = await db().select().from(mails);
      expect(rows.find(({ id }) => id === signIn)).toBeUndefined();
      expect(rows.find(({ id }) => id === reminder)).toMatchObject({ to: '', subject: '', kind: 'receipt' });
      expect(rows.find(({ id }) => id === waiting)?.to).toBe('someone@nordhafen.example');
      const { body } = await scene.ask('mails', {});
      expect((body['rows'] as { id: string }[]).map(({ id }) => id).toSorted()).toEqual([young, waiting].toSorted());
      expect(await apply()).toEqual({ auditEntries: 0, mails: 0 });
    });
  });

  it('is counted by the calendar', () => {
    expect(monthsBefore(new Date('2026-03-31T10:00:00Z'), 1).toISOString()).toBe('2026-02-28T10:00:00.000Z');
    expect(monthsBefore(new Date('2026-11-24T10:00:00Z'), 12).toISOString()).toBe('2025-11-24T10:00:00.000Z');
  });

  it('is refused for any other time', async () => {
    expect((await keep({ auditMonths: 1, mailMonths: null })).status).toBe(400);
  });
}
