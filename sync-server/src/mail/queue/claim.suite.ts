import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { accountDeletions, tables } from '../../db/tables.ts';
import { DAY_MS, ORIGIN, setUpMailFixture } from '../../../test-kit/mail/mail-fixture.ts';

export function mailClaimSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailFixture(open);

  type Learner = Awaited<ReturnType<typeof scene.createLearner>>;
  type Enqueued = Parameters<typeof scene.mail.enqueue>[1];
  const enqueue = (mail: Enqueued): Promise<boolean> =>
    scene.database.db.transaction((tx) => scene.mail.enqueue(tx, mail));
  const sentKinds = async ({ userId }: Learner): Promise<string[]> => {
    await scene.mail.sendDue();
    return (await scene.mailsOf(userId)).map(({ kind, state }) => `${kind} ${state}`);
  };

  describe('a mail that waits in the queue', () => {
    const welcome = ({ userId, email: to }: Learner) =>
      enqueue({ userId, to, kind: 'access_link', step: '1', data: { firstName: null, link: `${ORIGIN}/x` } });

    it('with an access link is not sent after the access was revoked', async () => {
      const [kept, revoked] = [await scene.createLearner(), await scene.createLearner()];
      await welcome(kept);
      await welcome(revoked);
      const { users } = tables;
      await scene.database.db.update(users).set({ hasAccess: false }).where(eq(users.userId, revoked.userId));
      expect(await sentKinds(kept)).toEqual(['access_link sent']);
      expect(await sentKinds(revoked)).toEqual(['access_link suppressed']);
    });

    const requestDeletion = async ({ userId, email: to }: Learner): Promise<void> => {
      const [requestedAt, eraseAt] = [scene.now(), new Date(scene.now().getTime() + 30 * DAY_MS)];
      await scene.database.db.insert(accountDeletions).values({ userId, requestedAt, eraseAt, leftFor: null });
      const data = {
        firstName: null,
        eraseAt,
        timeZone: 'UTC',
        keepUrl: ORIGIN,
        askedBy: 'learner' as const,
        plan: null,
      };
      await enqueue({ userId, to, kind: 'goodbye', step: requestedAt.toISOString(), data });
    };
    const withdrawDeletion = async ({ userId }: Learner): Promise<void> =>
      void (await scene.database.db.delete(accountDeletions).where(eq(accountDeletions.userId, userId)));

    it('about a deletion is sent while that request stands', async () => {
      const [pending, withdrawn, again] = [
        await scene.createLearner(),
        await scene.createLearner(),
        await scene.createLearner(),
      ];
      await requestDeletion(pending);
      await requestDeletion(withdrawn);
      await requestDeletion(again);
      await withdrawDeletion(withdrawn);
      await withdrawDeletion(again);
      scene.advanceClock(DAY_MS);
      await requestDeletion(again);
      expect(await sentKinds(pending)).toEqual(['goodbye sent']);
      expect(await sentKinds(withdrawn)).toEqual(['goodbye suppressed']);
      expect(await sentKinds(again)).toEqual(['goodbye suppressed', 'goodbye sent']);
    });

    it('that the learner has just asked or paid for is sent although earlier mail bounced', async () => {
      const learner = await scene.createLearner();
      const { userId, email: to } = learner;
      await welcome(learner);
      await scene.mail.sendDue();
      await scene.mail.recordBounce({ messageId: null, to, outcome: 'bounced', trouble: '5.1.1 unknown' });
      scene.advanceClock(DAY_MS);
      await requestDeletion(learner);
      const paid = { amountMinor: 1_290, currency: 'eur', what: 'PLUS', paidAt: scene.now(), timeZone: 'UTC' };
      const data = { firstName: null, ...paid, invoiceUrl: `${ORIGIN}/invoice` };
      await enqueue({ userId, to, kind: 'receipt', step: 'payment', data });
      expect((await sentKinds(learner)).toSorted()).toEqual(['access_link bounced', 'goodbye sent', 'receipt sent']);
    });

    it.each([
      ['sent during the trial', 'trialing', 'sent'],
      ['not sent after a plan was bought', 'active', 'suppressed'],
      ['not sent after the trial was cancelled', 'canceled', 'suppressed'],
    ] as const)('about the end of a trial is %s', async (_when, status, state) => {
      const learner = await scene.createLearner();
      const { userId, email: to } = learner;
      const endsAt = new Date(scene.now().getTime() + 3 * DAY_MS);
      const data = { firstName: null, timeZone: 'UTC', endsAt, continues: false, plansUrl: `${ORIGIN}/plans` };
      await enqueue({ userId, to, kind: 'trial_ending', step: 'trial', data });
      await scene.database.db.insert(tables.subscriptions).values({
        subscriptionId: randomUUID(),
        userId,
        planType: 'PLUS',
        quota: 0,
        remainingTime: 0,
        cancelAtPeriodEnd: false,
        status,
        createdAt: scene.now(),
        updatedAt: scene.now(),
        syncVersion: 1,
      });
      expect(await sentKinds(learner)).toEqual([`trial_ending ${state}`]);
    });
  });
}
