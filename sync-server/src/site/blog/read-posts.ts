/** Reads the published posts. A post with a date in the future appears automatically when the date comes. */
import { readingMinutes, type Row } from '@parley/domain';
import { and, count, desc, eq, exists, getTableColumns, inArray, isNull, lte, ne, sql } from 'drizzle-orm';
import { readTags } from '../../catalogue/index.ts';
import { postAuthors, postSlugs, postTags } from '../../db/content-tables.ts';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';

export interface PostSummary {
  id: string;
  title: string;
  slug: string;
  excerpt: string;
  /** Null when the author is the school. */
  author: string | null;
  publishedAt: Date;
  updatedAt: Date;
}

export interface TaggedPost extends PostSummary {
  /** In the author's order. */
  tags: readonly string[];
}

/** The entry of a post in a list. */
export interface ListedPost extends TaggedPost {
  /** The estimated reading time. */
  minutes: number;
}

export interface Post extends TaggedPost {
  content: string;
}

const { blogPosts } = tables;
const isPublished = (now: Date) => and(isNull(blogPosts.deletedAt), lte(blogPosts.publishedAt, now));

const hasTag = (db: Database, tag: string | null) =>
  tag === null
    ? undefined
    : exists(
        db
          .select({ one: sql`1` })
          .from(postTags)
          .where(and(eq(postTags.postId, blogPosts.id), eq(postTags.tag, tag))),
      );

const SUMMARY = {
  id: blogPosts.id,
  title: blogPosts.title,
  slug: blogPosts.slug,
  excerpt: blogPosts.excerpt,
  author: postAuthors.name,
  publishedAt: sql<Date>`${blogPosts.publishedAt}`.mapWith(getTableColumns(blogPosts).publishedAt),
  updatedAt: blogPosts.updatedAt,
};

const newestFirst = [desc(blogPosts.publishedAt), desc(blogPosts.id)] as const;

export interface PostList {
  now: Date;
  /** Only posts with this tag; null for all posts. */
  tag?: string | null;
}

export async function listPosts(
  db: Database,
  { now, tag = null, limit, offset = 0 }: PostList & { limit: number; offset?: number },
): Promise<PostSummary[]> {
  return db
    .select(SUMMARY)
    .from(blogPosts)
    .leftJoin(postAuthors, eq(postAuthors.postId, blogPosts.id))
    .where(and(isPublished(now), hasTag(db, tag)))
    .orderBy(...newestFirst)
    .limit(limit)
    .offset(offset);
}

export async function withTags<P extends PostSummary>(db: Database, posts: readonly P[]): Promise<(P & TaggedPost)[]> {
  const tags = await readTags(
    db,
    posts.map(({ id }) => id),
  );
  return posts.map((post) => ({ ...post, tags: tags.get(post.id) ?? [] }));
}

export async function forList(db: Database, posts: readonly PostSummary[]): Promise<ListedPost[]> {
  const ids = posts.map(({ id }) => id);
  const contents = await db
    .select({ id: blogPosts.id, content: blogPosts.content })
    .from(blogPosts)
    .where(inArray(blogPosts.id, ids));
  const contentById = new Map(contents.map(({ id, content }) => [id, content]));
  return (await withTags(db, posts)).map((post) => ({
    ...post,
    minutes: readingMinutes(contentById.get(post.id) ?? ''),
  }));
}

/** The tags of published posts, most used first. */
export async function listTags(db: Database, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await db
    .select({ tag: postTags.tag })
    .from(postTags)
    .innerJoin(blogPosts, eq(blogPosts.id, postTags.postId))
    .where(isPublished(now))
    .groupBy(postTags.tag)
    .orderBy(desc(count()), postTags.tag)
    .limit(limit);
  return rows.map(({ tag }) => tag);
}

export async function countPosts(db: Database, { now, tag = null }: PostList): Promise<number> {
  const [row] = await db
    .select({ posts: count() })
    .from(blogPosts)
    .where(and(isPublished(now), hasTag(db, tag)));
  return row?.posts ?? 0;
}

/** Only the addresses, because a sitemap has many. */
export async function listAddresses(
  db: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<Pick<PostSummary, 'slug' | 'updatedAt'>[]> {
  return db
    .select({ slug: blogPosts.slug, updatedAt: blogPosts.updatedAt })
    .from(blogPosts)
    .where(isPublished(now))
    .orderBy(...newestFirst)
    .limit(limit);
}

interface Asked {
  slug: string;
  now: Date;
}

export async function readPost(db: Database, { slug, now }: Asked): Promise<Post | null> {
  const posts = await db
    .select({ ...SUMMARY, content: blogPosts.content })
    .from(blogPosts)
    .leftJoin(postAuthors, eq(postAuthors.postId, blogPosts.id))
    .where(and(isPublished(now), eq(blogPosts.slug, slug)));
  const [post = null] = await withTags(db, posts);
  return post;
}

export async function readCover(
  db: Database,
  { slug, now }: Asked,
): Promise<Pick<Row<'blogPosts'>, 'title' | 'coverImage'> | null> {
  const [post] = await db
    .select({ title: blogPosts.title, coverImage: blogPosts.coverImage })
    .from(blogPosts)
    .where(and(isPublished(now), eq(blogPosts.slug, slug)));
  return post ?? null;
}

/**
 * The current address of a post that was published under this one; null when there is none. Another post may have taken
 * it since.
 */
export async function readMovedSlug(db: Database, { slug, now }: Asked): Promise<string | null> {
  const [post] = await db
    .select({ slug: blogPosts.slug })
    .from(postSlugs)
    .innerJoin(blogPosts, eq(blogPosts.id, postSlugs.postId))
    .where(and(isPublished(now), eq(postSlugs.slug, slug)))
    .orderBy(desc(postSlugs.publishedAt))
    .limit(1);
  return post?.slug ?? null;
}

const RELATED_POSTS = 3;
const CANDIDATES = 40;
/** A tag was chosen by a person, so it counts for more than a word in the title. */
const WORDS_A_TAG = 3;

/** Prefers posts that share tags and rare words of their titles and excerpts, then newer ones. */
export async function relatedPosts(db: Database, post: Post, now: Date): Promise<PostSummary[]> {
  const others = await db
    .select(SUMMARY)
    .from(blogPosts)
    .leftJoin(postAuthors, eq(postAuthors.postId, blogPosts.id))
    .where(and(isPublished(now), ne(blogPosts.id, post.id)))
    .orderBy(...newestFirst)
    .limit(CANDIDATES);
  const shared = await db
    .select({ postId: postTags.postId, tags: count() })
    .from(postTags)
    .where(
      and(
        inArray(postTags.tag, [...post.tags]),
        inArray(
          postTags.postId,
          others.map(({ id }) => id),
        ),
      ),
    )
    .groupBy(postTags.postId);
  const tagsByPost = new Map(shared.map(({ postId, tags }) => [postId, tags]));
  const words = wordsOf(post);
  const likeness = (other: (typeof others)[number]): number =>
    (tagsByPost.get(other.id) ?? 0) * WORDS_A_TAG + [...wordsOf(other)].filter((word) => words.has(word)).length;
  return others.toSorted((a, b) => likeness(b) - likeness(a)).slice(0, RELATED_POSTS);
}

const MIN_WORD_LENGTH = 5;

const wordsOf = ({ title, excerpt }: PostSummary): Set<string> =>
  new Set(
    `${title} ${excerpt}`
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.filter((word) => word.length >= MIN_WORD_LENGTH),
  );
