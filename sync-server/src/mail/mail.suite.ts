import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { createSmtpTransport } from '../integrations/smtp/index.ts';
import { startSmtpTwin } from '../integrations/smtp/twin/index.ts';
import type { HandOver } from './index.ts';
import { afterA, DAY_MS, HOUR_MS, MINUTE_MS, ORIGIN, setUpMailScene } from './test-kit/mail-scene.ts';

const LINK = `${ORIGIN}/sign-in/link?token=abc`;
const DEFERRED: HandOver = { outcome: 'deferred', trouble: '451 later' };
const REFUSED: HandOver = { outcome: 'refused', trouble: '550 nobody here' };

export function mailSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailScene(open);

  const welcome = (learner: { userId: string; email: string }, step = '1') =>
    scene.database.db.transaction((tx) =>
      scene.mail.enqueue(tx, {
        userId: learner.userId,
        to: learner.email,
        kind: 'access_link',
        step,
        data: { firstName: 'Anna', link: LINK },
      }),
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
  const receipt = (learner: { userId: string; email: string }) =>
    scene.database.db.transaction((tx) =>
      scene.mail.enqueue(tx, {
        userId: learner.userId,
        to: learner.email,
        kind: 'receipt',
        step: randomUUID(),
        data: {
          firstName: null,
          amountMinor: 1_290,
          currency: 'eur',
          what: 'PLUS',
          paidAt: scene.now(),
          timeZone: 'UTC',
          invoiceUrl: `${ORIGIN}/invoice`,
        },
      }),
    );

  describe('a mail', () => {
    it('is written down once for a learner, a kind and a step', async () => {
      const learner = await scene.aLearner();
      const [first, ...others] = await Promise.all([welcome(learner), welcome(learner), welcome(learner)]);
      expect([first, ...others].filter(Boolean)).toHaveLength(1);
      expect(await welcome(learner, '2')).toBe(true);
      expect(await scene.mailsOf(learner.userId)).toHaveLength(2);
    });

    it('goes with the transaction that wrote it down, or not at all', async () => {
      const learner = await scene.aLearner();
      const undone = scene.database.db.transaction(async (tx) => {
        await scene.mail.enqueue(tx, {
          userId: learner.userId,
          to: learner.email,
          kind: 'access_link',
          step: '1',
          data: { firstName: null, link: LINK },
        });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0 });
      expect(scene.post.sent).toEqual([]);
    });

    it('is handed over whole, under a name of its own that stays, and its words are not kept', async () => {
      const learner = await scene.aLearner();
      await welcome(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
      const [stored] = await scene.mailsOf(learner.userId);
      const [sent] = scene.post.sent;
      expect(sent).toMatchObject({ to: learner.email, messageId: `<${stored?.id}@parley.example>` });
      expect(sent?.text).toContain(LINK);
      expect(sent?.html).toContain(LINK);
      expect(stored).toMatchObject({ state: 'sent', sentAt: scene.now(), html: '', text: '', tries: 1, trouble: null });
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0 });
    });

    it('with a code stands before all others, and carries no link to unsubscribe', async () => {
      const learners = await Promise.all(Array.from({ length: 12 }, () => scene.aLearner()));
      for (const learner of learners) await welcome(learner);
      scene.pass(MINUTE_MS);
      await signIn('new@example.org');
      const order: string[] = [];
      const watched = scene.anotherServer({
        transport: { name: 'watched', send: async ({ to }) => (order.push(to), { outcome: 'accepted' }) },
      });
      await watched.sendDue();
      expect(order).toHaveLength(13);
      // A few are handed over at the same time, and which of those comes to its end first is chance.
      expect(order.slice(0, 4)).toContain('new@example.org');
      const [code] = await scene.mailsTo('new@example.org');
      expect(Object.keys(code?.headers ?? {})).not.toContain('List-Unsubscribe');
    });

    it('with a code that is no longer good is not sent', async () => {
      await signIn('late@example.org');
      scene.pass(15 * MINUTE_MS);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, dropped: 1 });
      expect(await scene.mailsTo('late@example.org')).toMatchObject([{ state: 'dropped', text: '' }]);
    });

    it.each([
      ['that is erased', { email: null }, 'erased'],
      ['that is deleted', { deletedAt: new Date() }, 'erased'],
      ['that has another address now', { email: 'other@example.org' }, 'another address'],
    ])('to an account %s is dropped', async (_what, change, trouble) => {
      const learner = await scene.aLearner();
      await welcome(learner);
      await scene.database.db.update(tables.users).set(change).where(eq(tables.users.userId, learner.userId));
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, dropped: 1 });
      expect((await scene.mailsOf(learner.userId))[0]?.trouble).toContain(trouble);
      await scene.database.db.update(tables.users).set({ email: null }).where(eq(tables.users.userId, learner.userId));
    });
  });

  describe('two servers', () => {
    it('that send at once send each mail once', async () => {
      const learners = await Promise.all(Array.from({ length: 30 }, () => scene.aLearner()));
      for (const learner of learners) await welcome(learner);
      scene.post.answer = () => afterA(2, { outcome: 'accepted' });
      const counts = await Promise.all([scene.mail.sendDue(), scene.anotherServer().sendDue()]);
      expect(counts.map(({ sent }) => sent).reduce((a, b) => a + b)).toBe(30);
      expect(scene.post.sent.map(({ to }) => to).toSorted()).toEqual(learners.map(({ email }) => email).toSorted());
    });
  });

  describe('a server that dies between taking a mail and handing it over', () => {
    it('leaves one that nobody sends again by themselves, until an admin does', async () => {
      const learner = await scene.aLearner();
      await welcome(learner);
      let taken: () => void = () => undefined;
      const isTaken = new Promise<void>((resolve) => {
        taken = resolve;
      });
      scene.post.answer = () => {
        taken();
        return new Promise(() => undefined);
      };
      void scene.mail.sendDue();
      await isTaken;
      scene.post.answer = () => ({ outcome: 'accepted' });

      const next = scene.anotherServer();
      for (let hour = 0; hour < 48; hour += 1) {
        expect(await next.sendDue()).toMatchObject({ sent: 0 });
        scene.pass(HOUR_MS);
      }
      const [trouble] = await next.troubles();
      expect(trouble).toMatchObject({ to: learner.email, state: 'failed', canBeSentAgain: true });
      expect(trouble?.trouble).toContain('nobody knows whether it was sent');
      expect(await next.sendAgain(trouble?.id ?? '')).toBe(true);
      expect(await next.sendDue()).toMatchObject({ sent: 1 });
      expect(await next.troubles()).toEqual([]);
      expect(await next.sendAgain(trouble?.id ?? '')).toBe(false);
    });

    it('is not told from one that is just at it, until that takes too long', async () => {
      const learner = await scene.aLearner();
      await welcome(learner);
      scene.post.answer = async () => {
        expect(await scene.mail.troubles()).toEqual([]);
        const [mail] = await scene.mailsOf(learner.userId);
        expect(await scene.mail.sendAgain(mail?.id ?? '')).toBe(false);
        return { outcome: 'accepted' };
      };
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
    });
  });

  describe('a mail server that is not there', () => {
    it('is asked five times in a day, and then the mail stands on the list', async () => {
      const learner = await scene.aLearner();
      await welcome(learner);
      const triedAt: number[] = [];
      scene.post.answer = () => {
        triedAt.push(scene.now().getTime());
        return DEFERRED;
      };
      for (let quarter = 0; quarter < 4 * 48; quarter += 1) {
        await scene.mail.sendDue();
        scene.pass(15 * MINUTE_MS);
      }
      expect(triedAt).toHaveLength(5);
      const spanMs = (triedAt.at(-1) ?? 0) - (triedAt[0] ?? 0);
      expect(spanMs).toBeGreaterThan(20 * HOUR_MS);
      expect(spanMs).toBeLessThan(28 * HOUR_MS);
      expect(await scene.mail.troubles()).toMatchObject([
        { state: 'failed', trouble: 'Given up after 5 tries: 451 later' },
      ]);
    });

    it('that comes back gets the mail under the same name', async () => {
      const learner = await scene.aLearner();
      await welcome(learner);
      const names: string[] = [];
      scene.post.answer = ({ messageId }) => {
        names.push(messageId);
        return names.length < 3 ? DEFERRED : { outcome: 'accepted' };
      };
      for (let hour = 0; hour < 24; hour += 1) {
        await scene.mail.sendDue();
        scene.pass(HOUR_MS);
      }
      expect(names).toHaveLength(3);
      expect(new Set(names).size).toBe(1);
      expect(scene.post.sent).toHaveLength(1);
    });
  });

  describe('a mail that comes back', () => {
    it('at once or later is marked, and its address gets nothing more that was not asked for', async () => {
      const [atOnce, later] = [await scene.aLearner(), await scene.aLearner()];
      scene.post.answer = ({ to }) => (to === atOnce.email ? REFUSED : { outcome: 'accepted' });
      await welcome(atOnce);
      await welcome(later);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1, bounced: 1 });
      scene.post.answer = () => ({ outcome: 'accepted' });
      const { messageId } = scene.post.sent[0] ?? { messageId: '' };
      expect(
        await scene.mail.noteBounce({ messageId, to: null, permanent: true, trouble: '5.1.1 unknown' }),
      ).not.toBeNull();
      for (const { userId } of [atOnce, later])
        expect(await scene.mailsOf(userId)).toMatchObject([{ state: 'bounced', text: '' }]);

      scene.pass(MINUTE_MS);
      for (const learner of [atOnce, later]) await receipt(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, dropped: 2 });
      await signIn(later.email);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
      // Something arrived there: the address is good again.
      scene.pass(MINUTE_MS);
      await receipt(later);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
    });

    it('that is only late, or none of ours, changes nothing', async () => {
      const learner = await scene.aLearner();
      await welcome(learner);
      await scene.mail.sendDue();
      const messageId = scene.post.sent[0]?.messageId ?? null;
      await scene.mail.noteBounce({ messageId, to: null, permanent: false, trouble: '4.4.1 still trying' });
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ state: 'sent', trouble: '4.4.1 still trying' }]);
      const ofNobody = {
        messageId: `<${randomUUID()}@parley.example>`,
        to: learner.email,
        permanent: true,
        trouble: '',
      };
      expect(await scene.mail.noteBounce(ofNobody)).toBeNull();
      expect(await scene.mail.noteBounce({ ...ofNobody, messageId: null, to: null })).toBeNull();
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ state: 'sent' }]);
      expect(await scene.mail.noteBounce({ ...ofNobody, messageId: null })).not.toBeNull();
    });

    it('as a notification of a mail server is read and marked, once', async () => {
      const learner = await scene.aLearner();
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
        `Message-ID: ${scene.post.sent[0]?.messageId}`,
        '--b--',
      ].join('\r\n');
      const [mail] = await scene.mailsOf(learner.userId);
      expect(await scene.mail.noteNotification(notification)).toBe(mail?.id);
      expect(await scene.mailsOf(learner.userId)).toMatchObject([{ state: 'bounced', trouble: '5.1.1' }]);
      expect(await scene.mail.noteNotification(notification)).toBeNull();
      expect(await scene.mail.noteNotification('Subject: Thank you!\r\n\r\nAnna')).toBeNull();
    });
  });

  describe('a real mail server', () => {
    it('that defers, refuses, or breaks the line after the mail, is asked again only where it surely has nothing', async () => {
      const twin = await startSmtpTwin();
      const mail = scene.anotherServer({
        transport: createSmtpTransport({ url: twin.url, from: 'Parley <hello@parley.example>', silenceMs: 2_000 }),
      });
      const [late, unknown, cut] = [await scene.aLearner(), await scene.aLearner(), await scene.aLearner()];
      const sendTo = async (learner: typeof late, how: Parameters<typeof twin.misbehave>[0]) => {
        await welcome(learner);
        twin.misbehave(how);
        const count = await mail.sendDue();
        twin.misbehave({ type: 'none' });
        return count;
      };
      expect(await sendTo(late, { type: 'answer', code: 451, at: 'mail' })).toMatchObject({ postponed: 1 });
      expect(await sendTo(unknown, { type: 'answer', code: 550, at: 'recipient' })).toMatchObject({ bounced: 1 });
      expect(await sendTo(cut, { type: 'cut', at: 'mail' })).toMatchObject({ failed: 1 });
      scene.pass(2 * DAY_MS);
      expect(await mail.sendDue()).toMatchObject({ sent: 1 });
      expect(twin.mails.map(({ to }) => to[0])).toEqual([cut.email, late.email]);
      expect(twin.mails[1]?.text).toContain(LINK);
      expect(twin.mails[1]?.headers.get('auto-submitted')).toBe('auto-generated');
      await twin.close();
    });
  });
}
