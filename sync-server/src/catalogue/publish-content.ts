/** Publishes and withdraws documents: turns them into the rows that devices receive. */
import { randomUUID } from 'node:crypto';
import { coachRow, courseRow, practiceRows, ROOT_ENTITY, videoRow } from '@parley/catalogue/documents';
import type { AnyContent, ContentKind, DocumentOf, EntityKey } from '@parley/domain';
import { eq, inArray } from 'drizzle-orm';
import { tables } from '../db/tables.ts';
import type { CatalogueWriter, Values } from './catalogue-writer.ts';
import { publishPost } from './publish-post.ts';

/** Returns the id of a new row that joins two others, such as a practice in a section. */
export type JoinId = (parentId: string, childId: string) => string;
const randomJoinId: JoinId = () => randomUUID();

/** The document must have no errors, and what it refers to must be published. */
export async function publishContent(
  writer: CatalogueWriter,
  content: AnyContent,
  joinId: JoinId = randomJoinId,
): Promise<void> {
  const { id } = content;
  switch (content.kind) {
    case 'industry': {
      const [known] = await writer.load('industry', eq(tables.industry.id, id));
      const isSame = known?.['name'] === content.document.name;
      return writer.put('industry', { id, ...content.document, updated: isSame ? known['updated'] : writer.now });
    }
    case 'coach':
      await writer.put('aiAgentProfiles', coachRow(id, content.document));
      return renameInPractices(writer, id, content.document);
    case 'video':
      return writer.put('videos', videoRow(id, content.document));
    case 'practice':
      return publishPractice(writer, { id, document: content.document, joinId });
    case 'course':
      await writer.put('courses', courseRow(id, content.document));
      return publishSections(writer, { id, sections: content.document.sections, joinId });
    case 'post':
      return publishPost(writer, id, content.document);
    default:
      return content satisfies never;
  }
}

/**
 * Leaves a tombstone with what a learner's history shows, such as the title. The rest does not leave the server any
 * more, not even for a new device.
 */
export async function withdrawContent(writer: CatalogueWriter, { kind, id }: { kind: ContentKind; id: string }) {
  if (kind === 'course') await publishSections(writer, { id, sections: [], joinId: randomJoinId });
  await writer.remove(ROOT_ENTITY[kind], id, WITHDRAWN_VALUES[kind]);
}

const WITHDRAWN_VALUES: Readonly<Record<ContentKind, Values>> = {
  industry: {},
  coach: {},
  video: { availability: 'not_visible', description: '', fileUrl: '', transcript: '' },
  practice: {
    availability: 'not_visible',
    description: '',
    scenario: '',
    descriptionSummary: '',
    learnerRole: '',
    usefulWords: [],
    dialogue: null,
  },
  course: { description: '' },
  post: { content: '', excerpt: '', coverImage: null },
};

/** A practice's row repeats the name and picture of its coach. */
async function renameInPractices(writer: CatalogueWriter, agentId: string, coach: DocumentOf<'coach'>): Promise<void> {
  const { practices } = tables;
  const rows = await writer.tx
    .select({ practiceId: practices.practiceId, agentName: practices.agentName, agentImage: practices.agentImage })
    .from(practices)
    .where(eq(practices.agentId, agentId as never));
  const outdated = rows.filter((row) => row.agentName !== coach.name || row.agentImage !== coach.avatar);
  if (outdated.length === 0) return;
  const ids = outdated.map(({ practiceId }) => practiceId);
  for (const row of await writer.load('practices', inArray(practices.practiceId, ids)))
    if (row['deletedAt'] === null)
      await writer.put('practices', { ...row, agentName: coach.name, agentImage: coach.avatar });
}

async function publishPractice(
  writer: CatalogueWriter,
  { id, document, joinId }: { id: string; document: DocumentOf<'practice'>; joinId: JoinId },
): Promise<void> {
  const { practiceObjectives, aiAgentProfiles } = tables;
  const [coach] = await writer.tx
    .select({ name: aiAgentProfiles.name, avatarUrl: aiAgentProfiles.avatarUrl })
    .from(aiAgentProfiles)
    .where(eq(aiAgentProfiles.agentId, document.agentId as never));
  if (coach === undefined) throw new Error('the practice has no coach');
  const { practice, objectives } = practiceRows(id, document, coach);
  await writer.put('practices', practice);
  const joins = await writer.load('practiceObjectives', eq(practiceObjectives.practiceId, practice.practiceId));
  const joinByObjective = new Map(joins.map((row) => [String(row['objectiveId']), row]));
  for (const [index, objective] of objectives.entries()) {
    await writer.put('objectives', objective);
    const { objectiveId } = objective;
    await writer.put('practiceObjectives', {
      practiceObjectiveId:
        joinByObjective.get(objectiveId)?.['practiceObjectiveId'] ?? joinId(practice.practiceId, objectiveId),
      practiceId: practice.practiceId,
      objectiveId,
      position: index + 1,
    });
    joinByObjective.delete(objectiveId);
  }
  // The objective's own row stays, because learners' results refer to it.
  for (const row of joinByObjective.values())
    await writer.remove('practiceObjectives', String(row['practiceObjectiveId']));
}

