/** Creates a row of any entity from its declaration, with values that are easily corrupted, or with nulls. */
import { randomUUID } from 'node:crypto';
import { loadStarterCatalogue } from '@parley/catalogue';
import { entities, type EntityKey, type Field, wireSchema } from '@parley/domain';
import { z } from 'zod';

export type WireRow = Record<string, unknown>;

const TIME = '2026-02-28T23:59:59.999Z';
const AWKWARD_TEXT = `O'Reilly said "naïve" \\ 50 % — 日本語 👩‍🏫\n\t`;

const [coach] = loadStarterCatalogue().aiAgentProfiles;
const practice = loadStarterCatalogue().practices.find(({ dialogue }) => dialogue !== null);

const learnerTurn = () => ({
  role: 'learner',
  turnId: randomUUID(),
  at: TIME,
  text: AWKWARD_TEXT,
  mode: 'typed',
  node: null,
  fitted: true,
  recordingId: null,
  assessment: null,
  hintLevel: 3,
});

const anAssessment = () => ({
  v: 1,
  source: 'device',
  durationMs: 1_200,
  snrDb: 12.5,
  scores: [91.3, null, 80, 100, 77.7],
  words: AWKWARD_TEXT.slice(0, 20),
  phonemes: 'w ɔː',
  sounds: '',
  pitch: '',
  pauses: [0, 100],
});

/** Values of JSON columns by field name. Their schemas check them. */
const JSON_BY_FIELD: Record<string, () => unknown> = {
  skills: () => [AWKWARD_TEXT],
  characterTraits: () => [],
  manner: () => coach?.manner,
  voice: () => coach?.voice,
  usefulWords: () => [{ word: AWKWARD_TEXT, meaning: AWKWARD_TEXT }],
  dialogue: () => practice?.dialogue,
  details: () => ({ sessionId: randomUUID(), practiceId: null, videoId: null, courseSectionId: null }),
  performanceCategories: () => [{ category: 'fluency', score: 33.3 }],
  suggestions: () => [AWKWARD_TEXT],
  feedback: () => ({ best: AWKWARD_TEXT, fix: AWKWARD_TEXT, nextStep: AWKWARD_TEXT, wordsToTrain: [] }),
  entireConversation: () => [learnerTurn()],
  assessment: anAssessment,
  phonemes: () => [['θ', 41.5, 't']],
  completedObjectives: () => [{ objectiveId: randomUUID(), turnId: randomUUID(), words: AWKWARD_TEXT }],
  words: () => [
    {
      word: AWKWARD_TEXT,
      ipa: 'ˈwɔːtə',
      attempts: 3,
      meanAccuracy: 41.7,
      worstPhonemes: ['θ'],
      lastPracticedAt: TIME,
      due: null,
      stability: 0.1,
      difficulty: 10,
    },
  ],
};

/** The first candidate that the field accepts, so that awkward text is preferred to a plain key. */
const firstAllowed = (field: Field, candidates: readonly unknown[]): unknown =>
  candidates.find((candidate) => field.schema.safeParse(candidate).success);

function wireValue(name: string, field: Field): unknown {
  switch (field.kind) {
    case 'id':
      return randomUUID();
    case 'text':
      return firstAllowed(field, [`${AWKWARD_TEXT}${field.unique ? randomUUID() : ''}`, 'eur', 'a_key', 'a-key']);
    case 'enum':
      return field.enumeration?.values.at(-1);
    case 'boolean':
      return true;
    case 'integer':
      return firstAllowed(field, [2_147_483_647, 1]);
    case 'real':
      return 99.9;
    case 'time':
      return TIME;
    case 'json':
      return JSON_BY_FIELD[name]?.();
  }
}

/** `idByTable` maps tables to the rows that foreign keys refer to. The new row's key is added. */
export function aRow(key: EntityKey, idByTable: Map<string, string>, filled: 'full' | 'sparse' = 'full'): WireRow {
  const entity = entities[key];
  const row: WireRow = {};
  for (const [name, field] of Object.entries(entity.fields as Record<string, Field>)) {
    if (name === 'deletedAt' || (filled === 'sparse' && field.nullable)) row[name] = null;
    else if (name === 'syncVersion') row[name] = 1;
    else if (field.references !== null) row[name] = idByTable.get(field.references.entity);
    else row[name] = wireValue(name, field);
  }
  // These rows have the learner's id as their key.
  if (key === 'users' || key === 'pronunciationImprovementSummary') row[entity.key] = idByTable.get('users');
  if (key === 'wordAttempts') row['day'] = TIME.slice(0, 10);
  // Only a session in progress can be paused.
  if (key === 'practiceHistory' && row['status'] !== 'in_progress') row['pausedAt'] = null;
  const parsed = wireSchema(entity).safeParse(row);
  if (!parsed.success) throw new Error(`the row of ${entity.name} is invalid: ${z.prettifyError(parsed.error)}`);
  idByTable.set(entity.name, String(row[entity.key]));
  return row;
}
