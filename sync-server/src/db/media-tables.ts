/** Declares the table of the school's media: uploads in progress, and files whose type has been verified. */
import { bigint, doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** An upload counts towards the school's storage from its start. Only a `ready` file is ever served. */
export const MEDIA_STATES = ['uploading', 'ready'] as const;

export const media = pgTable(
  'media',
  {
    id: uuid('id').primaryKey(),
    state: text('state', { enum: MEDIA_STATES }).notNull(),
    /** The file's name on the admin's computer, for display only. */
    fileName: text('file_name').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Detected from the content. Null while uploading. */
    mediaType: text('media_type'),
    sha256: text('sha256'),
    /** Null when the file does not contain it. */
    durationS: doublePrecision('duration_s'),
    /** In pixels. Null for a video. */
    width: integer('width'),
    height: integer('height'),
    /** Null when the video has no cover. */
    coverType: text('cover_type'),
    coverSha256: text('cover_sha256'),
    /** Null when the file was imported on the command line. */
    uploadedBy: uuid('uploaded_by'),
    createdAt: at('created_at').notNull(),
  },
  (self) => [index('media_state_created_at_index').on(self.state, self.createdAt)],
);
