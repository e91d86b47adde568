/** The authoring API of the admin panel: documents are drafted, checked, published, withdrawn and restored. */
import {
  CoachUtterance,
  CoachVoice,
  CONTENT_KINDS,
  CONTENT_STATES,
  ContentFinding,
  contentDocuments,
  ENGLISH_LEVELS,
  Explanation,
  PRACTICE_DIFFICULTIES,
} from '@parley/domain';
import { z } from 'zod';
import { SearchText } from './admin/list.ts';
import { adminBase } from './base.ts';

const Kind = z.enum(CONTENT_KINDS);
const Id = z.uuid();
const Revision = z.number().int().min(0).max(2_147_483_647);
/** A document of any kind; the server parses it by its kind. */
const AnyDocument = z.union([
  contentDocuments.industry,
  contentDocuments.coach,
  contentDocuments.video,
  contentDocuments.practice,
  contentDocuments.course,
  contentDocuments.post,
]);
/** The maximum length of a post's text. */
const MAX_RENDERED_LENGTH = 400_000;
const Reference = z.strictObject({ kind: Kind, id: Id });
const Revised = Reference.extend({ revision: Revision });

export const ContentSummary = Reference.extend({
  title: z.string(),
  state: z.enum(CONTENT_STATES),
  /** Whether learners see it listed but cannot open it yet; for a draft, whether they would. */
  isComingSoon: z.boolean(),
  /** Whether there are edits that learners do not see. */
  hasChanges: z.boolean(),
  revision: Revision,
  editedAt: z.iso.datetime(),
  /** The editor's name or address; null when the server wrote it or the account was erased. */
  editedBy: z.string().nullable(),
  /** When a scheduled post will appear. */
  publishAt: z.iso.datetime().nullable(),
  /** Whether a newer version of the starter catalogue has changed what the school has edited. */
  hasStarterUpdate: z.boolean(),
});
export type ContentSummary = z.infer<typeof ContentSummary>;

/** A document with what an editor needs to know. */
export const ContentView = ContentSummary.extend({
  document: AnyDocument,
  /** The published version, which learners see; null when it is not published. */
  published: AnyDocument.nullable(),
  findings: z.array(ContentFinding),
});
export type ContentView = z.infer<typeof ContentView>;

const Path = z.array(z.union([z.string(), z.number().int()]));

/** One place that two admins changed differently. */
export const ContentConflict = z.strictObject({ path: Path, mine: z.json(), theirs: z.json() });
export type ContentConflict = z.infer<typeof ContentConflict>;

const Problem = Reference.extend({ title: z.string(), findings: z.array(ContentFinding) });

/** Another admin saved first. Nothing was changed. */
export const ConflictResult = z.strictObject({
  status: z.literal('conflict'),
  current: ContentView,
  /** Both edits merged; where they contradict each other, the caller's edit. */
  merged: AnyDocument,
  conflicts: z.array(ContentConflict),
  /** The other admin's changes. */
  theirChanges: z.array(Path),
});
export type ConflictResult = z.infer<typeof ConflictResult>;

const SaveResult = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('saved'), content: ContentView }),
  ConflictResult,
  /** Published content needs this document. Nothing was changed. */
  z.strictObject({ status: z.literal('blocked'), problems: z.array(Problem) }),
]);
export type SaveResult = z.infer<typeof SaveResult>;

const PublishResult = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('published'), contents: z.array(ContentView) }),
  /** Nothing was published. */
  z.strictObject({
    status: z.literal('blocked'),
    problems: z.array(Problem),
  }),
  z.strictObject({ status: z.literal('outdated'), id: Id, current: ContentView }),
]);
export type PublishResult = z.infer<typeof PublishResult>;

const TryTurn = z.strictObject({
  role: z.enum(['coach', 'learner']),
  text: z.string().max(2_000),
  node: z.string().max(60).nullable(),
  kind: CoachUtterance.shape.kind,
  /** Whether a learner's turn was understood. */
  fitted: z.boolean(),
});

/** No language model is configured. */
const ModelUnavailable = z.strictObject({
  status: z.literal('unavailable'),
  /** The environment variables that configure one. */
  missing: z.string(),
});

const CONTENT_PAGE_SIZE = 50;

const route = (path: string, summary: string) =>
  adminBase.route({ method: 'POST', path: `/v1/admin/content/${path}`, summary });

