/** How two versions of a learner's row become one, as docs/protocol.md says it under "How a change meets a row" and "Tables". */
import { createHash } from 'node:crypto';

export type Row = Record<string, unknown>;
/** Hybrid times by field name; `*` stands for every field without one of its own. */
export type Clocks = Record<string, string>;

/** A row's values, and when each of them was set. */
export interface Version {
  fields: Row;
  clocks: Clocks;
}

export type Rule =
  'fixed' | 'last' | 'once' | 'maximum' | 'minimum' | 'objectives' | 'words' | 'unit' | 'absent' | 'projection';

interface TableRules {
  key: string;
  /** Every field but those that the server sets on all rows. */
  rules: Record<string, Rule>;
  isReadOnly?: true;
}

/** Parents come first. */
export const TABLES: Record<string, TableRules> = {
  users: {
    key: 'userId',
    rules: rulesOf({
      fixed: 'createdAt userId',
      last: 'firstName lastName jobTitle industry agentId avatarUrl englishLevel emailNotifications practiceDifficulty practiceStyle hasSeenOnboarding',
    }),
  },
  subscriptions: { key: 'subscriptionId', rules: {}, isReadOnly: true },
  coach_assignment_history: {
    key: 'assignmentId',
    rules: rulesOf({ fixed: 'createdAt assignmentId', last: 'userId agentId assignmentStartDate assignmentEndDate' }),
  },
  enrollments: {
    key: 'enrollmentId',
    rules: rulesOf({ fixed: 'createdAt enrollmentId', last: 'userId courseId enrollmentDate' }),
  },
  user_course_interaction: {
    key: 'interactionId',
    rules: rulesOf({ fixed: 'createdAt interactionId', absent: 'userId courseId interactionType timestamp details' }),
  },
  practice_history: {
    key: 'id',
    rules: rulesOf({
      fixed: 'createdAt id',
      last: 'practiceId userId agentId communicationStyle difficulty pausedAt',
      unit: 'feedback score accuracyScore fluencyScore prosodyScore completenessScore pronScore wordsScore status summary',
      projection: 'entireConversation',
      objectives: 'completedObjectives',
      maximum: 'duration',
    }),
  },
  ai_conversations: {
    key: 'conversationId',
    rules: rulesOf({
      fixed: 'createdAt conversationId',
      once: 'interactionId userId courseId content role sessionId previousTurnId saidAt node kind mode recordingId assessment',
      minimum: 'fitted',
      maximum: 'hintLevel',
    }),
  },
  feedback_details: {
    key: 'feedbackId',
    rules: rulesOf({
      fixed: 'createdAt feedbackId',
      absent: 'interactionId performanceCategories suggestions score userId',
    }),
  },
  pronunciation_improvement_summary: {
    key: 'id',
    rules: rulesOf({ fixed: 'createdAt id', words: 'words', last: 'userId' }),
  },
};

/** Rows that are the same for everyone. */
export const CATALOGUE_KEYS: Record<string, string> = {
  industry: 'id',
  ai_agent_profiles: 'agentId',
  courses: 'courseId',
  course_sections: 'courseSectionId',
  practices: 'practiceId',
  objectives: 'objectiveId',
  practice_objectives: 'practiceObjectiveId',
  videos: 'videoId',
  course_section_practices: 'courseSectionPracticeId',
  course_section_videos: 'courseSectionVideoId',
  blog_posts: 'id',
  products: 'id',
  prices: 'id',
};

/** From the lowest to the highest. */
const STATUS_RANKS = ['in_progress', 'failed_to_generate_score', 'completed'];

function rulesOf(namesByRule: Partial<Record<Rule, string>>): Record<string, Rule> {
  return Object.fromEntries(
    Object.entries(namesByRule).flatMap(([rule, names]) => names.split(' ').map((name) => [name, rule as Rule])),
  );
}

/** Those that a device sends when it makes a row. */
export const settableFields = (table: string): string[] =>
  Object.entries(TABLES[table]?.rules ?? {}).flatMap(([name, rule]) => (rule === 'projection' ? [] : [name]));

export const timeOf = ({ clocks }: Version, field: string): string => clocks[field] ?? clocks['*'] ?? '';

