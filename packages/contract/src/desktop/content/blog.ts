/** The blog in the app: posts that came with the app or by sync, and which of them have been read on this device. */
import { z } from 'zod';
import { base } from '../base.ts';

export const BlogPostCard = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string(),
  /** Null if the post has no picture of its own. */
  coverImage: z.string().nullable(),
  publishedAt: z.date(),
  /** How long it takes to read. */
  minutes: z.number().int(),
  isRead: z.boolean(),
});
export type BlogPostCard = z.infer<typeof BlogPostCard>;

export const BlogPost = BlogPostCard.extend({
  /** Markdown. */
  content: z.string(),
});
export type BlogPost = z.infer<typeof BlogPost>;

export const blogContract = {
  /** Newest first. */
  list: base
    .input(z.object({ offset: z.number().int().min(0), limit: z.number().int().min(1).max(100) }))
    .output(z.object({ posts: z.array(BlogPostCard), total: z.number().int() })),
  /** Null if there is no such post, or no longer. */
  post: base.input(z.object({ slug: z.string().max(200) })).output(BlogPost.nullable()),
  unread: base.input(z.void()).output(z.object({ count: z.number().int() })),
  markRead: base.input(z.object({ id: z.uuid() })).output(z.void()),
  markAllRead: base.input(z.void()).output(z.void()),
};
