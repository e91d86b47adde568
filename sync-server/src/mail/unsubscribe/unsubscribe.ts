/** The link that turns reminders off without signing in (RFC 8058): a learner's id with a signature. It never expires. */
import { LearnerId } from '@parley/domain';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/client.ts';
import { turnRemindersOff } from '../learner-fields.ts';

export const UNSUBSCRIBE_PATH = '/unsubscribe';

export interface Unsubscribe {
  urlFor: (userId: string) => string;
  /** Null when the signature is not ours. */
  readToken: (token: unknown) => LearnerId | null;
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
  // The purpose is part of the signed text, so that the signature is valid for nothing else.
  const signatureOf = (userId: string): Buffer =>
    createHmac('sha256', secret).update(`stop-reminders:${userId}`).digest();

  return {
    urlFor: (userId) => `${origin}${UNSUBSCRIBE_PATH}?token=${userId}.${signatureOf(userId).toString('base64url')}`,

    readToken(token) {
      const parts = typeof token === 'string' ? /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) : null;
      const userId = LearnerId.safeParse(parts?.[1]);
      if (!userId.success) return null;
      const given = Buffer.from(parts?.[2] ?? '', 'base64url');
      const expected = signatureOf(userId.data);
      return given.length === expected.length && timingSafeEqual(given, expected) ? userId.data : null;
    },

    async turnOff(userId) {
      const version = await db.transaction((tx) => turnRemindersOff(tx, userId, now()));
      if (version !== null) onChanged(userId, version);
    },
  };
}
