/**
 * A link that does one thing for one learner without signing in: it contains their id and a signature. It never
 * expires.
 */
import { LearnerId } from '@parley/domain';
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface LearnerLink {
  urlFor: (userId: string) => string;
  /** Null when the signature is not ours. */
  readToken: (token: unknown) => LearnerId | null;
}

export interface LearnerLinkOptions {
  /** The address without its token. */
  url: string;
  /** Part of the signed text, so that the signature is valid for nothing else. */
  purpose: string;
  secret: string;
}

export function createLearnerLink({ url, purpose, secret }: LearnerLinkOptions): LearnerLink {
  const signatureOf = (userId: string): Buffer => createHmac('sha256', secret).update(`${purpose}:${userId}`).digest();

  return {
    urlFor: (userId) => `${url}?token=${userId}.${signatureOf(userId).toString('base64url')}`,

    readToken(token) {
      const parts = typeof token === 'string' ? /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) : null;
      const userId = LearnerId.safeParse(parts?.[1]);
      if (!userId.success) return null;
      const given = Buffer.from(parts?.[2] ?? '', 'base64url');
      const expected = signatureOf(userId.data);
      return given.length === expected.length && timingSafeEqual(given, expected) ? userId.data : null;
    },
  };
}
