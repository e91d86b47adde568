/** Publishes a post with the data that only the public site uses: its tags, author, pictures and former addresses. */
import { postRow } from '@parley/catalogue/documents';
import { type DocumentOf, mediaIdsIn } from '@parley/domain';
import { asc, eq, inArray } from 'drizzle-orm';
import { postAuthors, postPictures, postSlugs, postTags } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import type { CatalogueWriter } from './catalogue-writer.ts';

export async function publishPost(writer: CatalogueWriter, id: string, post: DocumentOf<'post'>): Promise<void> {
  const { tx, now } = writer;
  await writer.put('blogPosts', postRow(id, post, post.publishAt === null ? now : new Date(post.publishAt)));
  await tx
    .insert(postSlugs)
    .values({ slug: post.slug, postId: id, publishedAt: now })
    .onConflictDoUpdate({ target: [postSlugs.slug, postSlugs.postId], set: { publishedAt: now } });
  await tx.delete(postTags).where(eq(postTags.postId, id));
  const tags = [...new Set(post.tags?.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== ''))];
  if (tags.length > 0) await tx.insert(postTags).values(tags.map((tag, position) => ({ postId: id, tag, position })));
  await tx.delete(postAuthors).where(eq(postAuthors.postId, id));
  const name = post.author?.trim() ?? '';
  if (name !== '') await tx.insert(postAuthors).values({ postId: id, name });
  await tx.delete(postPictures).where(eq(postPictures.postId, id));
  const mediaIds = mediaIdsIn(post.content);
  if (mediaIds.length > 0) await tx.insert(postPictures).values(mediaIds.map((mediaId) => ({ postId: id, mediaId })));
}

/** The names of the authors of these posts. A post by the school itself has none. */
export async function readAuthors(tx: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select()
    .from(postAuthors)
    .where(inArray(postAuthors.postId, [...ids]));
  return new Map(rows.map(({ postId, name }) => [postId, name]));
}

/** The tags of these posts, in their order. */
export async function readTags(tx: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tx
    .select()
    .from(postTags)
    .where(inArray(postTags.postId, [...ids]))
    .orderBy(asc(postTags.position));
  const tagsByPost = new Map<string, string[]>();
  for (const { postId, tag } of rows) tagsByPost.set(postId, [...(tagsByPost.get(postId) ?? []), tag]);
  return tagsByPost;
}