/** `there` stays where the rule does not say otherwise; `comes` may hold only some of the fields. */
export function merge(table: string, there: Version, comes: Version): Version {
  const rules = TABLES[table]?.rules ?? {};
  const fields = { ...there.fields };
  const clocks = Object.fromEntries(settableFields(table).map((name) => [name, timeOf(there, name)]));
  const take = (name: string): void => {
    fields[name] = comes.fields[name];
    clocks[name] = timeOf(comes, name);
  };
  const unitComes = 'status' in comes.fields && isUnitAhead(there, comes);
  for (const name of Object.keys(comes.fields)) {
    const [mine, theirs] = [there.fields[name], comes.fields[name]];
    const isLater = timeOf(comes, name) > timeOf(there, name);
    switch (rules[name]) {
      case 'last':
        if (isLater || !(name in there.fields)) take(name);
        break;
      case 'once':
        if (isEmpty(mine) && !isEmpty(theirs)) take(name);
        break;
      case 'maximum':
        if (!(name in there.fields) || Number(theirs) > Number(mine)) take(name);
        break;
      case 'minimum':
        if (!(name in there.fields) || Number(theirs) < Number(mine)) take(name);
        break;
      case 'unit':
        if (unitComes) take(name);
        break;
      case 'objectives':
        fields[name] = mergeObjectives(list(mine), list(theirs));
        if (isLater) clocks[name] = timeOf(comes, name);
        break;
      case 'words':
        fields[name] = mergeWords(list(mine) as Word[], list(theirs) as Word[]);
        if (isLater) clocks[name] = timeOf(comes, name);
        break;
      case 'absent':
      case 'fixed':
        if (!(name in there.fields)) take(name);
        break;
      default:
    }
  }
  if (table === 'practice_history' && fields['status'] !== 'in_progress') fields['pausedAt'] = null;
  const lastEdit = [there, comes].map((version) => version.clocks['updatedAt'] ?? '').sort()[1] ?? '';
  if (lastEdit !== '') clocks['updatedAt'] = lastEdit;
  const newest = Object.entries(comes.clocks).reduce(
    (latest, [name, time]) => (name !== 'deletedAt' && time > latest ? time : latest),
    Object.values(clocks).reduce((latest, time) => (time > latest ? time : latest), ''),
  );
  const [deleted, deletion] = latestDeletion(there, comes);
  if (deletion !== '') clocks['deletedAt'] = deletion;
  fields['deletedAt'] = deletion > newest ? deleted : null;
  return { fields, clocks };
}

function latestDeletion(there: Version, comes: Version): [value: unknown, time: string] {
  const ofThere = there.clocks['deletedAt'] ?? '';
  const ofComes = comes.clocks['deletedAt'] ?? '';
  return ofComes > ofThere ? [comes.fields['deletedAt'], ofComes] : [there.fields['deletedAt'] ?? null, ofThere];
}

function isUnitAhead(there: Version, comes: Version): boolean {
  const rankOf = ({ fields }: Version): number => STATUS_RANKS.indexOf(String(fields['status']));
  if (rankOf(comes) !== rankOf(there)) return rankOf(comes) > rankOf(there);
  return timeOf(comes, 'status') > timeOf(there, 'status');
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
const list = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

const mergeObjectives = (mine: Row[], theirs: Row[]): Row[] => [
  ...mine,
  ...theirs.filter(({ objectiveId }) => !mine.some((held) => held['objectiveId'] === objectiveId)),
];

interface Count {
  attempts: number;
  meanAccuracy: number;
}
export interface Word extends Row {
  word: string;
  attempts: number;
  meanAccuracy: number;
  lastPracticedAt: string;
  counts?: Record<string, Count>;
}

export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

export const countsOf = ({ attempts, meanAccuracy, counts }: Word): Record<string, Count> =>
  counts ?? { before: { attempts, meanAccuracy } };

export function totalOf(counts: Record<string, Count>): Count {
  const all = Object.values(counts);
  const attempts = all.reduce((sum, count) => sum + count.attempts, 0);
  const weighted = all.reduce((sum, count) => sum + count.attempts * count.meanAccuracy, 0);
  return { attempts, meanAccuracy: attempts === 0 ? 0 : oneDecimal(weighted / attempts) };
}

function mergeWords(mine: Word[], theirs: Word[]): Word[] {
  const byWord = new Map(mine.map((entry) => [entry.word, entry]));
  for (const entry of theirs) {
    const held = byWord.get(entry.word);
    if (held === undefined) byWord.set(entry.word, entry);
    else {
      const counts = { ...countsOf(held) };
      for (const [device, count] of Object.entries(countsOf(entry)))
        if (count.attempts > (counts[device]?.attempts ?? 0)) counts[device] = count;
      const newer = entry.lastPracticedAt > held.lastPracticedAt ? entry : held;
      byWord.set(entry.word, { ...newer, ...totalOf(counts), counts });
    }
  }
  return [...byWord.values()].sort((a, b) => (a.word < b.word ? -1 : 1));
}

/** UUID version 5 (RFC 9562, 5.5). */
export function enrolmentId(userId: string, courseId: string): string {
  const namespace = Buffer.from('6f0f3f9a9c6f4d0b8a531a6f1f6d2b17', 'hex');
  const bytes = createHash('sha1').update(namespace).update(`enrolment/${userId}/${courseId}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
