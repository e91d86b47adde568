/** Generates the workload: completed practices of about 1 KB of JSON each, identical in every run. */
import type { Feedback, Row } from '@parley/domain';
import { createHash } from 'node:crypto';
import { mulberry32 } from '../mulberry32.ts';
import { type SpokenTurn, spokenTurns } from './spoken-sessions.ts';
import type { WorkloadKind } from './workload.ts';

/** One row of practice history, without the fields that the device and the server add. */
export type PracticeRow = Omit<
  Row<'practiceHistory'>,
  // Turns are synced as rows of their own.
  'userId' | 'createdAt' | 'updatedAt' | 'syncVersion' | 'deletedAt' | 'pausedAt' | 'summary' | 'entireConversation'
> & {
  summary: string;
  /** The transcript, in the workload of spoken sessions. */
  turns?: SpokenTurn[];
};

/** The expected final state of a device: the id of a row, and the field that changes. */
export interface RowDigest {
  id: string;
  summary: string;
}

const FIRST_MS = Date.parse('2026-01-01T08:00:00.000Z');
const EVERY_MS = 47 * 60_000;

const SUBJECTS = ['the shipment', 'our budget', 'the contract', 'her proposal', 'the invoice', 'his first draft'];
const EVENTS = [
  'was late again',
  'needs one more review',
  'came back from the client',
  'changed on Friday',
  'is signed',
];
const REASONS = [
  'because the supplier moved',
  'after the meeting in Leeds',
  'since two people are ill',
  'as we had agreed',
];
const REPLIES = ['I am sorry for that', 'let me explain', 'here is what we can do', 'could you give me a day'];
const WORDS = ['shipment', 'invoice', 'supplier', 'Thursday'];
const SOUNDS = ['θ', 'ʃ', 'v', 'ɪ'];

const hex = (chance: () => number, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(chance() * 16).toString(16)).join('');

/** Generates a version 7 UUID, like the rows of the product. */
function uuidAt(chance: () => number, ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(chance, 3)}-8${hex(chance, 3)}-${hex(chance, 12)}`;
}

const pick = <Value extends string>(chance: () => number, from: readonly Value[]): Value =>
  from[Math.floor(chance() * from.length)] ?? (from[0] as Value);

const sentence = (chance: () => number): string =>
  `${pick(chance, REPLIES)}: ${pick(chance, SUBJECTS)} ${pick(chance, EVENTS)} ${pick(chance, REASONS)}.`;

function makeFeedback(chance: () => number): Feedback {
  const word = () => ({
    word: pick(chance, WORDS),
    ipa: pick(chance, SOUNDS),
    accuracy: Math.floor(chance() * 600) / 10,
    worstPhonemes: [pick(chance, SOUNDS)],
  });
  return {
    best: sentence(chance),
    fix: sentence(chance),
    nextStep: sentence(chance),
    wordsToTrain: [word(), word()],
  };
}

export function practiceRow(index: number): PracticeRow {
  const chance = mulberry32(index + 1);
  const startedMs = FIRST_MS + index * EVERY_MS;
  const score = (): number => Math.round(400 + chance() * 600) / 10;
  return {
    id: uuidAt(chance, startedMs),
    practiceId: uuidAt(mulberry32(900_000 + (index % 24)), FIRST_MS),
    agentId: uuidAt(mulberry32(800_000 + (index % 5)), FIRST_MS),
    feedback: makeFeedback(chance),
    score: score(),
    accuracyScore: score(),
    fluencyScore: score(),
    prosodyScore: score(),
    completenessScore: null,
    pronScore: null,
    wordsScore: score(),
    completedObjectives: [],
    duration: 120 + Math.floor(chance() * 400),
    communicationStyle: pick(chance, ['audio', 'text']),
    status: 'completed',
    summary: `Practice ${index}: ${sentence(chance)}`,
    difficulty: pick(chance, ['easy', 'intermediate', 'hard']),
  };
}

export const practiceRows = (first: number, count: number, kind: WorkloadKind = 'sessions'): PracticeRow[] =>
  Array.from({ length: count }, (_, offset) =>
    kind === 'sessions' ? practiceRow(first + offset) : spokenSession(first + offset),
  );

function spokenSession(index: number): PracticeRow {
  const chance = mulberry32(600_000 + index);
  const startMs = FIRST_MS + index * EVERY_MS;
  let atMs = startMs;
  return {
    ...practiceRow(index),
    turns: spokenTurns(index, { startMs, newId: () => uuidAt(chance, (atMs += 1)) }),
  };
}

/** Has about the length of the summary that it replaces. */
export const makeChangedSummary = (turn: number): string => `Change ${turn}: ${sentence(mulberry32(700_000 + turn))}`;

/** Depends only on the rows, not on their order. */
export function computeChecksum(rows: readonly RowDigest[]): string {
  const lines = rows.map(({ id, summary }) => `${id}\t${summary}`).toSorted();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
