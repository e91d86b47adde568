/** Secret links to unpublished posts, for people who are asked to read them first. */
import { createHash, randomBytes } from 'node:crypto';
import { contentDocuments as documentSchemas, type DocumentOf } from '@parley/domain';
import { and, eq, gt } from 'drizzle-orm';
import { DomainError } from '../domain-error.ts';
import { contentDocuments, postPreviews } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import type { ContentChanges } from './content-changes.ts';
import { loadContent } from './content-records.ts';

const TOKEN_BYTES = 16;
/** 16 bytes in Base64url. */
export const PREVIEW_TOKEN = /^[\w-]{22}$/;
const LIFETIME_MS = 7 * 86_400_000;

export interface PostPreviews {
  /**
   * Creates a link, which replaces the previous one. Throws `request.invalid` when there is nothing unpublished to
   * show.
   */
  link: (actorId: string, id: string) => Promise<{ url: string; expiresAt: string }>;
  /** Returns the current draft, or null when the link is unknown or has expired, or the post has been published. */
  read: (token: string) => Promise<DocumentOf<'post'> | null>;
}

export interface PostPreviewParts {
  db: Database;
  now: () => Date;
  /** The public address of the server. */
  origin: string;
  changes: ContentChanges;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

export function createPostPreviews({ db, now, origin, changes }: PostPreviewParts): PostPreviews {
  return {
    link: (actorId, id) =>
      db.transaction(async (tx) => {
        const { record, content } = await loadContent(tx, { kind: 'post', id }, { lock: true, now: now() });
        if (record.draft === null || record.state === 'deleted')
          throw new DomainError('request.invalid', { field: 'id', detail: 'This post has no unpublished changes.' });
        const token = randomBytes(TOKEN_BYTES).toString('base64url');
        const expiresAt = new Date(now().getTime() + LIFETIME_MS);
        const link = { tokenHash: hashOf(token), expiresAt };
        await tx
          .insert(postPreviews)
          .values({ contentId: id, ...link })
          .onConflictDoUpdate({ target: postPreviews.contentId, set: link });
        await changes.audit(tx, 'content_preview_linked', {
          actorId,
          before: content,
          after: content,
          revision: record.revision,
        });
        return { url: `${origin}/preview/${token}`, expiresAt: expiresAt.toISOString() };
      }),

    async read(token) {
      const [found] = await db
        .select({ draft: contentDocuments.draft })
        .from(postPreviews)
        .innerJoin(contentDocuments, eq(contentDocuments.id, postPreviews.contentId))
        .where(and(eq(postPreviews.tokenHash, hashOf(token)), gt(postPreviews.expiresAt, now())));
      const parsed = documentSchemas.post.safeParse(found?.draft);
      return parsed.success ? parsed.data : null;
    },
  };
}
