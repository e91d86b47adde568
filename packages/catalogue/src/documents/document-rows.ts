/** Converts documents to the rows that devices receive, and back. */
import {
  type AnyContent,
  CoachId,
  type ContentKind,
  CourseId,
  Dialogue,
  type DocumentOf,
  type EntityKey,
  ObjectiveKey,
  PracticeId,
  type Row,
} from '@parley/domain';
import { dialogueToScript, scriptToDialogue } from './script.ts';

type SyncField = 'createdAt' | 'updatedAt' | 'syncVersion' | 'deletedAt';
/** A row without the fields that are set when it is written. */
export type ContentRow<Key extends EntityKey> = Omit<Row<Key>, SyncField>;

const SECONDS_A_MINUTE = 60;

/** The fields that a practice's row copies from its coach. */
export interface CoachOfPractice {
  name: string;
  avatarUrl: string;
}

/** Requires a document without errors, because an invalid dialogue throws. */
export function practiceRows(
  practiceId: string,
  document: DocumentOf<'practice'>,
  coach: CoachOfPractice,
): { practice: ContentRow<'practices'>; objectives: ContentRow<'objectives'>[] } {
  const { agentId } = document;
  if (agentId === null) throw new Error('a practice without a coach has no row');
  const withCoachName = (text: string): string => text.replaceAll('{coach}', coach.name);
  return {
    practice: {
      practiceId: PracticeId.parse(practiceId),
      availability: document.availability,
      description: withCoachName(document.description),
      scenario: withCoachName(document.scenario),
      duration: document.minutes * SECONDS_A_MINUTE,
      title: document.title,
      coverImageUrl: document.cover,
      agentName: coach.name,
      descriptionSummary: withCoachName(document.summary),
      category: document.category,
      agentImage: coach.avatarUrl,
      level: document.level,
      agentId,
      learnerRole: withCoachName(document.role),
      usefulWords: document.words,
      dialogue:
        document.script === null ? null : Dialogue.parse(scriptToDialogue(document.script, document.objectives)),
    },
    objectives: document.objectives.map(({ objectiveId, key, description }) => ({
      objectiveId,
      description,
      key: ObjectiveKey.parse(key),
    })),
  };
}

/** `objectives` are the practice's own, in order. */
export function practiceDocument(
  row: Pick<Row<'practices'>, Exclude<keyof Row<'practices'>, SyncField>>,
  objectives: readonly Pick<Row<'objectives'>, 'objectiveId' | 'key' | 'description'>[],
): DocumentOf<'practice'> {
  return {
    title: row.title,
    category: row.category,
    level: row.level,
    minutes: Math.max(1, Math.round(row.duration / SECONDS_A_MINUTE)),
    agentId: row.agentId,
    summary: row.descriptionSummary,
    description: row.description,
    scenario: row.scenario,
    role: row.learnerRole,
    words: row.usefulWords.map(({ word, meaning }) => ({ word, meaning })),
    objectives: objectives.map(({ objectiveId, key, description }) => ({
      objectiveId,
      key,
      description,
      needs: row.dialogue?.proofs?.[key] ?? null,
    })),
    cover: row.coverImageUrl,
    availability: row.availability === 'ready' ? 'ready' : 'not_ready',
    script: row.dialogue === null ? null : dialogueToScript(row.dialogue),
  };
}

export const coachRow = (
  agentId: string,
  { avatar, ...coach }: DocumentOf<'coach'>,
): ContentRow<'aiAgentProfiles'> => ({
  agentId: CoachId.parse(agentId),
  ...coach,
  avatarUrl: avatar,
});

export const coachDocument = (row: ContentRow<'aiAgentProfiles'>): DocumentOf<'coach'> => ({
  name: row.name,
  skills: [...row.skills],
  communicationStyle: row.communicationStyle,
  characterTraits: [...row.characterTraits],
  voice: { ...row.voice },
  manner: { ...row.manner },
  avatar: row.avatarUrl,
});

export const videoRow = (videoId: string, video: DocumentOf<'video'>): ContentRow<'videos'> => ({ videoId, ...video });

export const videoDocument = (row: ContentRow<'videos'>): DocumentOf<'video'> => ({
  title: row.title,
  description: row.description,
  fileUrl: row.fileUrl,
  transcript: row.transcript,
  availability: row.availability === 'ready' ? 'ready' : 'not_ready',
});

export const courseRow = (courseId: string, course: DocumentOf<'course'>): ContentRow<'courses'> => ({
  courseId: CourseId.parse(courseId),
  title: course.title,
  description: course.description,
  status: course.status,
});

/** Sections and the items of each, in order. */
export const courseDocument = (
  row: ContentRow<'courses'>,
  sections: readonly (Pick<Row<'courseSections'>, 'courseSectionId' | 'title' | 'descriptions'> & {
    items: DocumentOf<'course'>['sections'][number]['items'];
  })[],
): DocumentOf<'course'> => ({
  title: row.title,
  description: row.description,
  status: row.status,
  sections: sections.map(({ courseSectionId, title, descriptions, items }) => ({
    sectionId: courseSectionId,
    title,
    description: descriptions,
    items,
  })),
});

export const postRow = (id: string, post: DocumentOf<'post'>, publishedAt: Date): ContentRow<'blogPosts'> => ({
  id,
  title: post.title,
  slug: post.slug,
  content: post.content,
  excerpt: post.excerpt,
  coverImage: post.cover === '' ? null : post.cover,
  publishedAt,
});

/** Fields of a post that only the public site shows. Devices do not have them. */
interface PostOnSite {
  tags?: readonly string[] | undefined;
  author?: string | undefined;
}

export const postDocument = (
  row: ContentRow<'blogPosts'>,
  { tags = [], author }: PostOnSite = {},
): DocumentOf<'post'> => ({
  title: row.title,
  slug: row.slug,
  content: row.content,
  excerpt: row.excerpt,
  cover: row.coverImage ?? '',
  ...(tags.length > 0 && { tags: [...tags] }),
  ...(author !== undefined && { author }),
  publishAt: row.publishedAt?.toISOString() ?? null,
});

/** Where a document of a kind is stored. */
export const ROOT_ENTITY = {
  industry: 'industry',
  coach: 'aiAgentProfiles',
  video: 'videos',
  practice: 'practices',
  course: 'courses',
  post: 'blogPosts',
} as const satisfies Record<ContentKind, EntityKey>;

/** The documents that must be published before a document. */
export function requiredContent({ kind, document }: AnyContent): { kind: ContentKind; id: string }[] {
  switch (kind) {
    case 'practice':
      return document.agentId === null ? [] : [{ kind: 'coach', id: document.agentId }];
    case 'course':
      return document.sections.flatMap(({ items }) => items.map((item) => ({ kind: item.kind, id: item.itemId })));
    case 'industry':
    case 'coach':
    case 'video':
    case 'post':
      return [];
    default:
      return [];
  }
}
