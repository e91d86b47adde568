/** The blog, read from synced rows, so that it works offline and a withdrawn post disappears with its row. */
import type { BlogPost, BlogPostCard } from '@parley/contract';
import { readingMinutes } from '@parley/domain';
import { and, count, desc, eq, getTableName, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { blogPosts, readPosts, type Store } from '../store/index.ts';

export interface Blog {
  /** Newest first. */
  list(asked: { offset: number; limit: number }): { posts: BlogPostCard[]; total: number };
  post(slug: string): BlogPost | null;
  unread(): number;
  markRead(id: string): void;
  markAllRead(): void;
}

const POST = {
  id: blogPosts.id,
  slug: blogPosts.slug,
  title: blogPosts.title,
  excerpt: blogPosts.excerpt,
  coverImage: blogPosts.coverImage,
  publishedAt: blogPosts.publishedAt,
  content: blogPosts.content,
  readAt: readPosts.readAt,
};

export function createBlog(store: Store): Blog {
  const { db } = store;
  /** A post with a date in the future appears automatically when the date comes. */
  const isShown = () =>
    and(isNull(blogPosts.deletedAt), isNotNull(blogPosts.publishedAt), lte(blogPosts.publishedAt, store.clock.now()));
  const isUnread = () => and(isShown(), isNull(readPosts.postId));
  const readings = eq(readPosts.postId, blogPosts.id);

  const toPost = ({ readAt, publishedAt, ...row }: ReturnType<typeof selectPosts>[number]): BlogPost => ({
    ...row,
    publishedAt: publishedAt ?? new Date(0),
    minutes: readingMinutes(row.content),
    isRead: readAt !== null,
  });
  const selectPosts = ({ offset, limit }: { offset: number; limit: number }) =>
    db
      .select(POST)
      .from(blogPosts)
      .leftJoin(readPosts, readings)
      .where(isShown())
      .orderBy(desc(blogPosts.publishedAt), desc(blogPosts.id))
      .limit(limit)
      .offset(offset)
      .all();

  return {
    list(asked) {
      const posts = selectPosts(asked).map((row): BlogPostCard => {
        const { content: _content, ...card } = toPost(row);
        return card;
      });
      return { posts, total: db.select({ posts: count() }).from(blogPosts).where(isShown()).get()?.posts ?? 0 };
    },

    post(slug) {
      const row = db
        .select(POST)
        .from(blogPosts)
        .leftJoin(readPosts, readings)
        .where(and(isShown(), eq(blogPosts.slug, slug)))
        .get();
      return row === undefined ? null : toPost(row);
    },

    unread: () =>
      db.select({ posts: count() }).from(blogPosts).leftJoin(readPosts, readings).where(isUnread()).get()?.posts ?? 0,

    markRead(id) {
      store.transaction(() => {
        const { changes } = db
          .insert(readPosts)
          .values({ postId: id, readAt: store.clock.now() })
          .onConflictDoNothing()
          .run();
        if (changes > 0) store.markChanged(getTableName(readPosts));
      });
    },

    markAllRead() {
      store.transaction(() => {
        db.insert(readPosts)
          .select(
            db
              .select({ postId: blogPosts.id, readAt: sql`${store.clock.now().getTime()}`.as('read_at') })
              .from(blogPosts)
              .leftJoin(readPosts, readings)
              .where(isUnread()),
          )
          .run();
        store.markChanged(getTableName(readPosts));
      });
    },
  };
}
