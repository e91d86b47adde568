/** Merges two versions of a row as docs/protocol.md defines under "How a change is merged into a row" and "Tables". */
import { createHash } from 'node:crypto';

export type Row = Record<string, unknown>;
/** Hybrid times by field name; `*` applies to every field without its own. */
export type Clocks = Record<string, string>;

/** The values of a row and the time at which each was set. */
export interface Version {
  fields: Row;
  clocks: Clocks;
}

export type Rule =
  'fixed' | 'last' | 'once' | 'maximum' | 'minimum' | 'objectives' | 'words' | 'unit' | 'absent' | 'projection';

interface TableRules {
  key: string;
  /** All fields except those that the server sets on every row. */
  rules: Record<string, Rule>;
  isReadOnly?: true;
}

/** Parent tables come first. */
export const TABLES: Record<string, TableRules> = {
  users: {
    key: 'userId',
    rules: expandRules({
      fixed: 'createdAt userId',
      last: 'firstName lastName jobTitle industry agentId avatarUrl englishLevel emailNotifications practiceDifficulty practiceStyle hasSeenOnboarding',
    }),
  },
  subscriptions: { key: 'subscriptionId', rules: {}, isReadOnly: true },
  coach_assignment_history: {
    key: 'assignmentId',
    rules: expandRules({
      fixed: 'createdAt assignmentId',
      last: 'userId agentId assignmentStartDate assignmentEndDate',
    }),
  },
  enrollments: {
    key: 'enrollmentId',
    rules: expandRules({ fixed: 'createdAt enrollmentId', last: 'userId courseId enrollmentDate' }),
  },
  user_course_interaction: {
    key: 'interactionId',
    rules: expandRules({
      fixed: 'createdAt interactionId',
      absent: 'userId courseId interactionType timestamp details',
    }),
  },
  practice_history: {
    key: 'id',
    rules: expandRules({
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
    rules: expandRules({
      fixed: 'createdAt conversationId',
      once: 'interactionId userId courseId content role sessionId previousTurnId saidAt node kind mode recordingId assessment',
      minimum: 'fitted',
      maximum: 'hintLevel',
    }),
  },
  feedback_details: {
    key: 'feedbackId',
    rules: expandRules({
      fixed: 'createdAt feedbackId',
      absent: 'interactionId performanceCategories suggestions score userId',
    }),
  },
  pronunciation_improvement_summary: {
    key: 'id',
    rules: expandRules({ fixed: 'createdAt id', words: 'words', last: 'userId' }),
  },
  word_attempts: {
    key: 'id',
    rules: expandRules({
      fixed: 'createdAt id',
      absent:
        'userId kind at day word ipa accuracy phonemes source sessionId turnId recordingId startMs endMs sentence grade attempts countedBy',
    }),
  },
};

/** Tables whose rows are the same for every learner, with their keys. */
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

/** Sorted from lowest to highest. */
const STATUS_RANKS = ['in_progress', 'failed_to_generate_score', 'completed'];

function expandRules(namesByRule: Partial<Record<Rule, string>>): Record<string, Rule> {
  return Object.fromEntries(
    Object.entries(namesByRule).flatMap(([rule, names]) => names.split(' ').map((name) => [name, rule as Rule])),
  );
}

/** Returns the fields that a device sends when it creates a row. */
export const settableFields = (table: string): string[] =>
  Object.entries(TABLES[table]?.rules ?? {}).flatMap(([name, rule]) => (rule === 'projection' ? [] : [name]));

export const timeOf = ({ clocks }: Version, field: string): string => clocks[field] ?? clocks['*'] ?? '';

/** Keeps the existing value unless a rule says otherwise; the incoming version may contain only some fields. */
export function merge(table: string, existing: Version, incoming: Version): Version {
  const rules = TABLES[table]?.rules ?? {};
  const fields = { ...existing.fields };
  const clocks = Object.fromEntries(settableFields(table).map((name) => [name, timeOf(existing, name)]));
  const takeField = (name: string): void => {
    fields[name] = incoming.fields[name];
    clocks[name] = timeOf(incoming, name);
  };
  const takesUnit = 'status' in incoming.fields && isUnitNewer(existing, incoming);
  for (const name of Object.keys(incoming.fields)) {
    const [mine, theirs] = [existing.fields[name], incoming.fields[name]];
    const isLater = timeOf(incoming, name) > timeOf(existing, name);
    switch (rules[name]) {
      case 'last':
        if (isLater || !(name in existing.fields)) takeField(name);
        break;
      case 'once':
        if (isEmpty(mine) && !isEmpty(theirs)) takeField(name);
        break;
      case 'maximum':
        if (!(name in existing.fields) || Number(theirs) > Number(mine)) takeField(name);
        break;
      case 'minimum':
        if (!(name in existing.fields) || Number(theirs) < Number(mine)) takeField(name);
        break;
      case 'unit':
        if (takesUnit) takeField(name);
        break;
      case 'objectives':
        fields[name] = mergeObjectives(toList(mine), toList(theirs));
        if (isLater) clocks[name] = timeOf(incoming, name);
        break;
      case 'words':
        fields[name] = mergeWords(toList(mine) as Word[], toList(theirs) as Word[]);
        if (isLater) clocks[name] = timeOf(incoming, name);
        break;
      case 'absent':
      case 'fixed':
        if (!(name in existing.fields)) takeField(name);
        break;
      default:
    }
  }
  if (table === 'practice_history' && fields['status'] !== 'in_progress') fields['pausedAt'] = null;
  const lastEdit = [existing, incoming].map((version) => version.clocks['updatedAt'] ?? '').sort()[1] ?? '';
  if (lastEdit !== '') clocks['updatedAt'] = lastEdit;
  const newest = Object.entries(incoming.clocks).reduce(
    (latest, [name, time]) => (name !== 'deletedAt' && time > latest ? time : latest),
    Object.values(clocks).reduce((latest, time) => (time > latest ? time : latest), ''),
  );
  const [deleted, deletion] = latestDeletion(existing, incoming);
  if (deletion !== '') clocks['deletedAt'] = deletion;
  fields['deletedAt'] = deletion > newest ? deleted : null;
  return { fields, clocks };
}

function latestDeletion(there: Version, comes: Version): [value: unknown, time: string] {
  const existingTime = there.clocks['deletedAt'] ?? '';
  const incomingTime = comes.clocks['deletedAt'] ?? '';
  return incomingTime > existingTime
    ? [comes.fields['deletedAt'], incomingTime]
    : [there.fields['deletedAt'] ?? null, existingTime];
}

function isUnitNewer(there: Version, comes: Version): boolean {
  const rankOf = ({ fields }: Version): number => STATUS_RANKS.indexOf(String(fields['status']));
  if (rankOf(comes) !== rankOf(there)) return rankOf(comes) > rankOf(there);
  return timeOf(comes, 'status') > timeOf(there, 'status');
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
const toList = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

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

export const getCounts = ({ attempts, meanAccuracy, counts }: Word): Record<string, Count> =>
  counts ?? { before: { attempts, meanAccuracy } };

export function sumCounts(counts: Record<string, Count>): Count {
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
      const counts = { ...getCounts(held) };
      for (const [device, count] of Object.entries(getCounts(entry)))
        if (count.attempts > (counts[device]?.attempts ?? 0)) counts[device] = count;
      const newer = entry.lastPracticedAt > held.lastPracticedAt ? entry : held;
      byWord.set(entry.word, { ...newer, ...sumCounts(counts), counts });
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
