/** The link in a reminder of plans that stops these reminders, and no others, without signing in. */
import type { LearnerId } from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { createLearnerLink, type LearnerLink } from './learner-link.ts';

export const UPGRADE_DISMISSAL_PATH = '/dismiss-plan-reminders';

export interface UpgradeDismissal extends LearnerLink {
  dismiss: (userId: LearnerId) => Promise<void>;
}

export interface UpgradeDismissalParts {
  db: Database;
  now: () => Date;
  origin: string;
  secret: string;
}

export function createUpgradeDismissal({ db, now, origin, secret }: UpgradeDismissalParts): UpgradeDismissal {
  return {
    ...createLearnerLink({ url: `${origin}${UPGRADE_DISMISSAL_PATH}`, purpose: 'dismiss-plan-reminders', secret }),

    // The e-mail with the link records the choice, because its row is kept as long as the account and erased with it.
    async dismiss(userId) {
      const ofLearner = and(eq(mails.userId, userId), eq(mails.kind, 'plan_upgrade'), isNull(mails.dismissedAt));
      await db.update(mails).set({ dismissedAt: now() }).where(ofLearner);
    },
  };
}
