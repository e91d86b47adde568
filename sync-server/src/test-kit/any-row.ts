/** A row of any entity, drawn from its declaration: every field filled with something that is easily mangled, or left null. */
import { randomUUID } from 'node:crypto';
import { loadStarterCatalogue } from '@parley/catalogue';
import { entities, type EntityKey, type Field, wireSchema } from '@parley/domain';
import { z } from 'zod';

export type WireRow = Record<string, unknown>;

const TIME = '2026-02-28T23:59:59.999Z';
const WORDS = `O'Reilly said "naïve" \\ 50 % — 日本語 👩‍🏫\n\t`;

const [coach] = loadStarterCatalogue().aiAgentProfiles;
const practice = loadStarterCatalogue().practices.find(({ dialogue }) => dialogue !== null);

const learnerTurn = () => ({
  role: 'learner',
  turnId: randomUUID(),
  at: TIME,
  text: WORDS,
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
  words: WORDS.slice(0, 20),
  phonemes: 'w ɔː',
  sounds: '',
  pitch: '',
  pauses: [0, 100],
});

/** What the JSON columns hold, by the field's name; their schemas check it. */
const JSON_BY_FIELD: Record<string, () => unknown> = {
  skills: () => [WORDS],
  characterTraits: () => [],
  manner: () => coach?.manner,
  voice: () => coach?.voice,
  usefulWords: () => [{ word: WORDS, meaning: WORDS }],
  dialogue: () => practice?.dialogue,
  details: () => ({ sessionId: randomUUID(), practiceId: null, videoId: null, courseSectionId: null }),
  performanceCategories: () => [{ category: 'fluency', score: 33.3 }],
  suggestions: () => [WORDS],
  feedback: () => ({ best: WORDS, fix: WORDS, nextStep: WORDS, wordsToTrain: [] }),
  entireConversation: () => [learnerTurn()],
  assessment: anAssessment,
  completedObjectives: () => [{ objectiveId: randomUUID(), turnId: randomUUID(), words: WORDS }],
  words: () => [
    {
      word: WORDS,
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

/** The first that the field allows: long and awkward if it may be, a code or a key if it must be. */
const firstAllowed = (field: Field, candidates: readonly unknown[]): unknown =>
  candidates.find((candidate) => field.schema.safeParse(candidate).success);

function wireValue(name: string, field: Field): unknown {
  switch (field.kind) {
    case 'id':
      return randomUUID();
    case 'text':
      return firstAllowed(field, [`${WORDS}${field.unique ? randomUUID() : ''}`, 'eur', 'a_key', 'a-key']);
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

/** `idByTable` names the rows that foreign keys point at, and gains the new row's own key. */
export function aRow(key: EntityKey, idByTable: Map<string, string>, filled: 'full' | 'sparse' = 'full'): WireRow {
  const entity = entities[key];
  const row: WireRow = {};
  for (const [name, field] of Object.entries(entity.fields as Record<string, Field>)) {
    if (name === 'deletedAt' || (filled === 'sparse' && field.nullable)) row[name] = null;
    else if (name === 'syncVersion') row[name] = 1;
    else if (field.references !== null) row[name] = idByTable.get(field.references.entity);
    else row[name] = wireValue(name, field);
  }
  // A learner's own key is the account's, and so is that of their one list of words.
  if (key === 'users' || key === 'pronunciationImprovementSummary') row[entity.key] = idByTable.get('users');
  // A session that is over is not paused.
  if (key === 'practiceHistory' && row['status'] !== 'in_progress') row['pausedAt'] = null;
  const parsed = wireSchema(entity).safeParse(row);
  if (!parsed.success) throw new Error(`no row of ${entity.name}: ${z.prettifyError(parsed.error)}`);
  idByTable.set(entity.name, String(row[entity.key]));
  return row;
}
