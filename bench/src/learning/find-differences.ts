/** Compares the devices at the end of a random history with each other and with the oracle. */
import { inDatabase } from '../../../desktop/src/host/test-kit/read-database.ts';
import type { OpenHost } from '../../../desktop/src/host/test-kit/open-host.ts';
import { checkCounts, type OldAppRecord } from './oracle/counted-words.ts';
import { type CountedRow, expectedList, type LoggedEvent } from './oracle/expected-list.ts';

export interface FinishedHistory {
  devices: readonly OpenHost[];
  oldApp: OldAppRecord | null;
  /** The events that were never undone. */
  events: readonly LoggedEvent[];
  happened: readonly LoggedEvent[];
}

interface LogRow {
  kind: string;
  at: number;
  day: string;
  word: string;
  accuracy: number | null;
  attempts: number | null;
  countedBy: string | null;
}

const logOf = ({ dataDir }: OpenHost): LogRow[] =>
  inDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare(
        `SELECT id, kind, at, day, word, accuracy, source, grade, attempts, counted_by AS countedBy
         FROM word_attempts WHERE deleted_at IS NULL ORDER BY id`,
      )
      .all(),
  ) as LogRow[];

async function listOf({ ask }: OpenHost) {
  const { words } = await ask.review.words({ search: '' });
  return words
    .map(({ word, status, attempts, meanAccuracy, due }) => ({
      word,
      status,
      attempts,
      meanAccuracy,
      dueMs: due === null ? null : due.getTime(),
    }))
    .toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

const isCounted = (row: LogRow): row is LogRow & CountedRow =>
  row.kind === 'counted' && row.attempts !== null && row.accuracy !== null && row.countedBy !== null;

const describeRows = (rows: readonly { kind: string; at: number; word: string }[]): string =>
  JSON.stringify(rows.map(({ kind, at, word }) => `${at} ${kind === 'said' ? 'attempt' : kind} ${word}`).toSorted());

const countByWord = (words: readonly string[]): Map<string, number> =>
  words.reduce((counts, word) => counts.set(word, (counts.get(word) ?? 0) + 1), new Map<string, number>());

/** Returns what is wrong; nothing when all devices and the oracle agree. */
export async function findDifferences({ devices, oldApp, events, happened }: FinishedHistory): Promise<string[]> {
  const wrong: string[] = [];
  const [first] = devices;
  if (first === undefined) return ['there is no device'];
  const firstLog = logOf(first);
  const counted = firstLog.filter(isCounted);
  const expected = JSON.stringify(expectedList(events, counted));
  const expectedLog = describeRows(events);
  for (const [index, device] of devices.entries()) {
    const rows = logOf(device);
    const found = describeRows(rows.filter(({ kind }) => kind !== 'counted'));
    if (found !== expectedLog) wrong.push(`device ${index}: the log differs: ${found} instead of ${expectedLog}`);
    if (JSON.stringify(rows) !== JSON.stringify(firstLog)) wrong.push(`device ${index}: another log than device 0`);
    const list = JSON.stringify(await listOf(device));
    if (list !== expected) wrong.push(`device ${index}: the list differs: ${list} instead of ${expected}`);
    const rejected = await device.ask.sync.rejected();
    if (rejected.length > 0) wrong.push(`device ${index}: ${rejected.length} changes were rejected`);
  }
  if (oldApp === null) {
    if (counted.length > 0) wrong.push(`${counted.length} counts, although every device has the log`);
    return wrong;
  }
  const said = happened.filter(({ kind }) => kind === 'said');
  const problems = checkCounts({
    counted,
    old: oldApp,
    events,
    everSaid: countByWord(said.map(({ word }) => word)),
    everWrong: new Set(said.filter(wentWrong).map(({ word }) => word)),
  });
  return [...wrong, ...problems.map((problem) => `old app: ${problem}`)];
}

const LISTED_BELOW = 60;

const wentWrong = ({ accuracy, inReview }: LoggedEvent): boolean => !inReview && (accuracy ?? 100) < LISTED_BELOW;