/** Removed sections are numbered from here, so that they never collide with those in use. */
const REMOVED_ORDER = 1_000_000;

/**
 * Reorders the sections. An order number must be unique within a course at all times, so sections that move first get temporary
 * numbers.
 */
async function publishSections(
  writer: CatalogueWriter,
  { id: courseId, sections, joinId }: { id: string; sections: DocumentOf<'course'>['sections']; joinId: JoinId },
): Promise<void> {
  const { courseSections } = tables;
  const stored = await writer.load('courseSections', eq(courseSections.courseId, courseId as never));
  const wanted = new Map(sections.map(({ sectionId }, index) => [sectionId, index + 1]));
  let free = Math.max(REMOVED_ORDER, ...stored.map(({ order }) => Number(order)));
  for (const row of stored) {
    const sectionId = String(row['courseSectionId']);
    const order = wanted.get(sectionId);
    if (order === row['order'] || Number(row['order']) > REMOVED_ORDER) continue;
    free += 1;
    if (order === undefined) await writer.remove('courseSections', sectionId, { order: free });
    else await writer.put('courseSections', { ...row, order: free });
  }
  for (const [index, { sectionId, title, description }] of sections.entries())
    await writer.put('courseSections', {
      courseSectionId: sectionId,
      title,
      descriptions: description,
      order: index + 1,
      courseId,
    });
  const sectionIds = [...new Set([...stored.map((row) => String(row['courseSectionId'])), ...wanted.keys()])];
  await publishItems(writer, { entity: ITEM_ENTITIES.practice, kind: 'practice', sectionIds, sections, joinId });
  await publishItems(writer, { entity: ITEM_ENTITIES.video, kind: 'video', sectionIds, sections, joinId });
}

interface ItemEntity {
  key: EntityKey & ('courseSectionPractices' | 'courseSectionVideos');
  idField: string;
  itemField: string;
}

const ITEM_ENTITIES = {
  practice: { key: 'courseSectionPractices', idField: 'courseSectionPracticeId', itemField: 'practiceId' },
  video: { key: 'courseSectionVideos', idField: 'courseSectionVideoId', itemField: 'videoId' },
} as const satisfies Record<'practice' | 'video', ItemEntity>;

async function publishItems(
  writer: CatalogueWriter,
  {
    entity: { key, idField, itemField },
    kind,
    sectionIds,
    sections,
    joinId,
  }: {
    entity: ItemEntity;
    kind: 'practice' | 'video';
    sectionIds: readonly string[];
    sections: DocumentOf<'course'>['sections'];
    joinId: JoinId;
  },
): Promise<void> {
  const pairOf = (section: unknown, item: unknown): string => `${String(section)}/${String(item)}`;
  const stored =
    sectionIds.length === 0 ? [] : await writer.load(key, inArray(tables[key].courseSectionId, [...sectionIds]));
  const storedByPair = new Map(stored.map((row) => [pairOf(row['courseSectionId'], row[itemField]), row]));
  const wanted = sections.flatMap(({ sectionId, items }) =>
    items.flatMap((item, index) =>
      item.kind === kind ? [{ courseSectionId: sectionId, [itemField]: item.itemId, position: index + 1 }] : [],
    ),
  );
  const wantedPairs = new Set(wanted.map((row) => pairOf(row.courseSectionId, row[itemField])));
  const unused = stored.filter((row) => !wantedPairs.has(pairOf(row['courseSectionId'], row[itemField])));
  for (const row of wanted) {
    const known = storedByPair.get(pairOf(row.courseSectionId, row[itemField]));
    if (known !== undefined) await writer.put(key, { ...known, ...row });
    else {
      // An item that moves to another section keeps its row.
      const moved = unused.findIndex((other) => other[itemField] === row[itemField] && other['deletedAt'] === null);
      const [from] = moved === -1 ? [] : unused.splice(moved, 1);
      const rowId = from?.[idField] ?? joinId(row.courseSectionId, String(row[itemField]));
      await writer.put(key, { [idField]: rowId, ...row });
    }
  }
  for (const row of unused) await writer.remove(key, String(row[idField]));
}
