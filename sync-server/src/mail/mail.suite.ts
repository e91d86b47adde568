import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { DatabaseConnection } from '../db/client.ts';
import { mails } from '../db/mail-tables.ts';
import { auditLog, devices, tables } from '../db/tables.ts';
import { createSmtpTransport } from '../integrations/smtp/index.ts';
import { startSmtpFake } from '@parley/fakes/smtp/index.ts';
import type { SendResult } from './index.ts';
import { answerAfter, DAY_MS, HOUR_MS, MINUTE_MS, ORIGIN, setUpMailFixture } from '../../test-kit/mail/mail-fixture.ts';

const LINK = `${ORIGIN}/sign-in/link?token=abc`;
const DEFERRED: SendResult = { outcome: 'deferred', trouble: '451 later' };
const ADMIN_ID = randomUUID();
const REFUSED: SendResult = { outcome: 'refused', trouble: '550 no such mailbox' };

export function mailSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailFixture(open);

  const welcome = ({ userId, email }: { userId: string; email: string }, step = '1') =>
    scene.database.db.transaction((tx) =>
      scene.mail.enqueue(tx, { userId, to: email, kind: 'access_link', step, data: { firstName: 'Anna', link: LINK } }),
    );
  const signIn = (to: string) =>
    scene.database.db.transaction((tx) =>
      scene.mail.enqueue(tx, {
        userId: null,
        to,
        kind: 'sign_in',
        step: randomUUID(),
        data: { code: '482913', withoutCode: null, link: LINK },
      }),
    );
  const notice = (learner: { userId: string; email: string }) =>
    scene.database.db.transaction((tx) =>
      scene.mail.enqueue(tx, {
        userId: learner.userId,
        to: learner.email,
        kind: 'access_waiting',
        step: randomUUID(),
        data: { count: 2, firstAskedAt: scene.now(), timeZone: 'UTC', requestsUrl: `${ORIGIN}/admin` },
      }),
    );

  describe('a mail', () => {
    it('is in the language of the learner’s app, unless requested in another', async () => {
      const learner = await scene.createLearner();
      await scene.database.db.update(devices).set({ language: 'de' }).where(eq(devices.userId, learner.userId));
      await welcome(learner);
      const [stored] = await scene.mailsOf(learner.userId);
      expect(stored?.subject).toBe('Du hast Zugang zu Parley');
      expect(stored?.html).toContain('<html lang="de" dir="ltr"');
      expect(stored?.text).toContain('Hallo Anna,');
      await scene.database.db.transaction((tx) =>
        scene.mail.enqueue(tx, {
          userId: null,
          to: learner.email,
          kind: 'sign_in',
          step: randomUUID(),
          language: 'ar',
          data: { code: '482913', withoutCode: null, link: LINK },
        }),
      );
      const asked = (await scene.mailsTo(learner.email)).find(({ kind }) => kind === 'sign_in');
      expect(asked?.html).toContain('<html lang="ar" dir="rtl"');
    });

    it('is enqueued once per learner, kind and step', async () => {
      const learner = await scene.createLearner();
      const [first, ...others] = await Promise.all([welcome(learner), welcome(learner), welcome(learner)]);
      expect([first, ...others].filter(Boolean)).toHaveLength(1);
      expect(await welcome(learner, '2')).toBe(true);
      expect(await scene.mailsOf(learner.userId)).toHaveLength(2);
    });

    it('is rolled back with the transaction that enqueued it', async () => {
      const learner = await scene.createLearner();
      const undone = scene.database.db.transaction(async (tx) => {
        await scene.mail.enqueue(tx, {
          userId: learner.userId,
          to: learner.email,
          kind: 'access_link',
          step: '1',
          data: { firstName: null, link: LINK },
        });
        throw new Error('rolled back');
      });
      await expect(undone).rejects.toThrow('rolled back');
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0 });
      expect(scene.scriptedTransport.sent).toEqual([]);
    });

    it('is sent whole under a stable message id, and its content is deleted', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
      const [stored] = await scene.mailsOf(learner.userId);
      const [sent] = scene.scriptedTransport.sent;
      expect(sent).toMatchObject({ to: learner.email, messageId: `<${stored?.id}@parley.example>` });
      expect(sent?.text).toContain(LINK);
      expect(sent?.html).toContain(LINK);
      expect(stored).toMatchObject({ state: 'sent', sentAt: scene.now(), html: '', text: '', tries: 1, trouble: null });
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0 });
    });

    it('with a code is sent first and has no unsubscribe link', async () => {
      const learners = await Promise.all(Array.from({ length: 12 }, () => scene.createLearner()));
      for (const learner of learners) await welcome(learner);
      scene.advanceClock(MINUTE_MS);
      await signIn('new@example.org');
      const order: string[] = [];
      const watched = scene.anotherServer({
        transport: { name: 'watched', send: async ({ to }) => (order.push(to), { outcome: 'accepted' }) },
      });
      await watched.sendDue();
      expect(order).toHaveLength(13);
      // Four mails are sent in parallel, and their order among themselves is arbitrary.
      expect(order.slice(0, 4)).toContain('new@example.org');
      const [code] = await scene.mailsTo('new@example.org');
      expect(Object.keys(code?.headers ?? {})).not.toContain('List-Unsubscribe');
    });

    it('with an expired code is not sent', async () => {
      await signIn('late@example.org');
      scene.advanceClock(15 * MINUTE_MS);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 1 });
      expect(await scene.mailsTo('late@example.org')).toMatchObject([{ state: 'suppressed', text: '' }]);
    });

    it.each([
      ['that was erased', { email: null }, 'erased'],
      ['that was deleted', { deletedAt: new Date() }, 'erased'],
      ['with a new address', { email: 'other@example.org' }, 'another address'],
    ])('to an account %s is suppressed', async (_what, change, trouble) => {
      const learner = await scene.createLearner();
      await welcome(learner);
      await scene.database.db.update(tables.users).set(change).where(eq(tables.users.userId, learner.userId));
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 1 });
      expect((await scene.mailsOf(learner.userId))[0]?.trouble).toContain(trouble);
      await scene.database.db.update(tables.users).set({ email: null }).where(eq(tables.users.userId, learner.userId));
    });
  });

  describe('a server of the former release, in the middle of an update,', () => {
    it.each([
      ['waiting', null, 'sent', 1],
      ['dropped', 'The reminder is no longer due.', 'suppressed', 0],
      ['failed', 'A newer mail replaced it.', 'superseded', 0],
      ['failed', 'Given up after 5 tries: 451', 'failed', 0],
    ])('leaves mail that is %s (%s), which ends as %s', async (state, trouble, becomes, count) => {
      const learner = await scene.createLearner();
      await welcome(learner);
      const isTheirs = eq(mails.userId, learner.userId as never);
      await scene.database.db
        .update(mails)
        .set({ state: state as never, trouble })
        .where(isTheirs);
      const sentBefore = scene.scriptedTransport.sent.length;
      await scene.mail.renameFormerStates();
      await scene.mail.sendDue();
      expect(await scene.database.db.select({ state: mails.state }).from(mails).where(isTheirs)).toEqual([
        { state: becomes },
      ]);
      expect(scene.scriptedTransport.sent.length - sentBefore).toBe(count);
    });
  });

  describe('two servers', () => {
    it('that send at the same time send each mail once', async () => {
      const learners = await Promise.all(Array.from({ length: 30 }, () => scene.createLearner()));
      for (const learner of learners) await welcome(learner);
      scene.scriptedTransport.answer = () => answerAfter(2, { outcome: 'accepted' });
      const counts = await Promise.all([scene.mail.sendDue(), scene.anotherServer().sendDue()]);
      expect(counts.map(({ sent }) => sent).reduce((a, b) => a + b)).toBe(30);
      expect(scene.scriptedTransport.sent.map(({ to }) => to).toSorted()).toEqual(
        learners.map(({ email }) => email).toSorted(),
      );
    });
  });

  describe('a server that dies while sending', () => {
    it('leaves a mail that only an admin can send again', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      let taken: () => void = () => undefined;
      const isTaken = new Promise<void>((resolve) => {
        taken = resolve;
      });
      scene.scriptedTransport.answer = () => {
        taken();
        return new Promise(() => undefined);
      };
      void scene.mail.sendDue();
      await isTaken;
      scene.scriptedTransport.answer = () => ({ outcome: 'accepted' });

      const next = scene.anotherServer();
      for (let hour = 0; hour < 48; hour += 1) {
        expect(await next.sendDue()).toMatchObject({ sent: 0 });
        scene.advanceClock(HOUR_MS);
      }
      const [trouble] = await next.listUndelivered();
      expect(trouble).toMatchObject({ to: learner.email, state: 'failed', canBeSentAgain: true });
      expect(trouble?.trouble).toContain('It may have been sent');
      expect(await next.resend(trouble?.id ?? '', ADMIN_ID)).toBe(true);
      expect(await next.sendDue()).toMatchObject({ sent: 1 });
      expect(await next.listUndelivered()).toEqual([]);
      expect(await next.resend(trouble?.id ?? '', ADMIN_ID)).toBe(false);
      const entries = scene.database.db.select().from(auditLog);
      expect(await entries.where(eq(auditLog.subjectId, trouble?.id ?? ''))).toMatchObject([
        { act: 'mail_resent', subject: 'mail', actorId: ADMIN_ID, details: { kind: 'access_link' } },
      ]);
    });

    it('is not listed while it is being sent', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      scene.scriptedTransport.answer = async () => {
        expect(await scene.mail.listUndelivered()).toEqual([]);
        const [mail] = await scene.mailsOf(learner.userId);
        expect(await scene.mail.resend(mail?.id ?? '', ADMIN_ID)).toBe(false);
        return { outcome: 'accepted' };
      };
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
    });
  });

  describe('an unavailable mail server', () => {
    it('is tried five times in a day, and then the mail is listed', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      const triedAt: number[] = [];
      scene.scriptedTransport.answer = () => {
        triedAt.push(scene.now().getTime());
        return DEFERRED;
      };
      for (let quarter = 0; quarter < 4 * 48; quarter += 1) {
        await scene.mail.sendDue();
        scene.advanceClock(15 * MINUTE_MS);
      }
      expect(triedAt).toHaveLength(5);
      const spanMs = (triedAt.at(-1) ?? 0) - (triedAt[0] ?? 0);
      expect(spanMs).toBeGreaterThan(20 * HOUR_MS);
      expect(spanMs).toBeLessThan(28 * HOUR_MS);
      expect(await scene.mail.listUndelivered()).toMatchObject([
        { state: 'failed', trouble: 'Given up after 5 tries: 451 later' },
      ]);
    });

    it('receives the mail under the same message id once it is back', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      const names: string[] = [];
      scene.scriptedTransport.answer = ({ messageId }) => {
        names.push(messageId);
        return names.length < 3 ? DEFERRED : { outcome: 'accepted' };
      };
      for (let hour = 0; hour < 24; hour += 1) {
        await scene.mail.sendDue();
        scene.advanceClock(HOUR_MS);
      }
      expect(names).toHaveLength(3);
      expect(new Set(names).size).toBe(1);
      expect(scene.scriptedTransport.sent).toHaveLength(1);
    });
  });

  describe('a bounced mail', () => {
    it('is marked, and its address gets no more unrequested mail', async () => {
      const [atOnce, later] = [await scene.createLearner(), await scene.createLearner()];
      scene.scriptedTransport.answer = ({ to }) => (to === atOnce.email ? REFUSED : { outcome: 'accepted' });
      await welcome(atOnce);
      await welcome(later);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1, bounced: 1 });
      scene.scriptedTransport.answer = () => ({ outcome: 'accepted' });
      const { messageId } = scene.scriptedTransport.sent[0] ?? { messageId: '' };
      expect(
        await scene.mail.recordBounce({ messageId, to: null, outcome: 'bounced', trouble: '5.1.1 unknown' }),
      ).not.toBeNull();
      for (const { userId } of [atOnce, later])
        expect(await scene.mailsOf(userId)).toMatchObject([{ state: 'bounced', text: '' }]);

      scene.advanceClock(MINUTE_MS);
      for (const learner of [atOnce, later]) await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 2 });
      await signIn(later.email);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
    });

    it('that is only delayed or not ours changes nothing', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      await scene.mail.sendDue();
      const messageId = scene.scriptedTransport.sent[0]?.messageId ?? null;
      await scene.mail.recordBounce({ messageId, to: null, outcome: 'delayed', trouble: '4.4.1 still trying' });
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ state: 'sent', trouble: '4.4.1 still trying' }]);
      const ofNobody = {
        messageId: `<${randomUUID()}@parley.example>`,
        to: learner.email,
        outcome: 'bounced' as const,
        trouble: '',
      };
      expect(await scene.mail.recordBounce(ofNobody)).toBeNull();
      expect(await scene.mail.recordBounce({ ...ofNobody, messageId: null, to: null })).toBeNull();
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ state: 'sent' }]);
      expect(await scene.mail.recordBounce({ ...ofNobody, messageId: null })).not.toBeNull();
    });

    it('that a mail server gave up is not delivered, and its address gets mail again', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      await scene.mail.sendDue();
      const messageId = scene.scriptedTransport.sent[0]?.messageId ?? null;
      const bounce = { messageId, to: null, outcome: 'failed', trouble: '4.4.7 expired' } as const;
      const id = await scene.mail.recordBounce(bounce);
      expect(await scene.mail.recordBounce(bounce)).toBeNull();
      expect(await scene.mail.listUndelivered()).toMatchObject([{ id, state: 'failed', canBeSentAgain: false }]);
      expect(await scene.mail.resend(id ?? '', randomUUID())).toBe(false);
      scene.advanceClock(MINUTE_MS);
      await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
    });

    it('that is reported by a mail server is recorded once', async () => {
      const learner = await scene.createLearner();
      await welcome(learner);
      await scene.mail.sendDue();
      const notification = [
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        '',
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.example.org',
        '',
        `Final-Recipient: rfc822; ${learner.email}`,
        'Action: failed',
        'Status: 5.1.1',
        '',
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: ${scene.scriptedTransport.sent[0]?.messageId}`,
        '--b--',
      ].join('\r\n');
      const [mail] = await scene.mailsOf(learner.userId);
      expect(await scene.mail.recordDeliveryStatus(notification)).toBe(mail?.id);
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ state: 'bounced', trouble: '5.1.1' }]);
      expect(await scene.mail.recordDeliveryStatus(notification)).toBeNull();
      expect(await scene.mail.recordDeliveryStatus('Subject: Thank you!\r\n\r\nAnna')).toBeNull();
    });
  });

  describe('a real mail server', () => {
    it('is retried after a clear refusal, but not after a lost connection', async () => {
      const fake = await startSmtpFake();
      const mail = scene.anotherServer({
        transport: createSmtpTransport({ url: fake.url, from: 'Parley <hello@parley.example>', timeoutMs: 2_000 }),
      });
      const [late, unknown, cut] = [
        await scene.createLearner(),
        await scene.createLearner(),
        await scene.createLearner(),
      ];
      const sendTo = async (learner: typeof late, how: Parameters<typeof fake.setFault>[0]) => {
        await welcome(learner);
        fake.setFault(how);
        const count = await mail.sendDue();
        fake.setFault({ type: 'none' });
        return count;
      };
      expect(await sendTo(late, { type: 'answer', code: 451, at: 'mail' })).toMatchObject({ postponed: 1 });
      expect(await sendTo(unknown, { type: 'answer', code: 550, at: 'recipient' })).toMatchObject({ bounced: 1 });
      expect(await sendTo(cut, { type: 'cut', at: 'mail' })).toMatchObject({ failed: 1 });
      scene.advanceClock(2 * DAY_MS);
      expect(await mail.sendDue()).toMatchObject({ sent: 1 });
      expect(fake.mails.map(({ to }) => to[0])).toEqual([cut.email, late.email]);
      expect(fake.mails[1]?.text).toContain(LINK);
      expect(fake.mails[1]?.headers.get('auto-submitted')).toBe('auto-generated');
      await fake.close();
    });
  });
}
