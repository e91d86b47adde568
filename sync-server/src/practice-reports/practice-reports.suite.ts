import { randomUUID } from 'node:crypto';
import type { AttentionItem } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { eraseLearner } from '../account/deletion/erase-learner.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { practiceReports } from '../db/practice-report-tables.ts';
import { accountDeletions, auditLog, tables } from '../db/tables.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { anEmail } from '../../test-kit/mailbox.ts';
import { registerDevice, type TestDevice } from '../../test-kit/server.ts';
import { createPracticeReports } from './practice-reports.ts';

const DAY_MS = 24 * 3_600_000;

/** `open` gives each server its own database. */
export function practiceReportsSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  beforeEach(() => scene.server.database.db.delete(practiceReports));

  const aReport = async (changes: object = {}) => {
    const [practice] = await scene.server.database.db.select().from(tables.practices).limit(1);
    return {
      id: randomUUID(),
      at: '2026-11-18T09:00:00.000Z',
      practiceId: practice?.practiceId ?? '',
      node: 'opening',
      line: 'When will it arrive?',
      text: 'Grace asked me the same question twice',
      ...changes,
    };
  };
  const change = (learner: Pick<TestDevice, 'userId'>, values: Partial<typeof tables.users.$inferInsert>) =>
    scene.server.database.db.update(tables.users).set(values).where(eq(tables.users.userId, learner.userId));
  const aLearner = async (): Promise<TestDevice> => {
    const learner = await registerDevice(scene.server);
    await change(learner, { hasAccess: true, accessDate: scene.server.now() });
    return learner;
  };
  const send = (report: object, by?: TestDevice) => scene.server.post('/v1/practice-reports', report, by?.token);
  const listed = async (): Promise<AttentionItem[]> => {
    const { body } = await scene.ask('home', {});
    return (body['attention'] as AttentionItem[]).filter(({ kind }) => kind === 'report');
  };
  const waiting = async (): Promise<unknown> =>
    ((await scene.ask('overview', {})).body['waiting'] as Record<string, unknown>)['reports'];

  describe('a report of a practice', () => {
    it('appears on Home once, without its sender', async () => {
      const learner = await aLearner();
      const report = await aReport();
      for (let times = 0; times < 2; times += 1) expect((await send(report, learner)).status).toBe(200);
      const [item, ...others] = await listed();
      expect(others).toEqual([]);
      expect(item).toMatchObject({
        contentId: report.practiceId,
        report: { reportId: report.id, node: 'opening', line: report.line },
        detail: report.text,
        name: expect.stringMatching(/./),
        email: null,
        userId: null,
      });
      expect(JSON.stringify(item)).not.toContain(learner.userId);
      expect(await waiting()).toBe(1);
    });

    it('is closed by an admin, with an audit entry without its words', async () => {
      const { db } = scene.server.database;
      const report = await aReport();
      await send(report, await aLearner());
      await db.delete(auditLog).where(eq(auditLog.act, 'report_closed'));
      for (let times = 0; times < 2; times += 1)
        expect((await scene.ask('close-practice-report', { reportId: report.id })).status).toBe(200);
      expect([await listed(), await waiting()]).toEqual([[], 0]);
      const entries = await db.select().from(auditLog).where(eq(auditLog.act, 'report_closed'));
      expect(entries).toMatchObject([{ actorId: scene.adminId, subject: 'content', subjectId: report.practiceId }]);
      expect(JSON.stringify(entries)).not.toContain('same question');
      // The device sends it again when it has lost the response.
      await send(report, await aLearner());
      expect(await waiting()).toBe(0);
    });

    it('is in a list of its own, in pages, and can be closed with others', async () => {
      const learner = await aLearner();
      const reports = [];
      for (const text of ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth 100%', 'Seventh']) {
        const report = await aReport({ text });
        await send(report, learner);
        reports.push(report);
        scene.server.advanceClock(1_000);
      }
      const list = async (request: object = {}) =>
        (await scene.ask('practice-reports', request)).body as { total: number; rows: Record<string, unknown>[] };
      const texts = async (request: object = {}) => (await list(request)).rows.map(({ text }) => text);
      expect(await list({ page: 1, pageSize: 5 })).toMatchObject({ total: 7, rows: [{ text: 'Sixth 100%' }, {}] });
      expect(await texts({ direction: 'desc', pageSize: 1 })).toEqual(['Seventh']);
      expect(await texts({ search: '0%' })).toEqual(['Sixth 100%']);
      expect(JSON.stringify(await list())).not.toContain(learner.userId);
      const reportIds = [...reports.slice(0, 6).map(({ id }) => id), randomUUID()];
      expect((await scene.ask('close-practice-reports', { reportIds })).status).toBe(200);
      expect([await texts(), await waiting()]).toEqual([['Seventh'], 1]);
      expect(await list({ state: 'closed', pageSize: 1 })).toMatchObject({
        total: 6,
        rows: [{ text: 'First', closedAt: scene.server.now().toISOString() }],
      });
      for (const call of ['practice-reports', 'close-practice-reports'])
        expect((await scene.server.post(`/v1/admin/${call}`, { reportIds }, learner.token)).status).not.toBe(200);
    });

    it('is taken from a device only, and closed by admins only', async () => {
      const learner = await aLearner();
      const report = await aReport();
      expect((await send(report)).status).toBe(401);
      const close = { reportId: report.id };
      expect((await scene.server.post('/v1/admin/close-practice-report', close, learner.token)).status).toBe(403);
      expect(await scene.ask('close-practice-report', { reportId: randomUUID() })).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
    });

    it.each([
      ['no text', { text: '  ' }],
      ['a text of 501 letters', { text: 'x'.repeat(501) }],
      ['a text that no database can store', { text: 'a\0b' }],
      ['a line that is too long', { line: 'x'.repeat(501) }],
      ['an unknown practice', { practiceId: randomUUID() }],
      ['a recording', { recording: 'UklGRg==' }],
    ])('is refused with %s', async (_what, change) => {
      const learner = await aLearner();
      const answer = await send(await aReport(change), learner);
      expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
      expect(await waiting()).toBe(0);
    });

    it('is refused when its account has sent too many in a day', async () => {
      const learner = await aLearner();
      for (let count = 0; count < 10; count += 1) expect((await send(await aReport(), learner)).status).toBe(200);
      expect(await send(await aReport(), learner)).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
      expect((await send(await aReport(), await aLearner())).status).toBe(200);
      expect(await listed()).toHaveLength(5);
      expect(await waiting()).toBe(11);
    });

    it('is counted also when many arrive at the same moment', async () => {
      const sender = { userId: (await aLearner()).userId, network: '2001:db8::' };
      const { database, now } = scene.server;
      const access = { isEntitled: () => true };
      const parts = { db: database.db, now, access, consumeForNetwork: async () => null };
      const reports = await Promise.all(Array.from({ length: 15 }, () => aReport()));
      const outcomes = await Promise.allSettled(
        reports.map((report) => createPracticeReports(parts).receive(sender, report)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    });

    it('is refused from an account with neither an address nor access', async () => {
      const learner = await registerDevice(scene.server);
      expect(await send(await aReport(), learner)).toMatchObject({ status: 403, body: { code: 'access.required' } });
      expect(await waiting()).toBe(0);
      await change(learner, { email: anEmail() });
      expect((await send(await aReport(), learner)).status).toBe(200);
      expect((await send(await aReport(), await aLearner())).status).toBe(200);
      expect(await waiting()).toBe(2);
    });

    it('is refused when its network has sent too many in a day', async () => {
      const sendFrom = async (remoteAddress: string, { token }: TestDevice) =>
        scene.server.send({
          method: 'POST',
          url: '/v1/practice-reports',
          headers: { authorization: `Bearer ${token}` },
          payload: await aReport(),
          remoteAddress,
        });
      for (let account = 0; account < 5; account += 1) {
        const learner = await aLearner();
        for (let count = 0; count < 10; count += 1)
          expect((await sendFrom(`2001:db8:0:${account}::1`, learner)).status).toBe(200);
      }
      const learner = await aLearner();
      expect(await sendFrom('2001:db8:0:5::1', learner)).toMatchObject({
        status: 429,
        body: { code: 'request.too_many' },
      });
      expect((await sendFrom('2001:db8:1::1', learner)).status).toBe(200);
    });

    it('is refused from an account without an address while too many of such accounts are open', async () => {
      const { db } = scene.server.database;
      const { userId } = await aLearner();
      const { practiceId } = await aReport();
      const at = scene.server.now();
      const open = Array.from({ length: 200 }, () => ({
        id: randomUUID(),
        userId,
        at,
        receivedAt: at,
        practiceId,
        text: 'x',
      }));
      await db.insert(practiceReports).values(open);
      expect(await send(await aReport(), await aLearner())).toMatchObject({
        status: 429,
        body: { code: 'request.too_many' },
      });
      const withAddress = await registerDevice(scene.server);
      await change(withAddress, { email: anEmail() });
      expect((await send(await aReport(), withAddress)).status).toBe(200);
    });

    it('is refused while too many are open', async () => {
      const { db } = scene.server.database;
      const [{ userId }, learner] = [await aLearner(), await aLearner()];
      for (const each of [{ userId }, learner]) await change(each, { email: anEmail() });
      const { practiceId } = await aReport();
      const at = scene.server.now();
      const open = Array.from({ length: 1_000 }, () => ({
        id: randomUUID(),
        userId,
        at,
        receivedAt: at,
        practiceId,
        text: 'x',
      }));
      await db.insert(practiceReports).values(open);
      const report = await aReport();
      expect(await send(report, learner)).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
      await scene.ask('close-practice-report', { reportId: open[0]?.id });
      expect((await send(report, learner)).status).toBe(200);
    });

    it('goes with its account', async () => {
      const { db } = scene.server.database;
      const learner = await aLearner();
      await send(await aReport(), learner);
      const { userId } = learner;
      const at = scene.server.now();
      await db.insert(accountDeletions).values({ userId, requestedAt: at, eraseAt: at });
      await db.transaction((tx) => eraseLearner(tx, { userId, at }));
      expect(await db.$count(practiceReports)).toBe(0);
    });

    it('is deleted a month after it was closed, or half a year after it arrived', async () => {
      const { db } = scene.server.database;
      const { userId } = await aLearner();
      const nowMs = scene.server.now().getTime();
      const stored = async (id: string, arrivedDaysAgo: number, closedDaysAgo: number | null) => {
        const { practiceId } = await aReport();
        const at = new Date(nowMs - arrivedDaysAgo * DAY_MS);
        const closedAt = closedDaysAgo === null ? null : new Date(nowMs - closedDaysAgo * DAY_MS);
        await db.insert(practiceReports).values({ id, userId, at, receivedAt: at, practiceId, text: 'x', closedAt });
      };
      const [kept, open] = [randomUUID(), randomUUID()];
      await stored(kept, 100, 29);
      await stored(open, 179, null);
      await stored(randomUUID(), 40, 30);
      await stored(randomUUID(), 180, null);
      const { now } = scene.server;
      const parts = { db, now, access: { isEntitled: () => true }, consumeForNetwork: async () => null };
      expect(await createPracticeReports(parts).deleteExpired()).toBe(2);
      const left = await db.select({ id: practiceReports.id }).from(practiceReports);
      expect(left.map(({ id }) => id).toSorted()).toEqual([kept, open].toSorted());
    });
  });
}
