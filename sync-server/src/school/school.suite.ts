import { randomUUID } from 'node:crypto';
import { and, eq, isNotNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { crashReports } from '../db/crash-tables.ts';
import { mails } from '../db/mail-tables.ts';
import { tables } from '../db/tables.ts';
import { anEmail } from '../../test-kit/mailbox.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { seedSchool } from '../../test-kit/school/seed-school.ts';

/** Settings that these tests do not change. */
const FIXED = { colour: null, requiresSecondFactor: false, auditMonths: null, mailMonths: null };

export function schoolSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);

  describe('home', () => {
    it('counts an admin as a learner only if they have practised', async () => {
      const { db } = scene.server.database;
      const { users, practiceHistory } = tables;
      const countLearners = async () => (await scene.ask('home', {})).body['learners'] as number;
      const addressed = await db.$count(users, isNotNull(users.email));
      const admins = await db.$count(users, and(eq(users.isAdmin, true), isNotNull(users.email)));
      expect(await countLearners()).toBe(addressed - admins);
      await seedSchool(db, scene.server.now(), { learners: 1, practicesEach: 1, waiting: 0 });
      const [practice] = await db.select().from(practiceHistory).limit(1);
      const before = await countLearners();
      expect(before).toBe(addressed - admins + 1);
      await db
        .update(users)
        .set({ isAdmin: true })
        .where(eq(users.userId, practice?.userId as never));
      expect(await countLearners()).toBe(before);
      await db
        .update(users)
        .set({ isAdmin: false })
        .where(eq(users.userId, practice?.userId as never));
    });

    it('counts requests from before the clock was set back', async () => {
      const { db } = scene.server.database;
      const countAccess = async () => ((await scene.ask('overview', {})).body['waiting'] as { access: number }).access;
      const before = await countAccess();
      await seedSchool(db, new Date(scene.server.now().getTime() + 3_600_000), {
        learners: 2,
        practicesEach: 0,
        waiting: 2,
      });
      expect(await countAccess()).toBe(before + 2);
    });

    it('lists the longest waits, bounced mail and late payments', async () => {
      const { db } = scene.server.database;
      const countWaiting = async () => (await scene.ask('overview', {})).body['waiting'] as Record<string, number>;
      const { access = 0, mail = 0, ...others } = await countWaiting();
      await seedSchool(db, scene.server.now(), { learners: 8, practicesEach: 0, waiting: 6 });
      await db.insert(mails).values({
        id: randomUUID(),
        userId: null,
        to: 'pedro@example.com',
        kind: 'access_link',
        step: '1',
        subject: 'x',
        html: '',
        text: '',
        state: 'bounced',
        nextTryAt: scene.server.now(),
        createdAt: scene.server.now(),
        trouble: 'no such mailbox',
      });
      expect(await countWaiting()).toEqual({ ...others, access: access + 6, mail: mail + 1 });
      const { body } = await scene.ask('home', {});
      const attention = body['attention'] as { kind: string; name: string | null; since: string }[];
      expect(attention.map(({ kind }) => kind).slice(0, 6)).toEqual([
        ...Array.from({ length: 5 }, () => 'access'),
        'mail',
      ]);
      const since = attention.slice(0, 5).map((item) => item.since);
      expect(since).toEqual(since.toSorted());
    });
  });

  describe('products', () => {
    it('have prices with their name and the number of months that they pay for', async () => {
      const { db } = scene.server.database;
      const id = randomUUID();
      const now = scene.server.now();
      const stamp = { isTest: true, deletedAt: null, createdAt: now, updatedAt: now, syncVersion: 1 };
      const product = { ...stamp, id, productId: id, active: true, name: 'Plus', description: null };
      await db.insert(tables.products).values(product);
      await db.insert(tables.prices).values({
        ...stamp,
        id: randomUUID(),
        priceId: id,
        productId: id,
        description: 'Spring offer',
        unitAmount: 3_000,
        currency: 'eur',
        pricingType: 'recurring',
        pricingPlanInterval: 'month',
        intervalCount: 3,
        type: 'PLUS',
      });
      const { body } = await scene.ask('products', { search: 'plus', only: 'sold' });
      expect((body['rows'] as { productId: string }[]).find(({ productId }) => productId === id)).toMatchObject({
        price: {
          description: 'Spring offer',
          pricingType: 'recurring',
          interval: 'month',
          intervalCount: 3,
          subscriptions: 0,
        },
      });
    });

    it('are listed with one row for each price, sorted, in pages', async () => {
      const { db } = scene.server.database;
      const now = scene.server.now();
      const stamp = {
        isTest: false,
        deletedAt: null,
        createdAt: now,
        updatedAt: now,
        syncVersion: 1,
        description: null,
      };
      const add = async (name: string, active: boolean, amounts: readonly number[]) => {
        const id = randomUUID();
        await db.insert(tables.products).values({ ...stamp, id, productId: id, active, name });
        for (const unitAmount of amounts) {
          const price = { ...stamp, id: randomUUID(), priceId: randomUUID(), productId: id, unitAmount };
          const recurring = { pricingType: 'recurring', pricingPlanInterval: 'month', intervalCount: 1 } as const;
          await db.insert(tables.prices).values({ ...price, ...recurring, currency: 'eur', type: 'PRO' });
        }
      };
      await add('Shelf B', true, [900, 300]);
      await add('Shelf A', false, [600]);
      await add('Shelf C', true, []);
      const list = async (asked: object) => {
        const { body } = await scene.ask('products', { search: 'shelf', ...asked });
        const rows = body['rows'] as { name: string; price: { unitAmount: number } | null }[];
        return { total: body['total'], rows: rows.map(({ name, price }) => [name.slice(-1), price?.unitAmount]) };
      };
      const all = [
        ['A', 600],
        ['B', 300],
        ['B', 900],
        ['C', undefined],
      ];
      expect(await list({})).toEqual({ total: 4, rows: all });
      expect(await list({ page: 1, pageSize: 3 })).toEqual({ total: 4, rows: all.slice(3) });
      expect((await list({ sort: 'unitAmount', direction: 'desc' })).rows.map(([, amount]) => amount)).toEqual([
        900,
        600,
        300,
        undefined,
      ]);
      expect((await list({ only: 'not_sold' })).rows).toEqual([['A', 600]]);
    });
  });

  describe('home after crashes', () => {
    it('mentions the reports of seven days together, without their senders', async () => {
      const nowMs = scene.server.now().getTime();
      const report = (daysAgo: number, kind: string): typeof crashReports.$inferInsert => ({
        id: randomUUID(),
        userId: scene.adminId,
        receivedAt: new Date(nowMs - daysAgo * 24 * 3_600_000),
        at: new Date(nowMs),
        source: 'window',
        version: '0.1.0',
        system: 'linux x64',
        kind,
        code: null,
        frames: [],
      });
      const reports = [report(8, 'RangeError'), report(2, 'SyntaxError'), report(1, 'TypeError')];
      await scene.server.database.db.insert(crashReports).values(reports);
      const { body: overview } = await scene.ask('overview', {});
      expect(overview['waiting']).toMatchObject({ crashes: 2 });
      const { body } = await scene.ask('home', {});
      const crashes = (body['attention'] as { kind: string }[]).filter(({ kind }) => kind === 'crash');
      expect(crashes).toEqual([
        {
          kind: 'crash',
          userId: null,
          name: null,
          email: null,
          detail: 'TypeError',
          since: reports[2]?.receivedAt.toISOString(),
        },
      ]);
    });
  });

  describe('the e-mail log', () => {
    it('shows neither codes nor links', async () => {
      const email = anEmail();
      await scene.signInBrowser(email);
      const { body } = await scene.ask('mails', { search: email.toUpperCase() });
      expect(body).toMatchObject({
        total: 1,
        rows: [{ to: email, state: 'sent', isWritten: false, subject: 'Sign-in code' }],
      });
      expect((await scene.ask('overview', {})).body['isMailWritten']).toBe(false);
      const code = /^ +(\d{3} \d{3})$/m.exec(scene.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? 'none';
      expect(JSON.stringify(body)).not.toContain(code);
    });

    it('shows which failed mails still have their content', async () => {
      const [email, { db }] = [anEmail(), scene.server.database];
      await scene.signInBrowser(email);
      const rowOf = async (change: Partial<typeof mails.$inferInsert>) => {
        await db.update(mails).set(change).where(eq(mails.to, email));
        return (await scene.ask('mails', { search: email })).body['rows'];
      };
      expect(await rowOf({ state: 'failed' })).toMatchObject([{ state: 'failed', canBeSentAgain: false }]);
      expect(await rowOf({ text: 'Hello.' })).toMatchObject([{ state: 'failed', canBeSentAgain: true }]);
      expect(await rowOf({ state: 'queued' })).toMatchObject([{ state: 'queued', canBeSentAgain: false }]);
    });

    it('has in the audit log to whom a mail was sent again', async () => {
      const [email, { db }] = [anEmail(), scene.server.database];
      await scene.signInBrowser(email);
      const [sent] = await db
        .update(mails)
        .set({ state: 'failed', text: 'Hello.' })
        .where(eq(mails.to, email))
        .returning();
      expect((await scene.ask('resend-mail', { mailId: sent?.id ?? '' })).status).toBe(200);
      const { body } = await scene.ask('audit', { act: 'mail_resent', direction: 'desc' });
      expect(body['rows']).toContainEqual(expect.objectContaining({ subjectKind: 'mail', subject: email }));
    });

    it('takes wildcards of a search literally', async () => {
      for (const search of ['%', '_', String.raw`\%`])
        expect((await scene.ask('mails', { search })).body['total'], search).toBe(0);
    });

    it('renders every kind of mail with sample data', async () => {
      const { body } = await scene.ask('mail-samples', {});
      const samples = body as unknown as { kind: string; subject: string; text: string }[];
      expect(samples.length).toBeGreaterThan(10);
      for (const { subject, text } of samples) expect([subject, text]).not.toContain('');
    });
  });

  describe('the settings', () => {
    const school = { name: '‏مدرسة 🎧', contactEmail: 'help@example.com', timeZone: 'Europe/Lisbon' };

    it('are saved, with their values before and after in the audit log', async () => {
      await scene.ask('save-settings', { ...school, ...FIXED, name: 'Nordhafen' });
      scene.server.advanceClock(1_000);
      await scene.ask('save-settings', { ...school, ...FIXED });
      expect((await scene.ask('settings', {})).body).toMatchObject({ settings: school, hasSecondFactor: false });
      const { body } = await scene.ask('audit', { act: 'settings_changed', direction: 'desc' });
      const [entry] = body['rows'] as object[];
      expect(entry).toMatchObject({
        subjectKind: 'settings',
        before: { name: 'Nordhafen' },
        after: { name: school.name },
      });
    });

    it('that another admin changed in the meantime are kept', async () => {
      await scene.ask('save-settings', { ...school, ...FIXED });
      expect((await scene.ask('save-settings', { timeZone: 'Asia/Tokyo', mailMonths: 12 })).status).toBe(200);
      expect((await scene.ask('save-settings', { contactEmail: null })).status).toBe(200);
      expect((await scene.ask('settings', {})).body).toMatchObject({
        settings: { ...FIXED, name: school.name, contactEmail: null, timeZone: 'Asia/Tokyo', mailMonths: 12 },
      });
    });

    it.each([
      ['an unknown time zone', { timeZone: 'Moon/Sea' }],
      ['an empty name', { name: ' ' }],
      ['a name of 10,000 letters', { name: 'x'.repeat(10_000) }],
      ['a contact that is no address', { contactEmail: 'help' }],
    ])('are refused with %s', async (_what, part) => {
      const answer = await scene.ask('save-settings', { ...school, ...FIXED, ...part });
      expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
    });
  });

  describe('the audit log', () => {
    it('is filtered by person, act and time', async () => {
      const email = anEmail();
      await scene.ask('invite', { invitations: [{ email }] });
      const total = async (asked: object) => (await scene.ask('audit', asked)).body['total'];
      expect(await total({ search: email })).toBe(1);
      expect(await total({ search: email, act: 'access_granted' })).toBe(1);
      expect(await total({ search: email, act: 'access_revoked' })).toBe(0);
      expect(await total({ act: 'no such act' })).toBe(0);
      expect(await total({ search: email, until: '2020-01-01T00:00:00.000Z' })).toBe(0);
      const [user] = await scene.server.database.db.select().from(tables.users).where(eq(tables.users.email, email));
      expect(await total({ userId: user?.userId, actorId: scene.adminId })).toBe(1);
    });

    it('is filtered by actor and by affected person, each by a part of the address', async () => {
      const email = anEmail();
      await scene.ask('invite', { invitations: [{ email }] });
      const [admin] = await scene.server.database.db
        .select({ email: tables.users.email })
        .from(tables.users)
        .where(eq(tables.users.userId, scene.adminId));
      const actor = (admin?.email ?? '').toUpperCase().slice(0, -1);
      const acts = async (asked: object) =>
        ((await scene.ask('audit', asked)).body['rows'] as { act: string }[]).map(({ act }) => act);
      expect(await acts({ person: email, actor })).toEqual(['access_granted']);
      expect(await acts({ person: email, actor: email })).toEqual([]);
      expect(await acts({ actor: email })).toEqual([]);
      expect(await acts({ person: '%' })).toEqual([]);
    });
  });
}
