import { randomUUID } from 'node:crypto';
import type { LearnerDetail } from '@parley/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { mails } from '../db/mail-tables.ts';
import { auditLog, tables } from '../db/tables.ts';
import { anEmail } from '../../test-kit/mailbox.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';
import { seedSchool } from '../../test-kit/school/seed-school.ts';

const HOUR_MS = 3_600_000;

/** An admin's actions on learners. */
export function learnersSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  const { users } = tables;
  const invite = (emails: readonly string[], names: object = {}) =>
    scene.ask('invite', { invitations: emails.map((email) => ({ email, ...names })) });
  const find = async (email: string) => {
    const [user] = await scene.server.database.db.select().from(users).where(eq(users.email, email));
    if (user === undefined) throw new Error(`${email} has no account`);
    return user;
  };
  const entriesOn = (userId: string) =>
    scene.server.database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, userId))
      .orderBy(auditLog.at, auditLog.id);

  describe('an invitation', () => {
    it('opens an account with access and sends one link', async () => {
      const email = anEmail();
      const answer = await invite([email.toUpperCase()], { firstName: 'Marta', lastName: 'كريم 🎧' });
      expect(answer).toMatchObject({ status: 200, body: { invited: 1, hadAccess: [] } });
      const user = await find(email);
      expect(user).toMatchObject({ hasAccess: true, firstName: 'Marta', lastName: 'كريم 🎧', lastLoginAt: null });
      expect(await entriesOn(user.userId)).toMatchObject([
        { act: 'access_granted', actorId: scene.adminId, before: { hasAccess: false }, after: { hasAccess: true } },
      ]);
      await scene.sendDue();
      expect(scene.mails.filter(({ to }) => to === email)).toHaveLength(1);
      expect(await invite([email])).toMatchObject({ body: { invited: 0, hadAccess: [email] } });
      await scene.sendDue();
      expect(scene.mails.filter(({ to }) => to === email)).toHaveLength(1);
    });

    it('is listed on the learner’s page with the sign-in codes that were sent to the address', async () => {
      const email = anEmail();
      await invite([email]);
      scene.server.advanceClock(1_000);
      await scene.signInBrowser(email);
      const { userId } = await find(email);
      const { mails: listed } = (await scene.ask('learner', { userId })).body as unknown as LearnerDetail;
      expect(listed.map(({ kind }) => kind)).toEqual(['sign_in', 'access_link']);
    });

    it('approves a waiting learner, without a second account', async () => {
      const email = anEmail();
      await scene.signInBrowser(email);
      expect((await find(email)).hasAccess).toBe(false);
      expect(await invite([email])).toMatchObject({ body: { invited: 1 } });
      expect((await find(email)).hasAccess).toBe(true);
    });

    it(
      'is not lost when the mail server fails while 500 are invited',
      { tags: ['slow'], timeout: 180_000 },
      async () => {
        await scene.sendDue();
        scene.isMailFailing = true;
        const emails = Array.from({ length: 500 }, anEmail);
        for (let from = 0; from < emails.length; from += 100)
          expect((await invite(emails.slice(from, from + 100))).body).toMatchObject({ invited: 100 });
        await scene.sendDue();
        const waiting = await scene.ask('mails', { state: 'queued' });
        expect(waiting.body['total']).toBe(500);
        scene.isMailFailing = false;
        for (let hour = 0; hour < 6; hour += 1) {
          scene.server.advanceClock(HOUR_MS);
          await scene.sendDue();
        }
        const received = scene.mails.map(({ to }) => to).filter((to) => emails.includes(to));
        expect(received.toSorted()).toEqual(emails.toSorted());
        // The admin's session is still valid, because less than twelve hours have passed.
        expect((await scene.ask('mails', { state: 'queued' })).body['total']).toBe(0);
      },
    );

    it.each([
      ['an address without @', { email: 'nobody' }],
      ['a name of 10,000 letters', { email: 'a@example.com', firstName: 'x'.repeat(10_000) }],
      ['a name with a null character', { email: 'a@example.com', firstName: 'a\0b' }],
    ])('is refused for %s, and nothing is changed', async (_what, invitation) => {
      const before = await scene.server.database.db.$count(users);
      const answer = await scene.ask('invite', { invitations: [{ email: anEmail() }, invitation] });
      expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
      expect(await scene.server.database.db.$count(users)).toBe(before);
    });
  });

  describe('a request for access', () => {
    it('waits no longer once its learner has requested account deletion', async () => {
      const { db } = scene.server.database;
      // Learners that other tests have left waiting are approved.
      await db.update(users).set({ hasAccess: true });
      const ask = async (): Promise<string> => {
        const email = anEmail();
        await scene.signInBrowser(email);
        const { userId } = await find(email);
        scene.server.advanceClock(1_000);
        const entry = { at: scene.server.now(), actorId: userId, subjectId: userId, act: 'access_requested' } as const;
        await db.insert(auditLog).values({ id: randomUUID(), ...entry });
        return userId;
      };
      const [userId, stays] = [await ask(), await ask()];
      const waiting = async () => {
        const [overview, home, users] = await Promise.all([
          scene.ask('overview', {}),
          scene.ask('home', {}),
          scene.ask('users', { only: 'waiting' }),
        ]);
        const items = home.body['attention'] as { kind: string; userId: string }[];
        return {
          counted: (overview.body['waiting'] as { access: number }).access,
          onHome: items.filter((item) => item.kind === 'access').map((item) => item.userId),
          listed: new Set((users.body['rows'] as { userId: string }[]).map((row) => row.userId)),
          total: users.body['total'],
        };
      };
      const both = { counted: 2, onHome: [userId, stays], listed: new Set([userId, stays]), total: 2 };
      expect(await waiting()).toEqual(both);
      await scene.confirm();
      await scene.ask('request-deletion', { userId, reason: 'asked by phone' });
      expect(await waiting()).toEqual({ counted: 1, onHome: [stays], listed: new Set([stays]), total: 1 });
      await scene.ask('withdraw-deletion', { userId });
      expect(await waiting()).toEqual(both);
    });
  });

  describe('access in bulk', () => {
    it('is granted and revoked with a reason, once for each learner', async () => {
      const emails = [anEmail(), anEmail()];
      for (const email of emails) await scene.signInBrowser(email);
      const userIds = await Promise.all(emails.map(async (email) => (await find(email)).userId));
      const granted = await scene.ask('grant-access-to-many', {
        userIds: [...userIds, ...userIds, '019bb1a2-0000-7000-8000-000000000000'],
        reason: 'new course',
      });
      expect(granted.body).toEqual({ changed: 2, missing: 1 });
      const revoked = await scene.ask('revoke-access-of-many', { userIds, reason: 'left the company' });
      expect(revoked.body).toEqual({ changed: 2, missing: 0 });
      for (const userId of userIds)
        expect((await entriesOn(userId)).slice(-2)).toMatchObject([
          { act: 'access_granted', reason: 'new course' },
          { act: 'access_revoked', reason: 'left the company', before: { hasAccess: true } },
        ]);
    });
  });

  describe('a request that is declined', () => {
    it('is in the audit log as access that there never was', async () => {
      const email = anEmail();
      await scene.signInBrowser(email);
      const { userId } = await find(email);
      await scene.ask('revoke-access-of-many', { userIds: [userId], reason: 'not from here' });
      expect((await entriesOn(userId)).at(-1)).toMatchObject({
        act: 'access_revoked',
        before: { hasAccess: false },
        after: { hasAccess: false },
      });
    });
  });

  describe('the search for learners', () => {
    it('finds names without their marks, in another form or case, and words in any order', async () => {
      const [turkish, german, polish] = [anEmail(), anEmail(), anEmail()];
      await invite([turkish], { firstName: 'İpek', lastName: 'Işık-Ünal' });
      // The decomposed form, as macOS writes it.
      await invite([german], { firstName: 'Bjo\u{308}rn', lastName: 'Weiß' });
      await invite([polish], { firstName: 'Łukasz', lastName: 'Øst' });
      const found = async (search: string) =>
        ((await scene.ask('users', { search })).body['rows'] as { email: string }[]).map(({ email }) => email);
      for (const search of ['ipek', 'İPEK', 'ISIK-unal', 'ışık', '  Ünal   İpek ', turkish.toUpperCase()])
        expect(await found(search), search).toEqual([turkish]);
      for (const search of ['bjorn', 'björn', 'BJO\u{308}RN', 'weiss', 'WEISS', 'weiß bjö'])
        expect(await found(search), search).toEqual([german]);
      for (const search of ['lukasz', 'ŁUKASZ', 'ost lukasz']) expect(await found(search), search).toEqual([polish]);
      for (const search of ['ipek bjorn', '%', 'b_orn', String.raw`\ipek`])
        expect(await found(search), search).toEqual([]);
    });
  });

  describe('a learner’s page', () => {
    it('shows numbers of practice and never a word that was said', async () => {
      const { db } = scene.server.database;
      await seedSchool(db, scene.server.now(), { learners: 3, practicesEach: 4, waiting: 1 });
      await db.update(tables.practiceHistory).set({ summary: 'a secret that was said' });
      const { body } = await scene.ask('users', { search: 'nordhafen', sort: 'email', only: 'with_access' });
      const [row] = body['rows'] as { userId: string }[];
      const { practiceHistory } = tables;
      const ofLearner = eq(practiceHistory.userId, (row?.userId ?? '') as never);
      await db.update(practiceHistory).set({ score: 90 }).where(ofLearner);
      const [worst] = await db.select().from(practiceHistory).where(ofLearner).limit(1);
      await db
        .update(practiceHistory)
        .set({ score: 10 })
        .where(eq(practiceHistory.id, (worst?.id ?? '') as never));
      const { status, body: learner } = await scene.ask('learner', { userId: row?.userId });
      expect(status).toBe(200);
      // The median, as for the weeks: one bad day does not change it.
      expect(learner['practice']).toMatchObject({ finished: 4, minutes: expect.any(Number), score: 90 });
      expect((learner['practice'] as { weeks: unknown[] }).weeks).toHaveLength(8);
      expect(JSON.stringify(learner)).not.toContain('secret');
    });

    it('sends a new link to a learner with access only', async () => {
      const email = anEmail();
      await invite([email]);
      const { userId } = await find(email);
      expect((await scene.ask('send-access-link', { userId })).status).toBe(200);
      await scene.sendDue();
      const links = scene.mails.filter(({ to }) => to === email).map(({ text }) => /link=(\S+)/.exec(text)?.[1]);
      expect(new Set(links).size).toBe(2);
      await scene.ask('revoke-access-of-many', { userIds: [userId], reason: 'x' });
      expect(await scene.ask('send-access-link', { userId })).toMatchObject({ body: { code: 'access.required' } });
    });

    it('corrects an address that was never used, and no other', async () => {
      await scene.confirm();
      const [wrong, right] = [anEmail(), anEmail()];
      await invite([wrong]);
      const { userId } = await find(wrong);
      expect((await scene.ask('correct-address', { userId, email: scene.adminEmail })).status).toBe(400);
      expect((await scene.ask('correct-address', { userId, email: right })).status).toBe(200);
      expect((await find(right)).userId).toBe(userId);
      await scene.signInBrowser(right);
      expect(await scene.ask('correct-address', { userId, email: anEmail() })).toMatchObject({
        status: 403,
        body: { data: { detail: 'signed_in' } },
      });
      const entries = await entriesOn(userId);
      expect(JSON.stringify(entries)).not.toContain(right);
    });

    it('gives an address to one of two learners who are corrected at the same time', async () => {
      await scene.confirm();
      const [wrong, right] = [[anEmail(), anEmail(), anEmail(), anEmail()], anEmail()];
      await invite(wrong);
      const userIds = await Promise.all(wrong.map(async (email) => (await find(email)).userId));
      const answers = await Promise.all(
        userIds.map((userId) => scene.ask('correct-address', { userId, email: right })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
    });

    it('sends the link to a corrected address although the server failed between the two', async () => {
      await scene.confirm();
      const [wrong, right] = [anEmail(), anEmail()];
      await invite([wrong]);
      const { userId } = await find(wrong);
      const { db } = scene.server.database;
      await db.execute(sql`create function fail() returns trigger language plpgsql as 'begin raise ''full''; end'`);
      await db.execute(sql`create trigger fail before insert on mails execute function fail()`);
      expect((await scene.ask('correct-address', { userId, email: right })).status).toBe(500);
      await db.execute(sql`drop function fail cascade`);
      expect((await scene.ask('correct-address', { userId, email: right })).status).toBe(200);
      await scene.sendDue();
      expect(scene.mails.filter(({ to }) => to === right)).toHaveLength(1);
    });

    it('erases a learner in thirty days, and the deletion can be withdrawn', async () => {
      await scene.confirm();
      const email = anEmail();
      await invite([email]);
      const { userId } = await find(email);
      expect((await scene.ask('request-deletion', { userId, reason: 'asked by phone' })).status).toBe(200);
      expect((await scene.ask('learner', { userId })).body['eraseAt']).toEqual(expect.any(String));
      expect((await scene.ask('withdraw-deletion', { userId })).status).toBe(200);
      expect((await scene.ask('learner', { userId })).body['eraseAt']).toBeNull();
      const decisions = (await entriesOn(userId)).filter(({ act }) => act.startsWith('deletion'));
      expect(decisions).toMatchObject([
        { act: 'deletion_requested', actorId: scene.adminId, reason: 'asked by phone' },
        { act: 'deletion_withdrawn', actorId: scene.adminId },
      ]);
      await scene.sendDue();
      expect(await scene.server.database.db.$count(mails, eq(mails.userId, userId))).toBe(2);
    });

    it('informs a learner that an admin asked for the deletion', async () => {
      await scene.confirm();
      const email = anEmail();
      await invite([email]);
      const { userId } = await find(email);
      // Mails are sent in parallel, so the invitation is sent before the notice is queued.
      await scene.sendDue();
      await scene.ask('request-deletion', { userId, reason: 'left the company' });
      await scene.sendDue();
      const text = scene.mails.findLast(({ to }) => to === email)?.text.replaceAll(/\s+/g, ' ');
      expect(text).toContain('An admin asked for your account to be deleted. On ');
      expect(text).toContain('because an admin asked for your account to be deleted.');
      expect(text).not.toContain('You asked');
    });

    it.each([
      ['correct-address', { email: 'x@example.com' }],
      ['request-deletion', { reason: 'x' }],
      ['set-admin', { isAdmin: true, reason: 'x' }],
    ])('needs a recent code for %s', async (call, body) => {
      const email = anEmail();
      await invite([email]);
      const { userId } = await find(email);
      scene.server.advanceClock(11 * 60_000);
      expect(await scene.ask(call, { userId, ...body })).toMatchObject({
        status: 403,
        body: { code: 'auth.confirmation_required' },
      });
    });
  });
}