export const contentServerContract = {
  list: route('list', 'Documents of one kind, fifty a page')
    .input(
      z.strictObject({
        kind: Kind,
        search: SearchText.optional(),
        only: z.enum(['published', 'draft', 'changed', 'withdrawn', 'deleted']).optional(),
        sort: z.enum(['title', 'editedAt']).default('title'),
        direction: z.enum(['asc', 'desc']).default('asc'),
        page: z.number().int().min(0).max(100_000).default(0),
        pageSize: z.number().int().min(1).max(500).default(CONTENT_PAGE_SIZE),
      }),
    )
    .output(z.strictObject({ total: z.number().int().min(0), rows: z.array(ContentSummary) })),
  read: route('read', 'A document, with what learners see of it and what is wrong with it')
    .input(Reference)
    .output(ContentView),
  create: route('create', 'A new draft')
    .input(Reference.extend({ document: AnyDocument }))
    .output(ContentView),
  save: route('save', 'Save a draft, unless someone else did so in the meantime')
    .input(Revised.extend({ document: AnyDocument }))
    .output(SaveResult),
  check: route('check', 'What is wrong with a document that is not saved')
    .input(Reference.extend({ document: AnyDocument }))
    .output(z.strictObject({ findings: z.array(ContentFinding) })),
  publish: route('publish', 'Publish drafts together, or none of them')
    .input(z.strictObject({ contents: z.array(Revised).min(1).max(200) }))
    .output(PublishResult),
  withdraw: route('withdraw', 'Take a document away from learners; it stays as a draft')
    .input(Revised)
    .output(SaveResult),
  delete: route('delete', 'Delete a document; it can be restored').input(Revised).output(SaveResult),
  versions: route('versions', 'Earlier versions of a document, the newest first')
    .input(Reference)
    .output(
      z.strictObject({
        versions: z.array(
          z.strictObject({
            revision: Revision,
            act: z.string(),
            at: z.iso.datetime(),
            by: z.string().nullable(),
            /** The changes since the previous version. */
            changes: z.array(Path),
          }),
        ),
      }),
    ),
  revert: route('revert', 'Make an earlier version, or what is published, the draft again')
    .input(Revised.extend({ to: z.union([Revision, z.literal('published')]) }))
    .output(SaveResult),
  starterUpdate: route('starter-update', 'Apply a newer version of the starter catalogue to the draft, or decline it')
    .input(Revised.extend({ accept: z.boolean() }))
    .output(SaveResult),
  previewLink: route('preview-link', 'A secret link to a post that is not published, which replaces the one before')
    .input(z.strictObject({ id: Id }))
    .output(z.strictObject({ url: z.url(), expiresAt: z.iso.datetime() })),
  renderText: route('render-text', 'The Markdown of a post or a page as HTML, as the public site shows it')
    .input(z.strictObject({ text: z.string().max(MAX_RENDERED_LENGTH) }))
    .output(z.strictObject({ html: z.string() })),
  toText: route('to-text', 'A practice as text')
    .input(z.strictObject({ id: Id, document: contentDocuments.practice }))
    .output(z.strictObject({ text: z.string() })),
  fromText: route('from-text', 'A practice from its text, or where the text is wrong')
    .input(z.strictObject({ id: Id, document: contentDocuments.practice, text: z.string().max(900_000) }))
    .output(
      z.strictObject({
        document: contentDocuments.practice.nullable(),
        problems: z.array(Explanation.extend({ line: z.number().int().nullable() })),
      }),
    ),
  tryPractice: route('try', 'The next turn of the guided coach in a draft')
    .input(
      z.strictObject({
        document: contentDocuments.practice,
        difficulty: z.enum(PRACTICE_DIFFICULTIES),
        turns: z.array(TryTurn).max(200),
      }),
    )
    .output(
      z.discriminatedUnion('status', [
        z.strictObject({
          status: z.literal('said'),
          turn: TryTurn,
          /** Whether the coach understood the learner's last turn. */
          fitted: z.boolean(),
          /** Objectives that it met, with the learner's words. */
          proved: z.array(z.strictObject({ key: z.string(), words: z.string() })),
          hasEnded: z.boolean(),
        }),
        z.strictObject({ status: z.literal('blocked'), findings: z.array(ContentFinding) }),
      ]),
    ),
  tryCoach: route(
    'try-coach',
    'The next turn of a first talk with a draft of a coach, by the configured language model',
  )
    .input(
      z.strictObject({
        document: contentDocuments.coach,
        /** Alternating, ending with the learner's. If there are none, the coach begins. */
        turns: z.array(TryTurn.pick({ role: true, text: true })).max(60),
      }),
    )
    .output(
      z.discriminatedUnion('status', [
        z.strictObject({ status: z.literal('said'), text: z.string(), hasEnded: z.boolean() }),
        ModelUnavailable,
      ]),
    ),
  speakSample: route('speak-sample', 'A sentence in the voice of a coach, by the configured service')
    .input(z.strictObject({ text: z.string().trim().min(1).max(300), voice: CoachVoice }))
    .output(
      z.discriminatedUnion('status', [
        z.strictObject({ status: z.literal('spoken'), wav: z.base64() }),
        /** No voice is configured. */
        z.strictObject({ status: z.literal('unavailable') }),
      ]),
    ),
  draftPractice: route(
    'draft-practice',
    'A practice written by the configured language model, never published by itself',
  )
    .input(
      z.strictObject({
        situation: z.string().trim().min(10).max(4_000),
        level: z.enum(ENGLISH_LEVELS),
        agentId: z.uuid().nullable(),
      }),
    )
    .output(
      z.discriminatedUnion('status', [
        z.strictObject({
          status: z.literal('drafted'),
          document: contentDocuments.practice,
          findings: z.array(ContentFinding),
        }),
        ModelUnavailable,
        /** The model answered, but its answer was not a practice. */
        z.strictObject({ status: z.literal('unusable') }),
      ]),
    ),
};

export const PackProblem = Explanation.extend({
  file: z.string(),
  /** From 1; null when it concerns the whole file. */
  line: z.number().int().nullable(),
});

export const PackSeen = z.base64url().length(43);

/** The changes that importing a pack would make. If there are problems, it cannot be imported. */
export const PackPreview = z.strictObject({
  problems: z.array(PackProblem),
  contents: z.array(
    Reference.extend({ title: z.string(), change: z.enum(['new', 'changed', 'same']), changes: z.array(Path) }),
  ),
  /**
   * A fingerprint of the current contents. An import that sends it back is refused if one of them has been changed
   * since.
   */
  seen: PackSeen,
});
export type PackPreview = z.infer<typeof PackPreview>;

export const PackImport = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('imported'),
    changed: z.number().int(),
    published: z.number().int(),
  }),
  /** Nothing was imported. */
  z.strictObject({ status: z.literal('refused'), problems: z.array(PackProblem) }),
  /** Nothing was imported, because some content was changed after the preview. */
  z.strictObject({ status: z.literal('outdated') }),
]);
export type PackImport = z.infer<typeof PackImport>;
