import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, ORIGIN, setUpMailFixture } from '../../../test-kit/mail/mail-fixture.ts';
import type { DatabaseConnection } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { devices, tables } from '../../db/tables.ts';
import type { NewMail } from '../queue/enqueue.ts';
import type { MailKind } from '../templates/index.ts';

const LINK = `${ORIGIN}/sign-in/link?token=abc`;

export function bouncingAddressSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailFixture(open);
  type Learner = Awaited<ReturnType<typeof scene.createLearner>>;

  const enqueue = <Kind extends MailKind>(mail: NewMail<Kind>) =>
    scene.database.db.transaction((tx) => scene.mail.enqueue(tx, mail));
  /** The learner has asked for it, so it is sent even to an address that bounced. */
  const welcome = ({ userId, email: to }: Learner) =>
    enqueue({ userId, to, kind: 'access_link', step: randomUUID(), data: { firstName: null, link: LINK } });
  const receipt = ({ userId, email: to }: Learner) => {
    const paid = { amountMinor: 1_290, currency: 'eur', what: 'PLUS', paidAt: scene.now(), timeZone: 'UTC' };
    const data = { firstName: null, ...paid, invoiceUrl: `${ORIGIN}/invoice` };
    return enqueue({ userId, to, kind: 'receipt', step: randomUUID(), data });
  };
  const signIn = ({ email: to }: Learner) => {
    const data = { code: '482913', withoutCode: null, link: LINK };
    return enqueue({ userId: null, to, kind: 'sign_in', step: randomUUID(), data });
  };
  /** A mail that the learner did not request. */
  const notice = ({ userId, email: to }: Learner) => {
    const data = { count: 2, firstAskedAt: scene.now(), timeZone: 'UTC', requestsUrl: `${ORIGIN}/admin` };
    return enqueue({ userId, to, kind: 'access_waiting', step: randomUUID(), data });
  };
  /** Hands over a mail, which bounces a minute later, after the mails handed over by `meanwhile`. */
  const bounce = async (learner: Learner, meanwhile: () => Promise<unknown> = async () => undefined) => {
    await welcome(learner);
    await scene.mail.sendDue();
    const messageId = scene.scriptedTransport.sent.at(-1)?.messageId ?? null;
    scene.advanceClock(MINUTE_MS);
    await meanwhile();
    scene.advanceClock(MINUTE_MS);
    await scene.mail.recordBounce({ messageId, to: null, outcome: 'bounced', trouble: '5.1.1 unknown' });
    scene.advanceClock(MINUTE_MS);
  };

  describe('an address that bounced', () => {
    it('is not proved by a mail that was handed over before the report', async () => {
      const learner = await scene.createLearner();
      await bounce(learner, async () => {
        await receipt(learner);
        expect(await scene.mail.sendDue()).toMatchObject({ sent: 1 });
      });
      await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 1 });
    });

    it('is not proved by a mail that was handed over later', async () => {
      const learner = await scene.createLearner();
      await bounce(learner);
      await receipt(learner);
      await signIn(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 2 });
      await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 1 });
    });

    it('is proved by signing in after the report, not before', async () => {
      const learner = await scene.createLearner();
      const signedIn = () =>
        scene.database.db
          .update(tables.users)
          .set({ lastLoginAt: scene.now() })
          .where(eq(tables.users.userId, learner.userId));
      await bounce(learner, signedIn);
      await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 1 });
      await signedIn();
      await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1, suppressed: 0 });
    });

    it('is proved by a code that a signed-in device enters', async () => {
      const learner = await scene.createLearner();
      await bounce(learner);
      const confirmedAt = scene.now();
      await scene.database.db.update(devices).set({ confirmedAt }).where(eq(devices.userId, learner.userId));
      await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 1, suppressed: 0 });
    });

    it('stays unproved when an earlier version recorded the bounce', async () => {
      const learner = await scene.createLearner();
      await bounce(learner);
      await scene.database.db.update(mails).set({ bouncedAt: null }).where(eq(mails.to, learner.email));
      await notice(learner);
      expect(await scene.mail.sendDue()).toMatchObject({ sent: 0, suppressed: 1 });
    });
  });
}
