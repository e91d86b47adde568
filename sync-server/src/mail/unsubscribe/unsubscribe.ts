/** The link that turns reminders off without signing in (RFC 8058). */
import type { LearnerId } from '@parley/domain';
import type { Database } from '../../db/client.ts';
import { turnRemindersOff } from '../learner-fields.ts';
import { createLearnerLink, type LearnerLink } from './learner-link.ts';

export const UNSUBSCRIBE_PATH = '/unsubscribe';

export interface Unsubscribe extends LearnerLink {
  turnOff: (userId: LearnerId) => Promise<void>;
}

export interface UnsubscribeParts {
  db: Database;
  now: () => Date;
  origin: string;
  secret: string;
  onChanged: (userId: string, version: number) => void;
}

export function createUnsubscribe({ db, now, origin, secret, onChanged }: UnsubscribeParts): Unsubscribe {
  return {
    ...createLearnerLink({ url: `${origin}${UNSUBSCRIBE_PATH}`, purpose: 'stop-reminders', secret }),

    async turnOff(userId) {
      const version = await db.transaction((tx) => turnRemindersOff(tx, userId, now()));
      if (version !== null) onChanged(userId, version);
    },
  };
}
