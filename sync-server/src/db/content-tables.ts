/** Declares the tables of admins' work: documents with their drafts, and the documents' versions. */
import { CONTENT_KINDS, CONTENT_STATES, type ContentDocument } from '@parley/domain';
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';
import { tables } from './tables.ts';

/**
 * The documents behind the catalogue. Published content is in the catalogue's own tables, which sync; a draft is only
 * here and therefore cannot reach a device.
 */
export const contentDocuments = pgTable(
  'content_documents',
  {
    /** The id of the row that the document is published as. */
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: CONTENT_KINDS }).notNull(),
    state: text('state', { enum: CONTENT_STATES }).notNull(),
    title: text('title').notNull(),
    /** Null when nothing differs from the published version. */
    draft: jsonb('draft').$type<ContentDocument>(),
    /** Counts the changes, so that an admin who edits an older revision gets a conflict. */
    revision: integer('revision').notNull().default(1),
    /** The hash of the starter document that was installed last or that the school has declined; null for the school's own. */
    starterHash: text('starter_hash'),
    /** When a scheduled post will be published; null when none is. */
    publishAt: at('publish_at'),
    createdAt: at('created_at').notNull(),
    editedAt: at('edited_at').notNull(),
    /** Null when the server wrote it. */
    editedBy: uuid('edited_by'),
  },
  (self) => [
    index('content_documents_kind_title_index').on(self.kind, self.title),
    index('content_documents_publish_at_index').on(self.publishAt),
  ],
);

export const CONTENT_ACTS = ['base', 'saved', 'published', 'withdrawn', 'deleted', 'starter'] as const;

/** Earlier and current revisions of documents, for undo and for merging two admins' edits. */
export const contentVersions = pgTable(
  'content_versions',
  {
    id: uuid('id')
      .notNull()
      .references(() => contentDocuments.id, { onDelete: 'cascade' }),
    revision: integer('revision').notNull(),
    document: jsonb('document').$type<ContentDocument>().notNull(),
    act: text('act', { enum: CONTENT_ACTS }).notNull(),
    at: at('at').notNull(),
    actorId: uuid('actor_id'),
  },
  (self) => [primaryKey({ columns: [self.id, self.revision] })],
);

const ofPost = () =>
  uuid('post_id')
    .notNull()
    .references(() => tables.blogPosts.id, { onDelete: 'cascade' });

/** The tags of published posts, in the author's order. They are not synced. */
export const postTags = pgTable(
  'post_tags',
  { postId: ofPost(), tag: text('tag').notNull(), position: integer('position').notNull() },
  (self) => [primaryKey({ columns: [self.postId, self.tag] }), index('post_tags_tag_index').on(self.tag)],
);

/** The author of a published post, if it is not the school. Not synced. */
export const postAuthors = pgTable('post_authors', {
  postId: uuid('post_id')
    .primaryKey()
    .references(() => tables.blogPosts.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
});

/**
 * The files to which the texts of published posts refer. Not synced: devices have the texts, but the files are on the
 * server.
 */
export const postPictures = pgTable(
  'post_pictures',
  { postId: ofPost(), mediaId: uuid('media_id').notNull() },
  (self) => [
    primaryKey({ columns: [self.postId, self.mediaId] }),
    index('post_pictures_media_id_index').on(self.mediaId),
  ],
);

/** Every address under which a post was published, so that links to a former one keep working. */
export const postSlugs = pgTable(
  'post_slugs',
  { slug: text('slug').notNull(), postId: ofPost(), publishedAt: at('published_at').notNull() },
  (self) => [primaryKey({ columns: [self.slug, self.postId] })],
);

/** The secret link to a draft. A post has one at most. */
export const postPreviews = pgTable('post_previews', {
  contentId: uuid('content_id')
    .primaryKey()
    .references(() => contentDocuments.id, { onDelete: 'cascade' }),
  /** The link itself is not stored, only its hash. */
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: at('expires_at').notNull(),
});
