/** The documents that admins edit: one for each course, practice, coach, video, post and industry. */
import { z } from 'zod';
import { COURSE_STATUSES, ENGLISH_LEVELS } from '../enumerations.ts';
import { CoachVoice } from '../practice/coach-character.ts';
import { Explanation } from './explanations/index.ts';
import { DraftImage, DraftLine, DraftText, DraftTitle } from './draft-fields.ts';
import { PracticeDocument } from './practice-document.ts';

/** Ordered so that a document only refers to kinds before its own. */
export const CONTENT_KINDS = ['industry', 'coach', 'video', 'practice', 'course', 'post'] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** `draft` was never published. A withdrawn or deleted document is a tombstone on devices. */
export const CONTENT_STATES = ['draft', 'published', 'withdrawn', 'deleted'] as const;
export type ContentState = (typeof CONTENT_STATES)[number];

export const IndustryDocument = z.strictObject({ name: DraftTitle });
export type IndustryDocument = z.infer<typeof IndustryDocument>;

const Phrases = z.array(z.string().max(160)).max(12);

export const CoachDocument = z.strictObject({
  name: z.string().max(80),
  skills: z.array(DraftTitle).max(20),
  communicationStyle: DraftLine,
  characterTraits: z.array(DraftTitle).max(20),
  voice: CoachVoice,
  manner: z.strictObject({ acknowledge: Phrases, praise: Phrases, reassure: Phrases, goodbye: Phrases }),
  avatar: DraftImage,
});
export type CoachDocument = z.infer<typeof CoachDocument>;

export const VideoDocument = z.strictObject({
  title: DraftTitle,
  description: DraftText,
  /** An address of this server, or one of `https:`. */
  fileUrl: z.string().max(2_000),
  /** WebVTT or plain text. */
  transcript: z.string().max(200_000),
  availability: z.enum(['ready', 'not_ready']),
});
export type VideoDocument = z.infer<typeof VideoDocument>;

export const CourseItem = z.strictObject({ kind: z.enum(['practice', 'video']), itemId: z.uuid() });
export type CourseItem = z.infer<typeof CourseItem>;

export const CourseSection = z.strictObject({
  sectionId: z.uuid(),
  title: DraftTitle,
  description: DraftText,
  items: z.array(CourseItem).max(100),
});
export type CourseSection = z.infer<typeof CourseSection>;

export const CourseDocument = z.strictObject({
  title: DraftTitle,
  description: DraftText,
  status: z.enum(COURSE_STATUSES),
  /** In order. A section keeps its id when it moves. */
  sections: z.array(CourseSection).max(60),
});
export type CourseDocument = z.infer<typeof CourseDocument>;

const MAX_TAG_LENGTH = 40;
const MAX_AUTHOR_LENGTH = 80;
/** A label of a word or two. */
export const PostTag = z
  .string()
  .max(MAX_TAG_LENGTH)
  .regex(/^[\p{L}\p{N}]+(?:[ -][\p{L}\p{N}]+)*$/u);

export const PostDocument = z.strictObject({
  title: DraftTitle,
  slug: DraftTitle,
  /** Markdown. */
  content: z.string().max(400_000),
  excerpt: z.string().max(2_000),
  cover: DraftImage,
  /** The tags by which the public site groups posts. */
  tags: z.array(z.string().max(MAX_TAG_LENGTH)).max(10).optional(),
  /** The author's name. Without one, the school is the author. */
  author: z.string().max(MAX_AUTHOR_LENGTH).optional(),
  /** When it appears. A later time schedules the post; null means as soon as it is published. */
  publishAt: z.iso.datetime().nullable(),
});
export type PostDocument = z.infer<typeof PostDocument>;

export const contentDocuments = {
  industry: IndustryDocument,
  coach: CoachDocument,
  video: VideoDocument,
  practice: PracticeDocument,
  course: CourseDocument,
  post: PostDocument,
} as const satisfies Record<ContentKind, z.ZodType>;

export type DocumentOf<Kind extends ContentKind> = z.infer<(typeof contentDocuments)[Kind]>;
export type ContentDocument = DocumentOf<ContentKind>;

/** A document with its kind and id. The id is that of the row which the document is published as. */
export type AnyContent = { [Kind in ContentKind]: { kind: Kind; id: string; document: DocumentOf<Kind> } }[ContentKind];

export const AnyContent: z.ZodType<AnyContent> = z.discriminatedUnion(
  'kind',
  CONTENT_KINDS.map((kind) =>
    z.strictObject({ kind: z.literal(kind), id: z.uuid(), document: contentDocuments[kind] }),
  ) as never,
);

/** The name by which lists and messages refer to a document. */
export const titleOf = (content: Pick<AnyContent, 'kind' | 'document'>): string =>
  'name' in content.document ? content.document.name : content.document.title;

/** Whether learners see it listed but cannot open it yet. */
export const isComingSoon = (document: ContentDocument): boolean =>
  ('availability' in document && document.availability === 'not_ready') ||
  ('status' in document && document.status === 'coming_soon');

/** A new, empty document. */
export function emptyDocument<Kind extends ContentKind>(kind: Kind): DocumentOf<Kind> {
  const made: { [Each in ContentKind]: DocumentOf<Each> } = {
    industry: { name: '' },
    coach: {
      name: '',
      skills: [],
      communicationStyle: '',
      characterTraits: [],
      voice: { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 },
      manner: { acknowledge: [], praise: [], reassure: [], goodbye: [] },
      avatar: '',
    },
    video: { title: '', description: '', fileUrl: '', transcript: '', availability: 'ready' },
    practice: {
      title: '',
      category: '',
      level: ENGLISH_LEVELS[1],
      minutes: 5,
      agentId: null,
      summary: '',
      description: '',
      scenario: '',
      role: '',
      words: [],
      objectives: [],
      cover: '',
      availability: 'ready',
      script: { start: 'opening', topic: [], facts: [], nodes: [] },
    },
    course: { title: '', description: '', status: 'available', sections: [] },
    post: { title: '', slug: '', content: '', excerpt: '', cover: '', publishAt: null },
  };
  return made[kind];
}

/** A problem or a suggestion in a document, with its place. */
export const ContentFinding = Explanation.extend({
  /** An `error` prevents publishing; `advice` does not. */
  severity: z.enum(['error', 'advice']),
  /** Keys and indexes from the document's root, for example `["script", "nodes", 2, "replies"]`. */
  path: z.array(z.union([z.string(), z.number().int()])),
  /** The step of the dialogue that it concerns; null if none. */
  node: z.string().nullable(),
});
export type ContentFinding = z.infer<typeof ContentFinding>;
