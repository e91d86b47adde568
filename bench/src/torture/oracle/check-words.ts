/** Checks the word list: every acknowledged attempt is counted exactly once. */
import { describeEdit, type OracleEdit, type Row } from './oracle-edit.ts';

interface Entry {
  word: string;
  attempts: number;
  meanAccuracy: number;
  lastPracticedAt: string;
  counts?: Record<string, { attempts: number; meanAccuracy: number }>;
}

/** A device rounds the mean to a tenth at each attempt. */
const MEAN_MARGIN = 1;

const readEntries = (row: Row | undefined): Entry[] => (row?.['words'] ?? []) as Entry[];

interface ExpectedAttempts {
  minimum: number;
  maximum: number;
  points: number;
  lastPracticedAt: string;
  isExact: boolean;
  by: string[];
}

export function checkWords(key: string, base: Row | undefined, found: Row, edits: readonly OracleEdit[]): string[] {
  const list = readEntries(found);
  const owed = expectedByWord(base, edits);
  const words = list.map(({ word }) => word);
  const problems = new Set(words).size === words.length ? [] : [`${key}: a word is in the list twice`];
  if (!words.every((word, index) => index === 0 || (words[index - 1] ?? '') < word))
    problems.push(`${key}: the list is not sorted by word`);
  for (const entry of list) if (!owed.has(entry.word)) problems.push(`${key}: no device practised "${entry.word}"`);
  for (const [word, wanted] of owed) {
    const entry = list.find((candidate) => candidate.word === word);
    problems.push(...checkEntry(`${key}: "${word}"`, wanted, entry));
  }
  return problems;
}

function checkEntry(
  what: string,
  { minimum, maximum, points, lastPracticedAt, isExact, by }: ExpectedAttempts,
  entry?: Entry,
) {
  if (entry === undefined) return minimum > 0 ? [`${what} is lost, practised by ${by.join(', ')}`] : [];
  const { attempts, counts, meanAccuracy } = entry;
  const problems: string[] = [];
  if (attempts < minimum) problems.push(`${what} has ${attempts} attempts, ${minimum} were made: by ${by.join(', ')}`);
  if (attempts > maximum) problems.push(`${what} has ${attempts} attempts, only ${maximum} were made`);
  const counted = Object.values(counts ?? {}).reduce((sum, count) => sum + count.attempts, 0);
  if (counts !== undefined && counted !== attempts)
    problems.push(`${what} has ${attempts} attempts, its counts add up to ${counted}`);
  if (isExact && attempts === minimum && Math.abs(meanAccuracy - points / minimum) > MEAN_MARGIN)
    problems.push(`${what} has a mean accuracy of ${meanAccuracy}, should be ${(points / minimum).toFixed(1)}`);
  if (entry.lastPracticedAt < lastPracticedAt) problems.push(`${what} lost its practice of ${lastPracticedAt}`);
  return problems;
}

function expectedByWord(base: Row | undefined, edits: readonly OracleEdit[]): Map<string, ExpectedAttempts> {
  const owed = new Map<string, ExpectedAttempts>();
  const getOrCreate = (word: string): ExpectedAttempts => {
    const nothing = { minimum: 0, maximum: 0, points: 0, lastPracticedAt: '', isExact: true, by: [] };
    const entry = owed.get(word) ?? nothing;
    owed.set(word, entry);
    return entry;
  };
  for (const { word, attempts, meanAccuracy, lastPracticedAt } of readEntries(base)) {
    const entry = getOrCreate(word);
    entry.minimum += attempts;
    entry.maximum += attempts;
    entry.points += attempts * meanAccuracy;
    entry.lastPracticedAt = lastPracticedAt;
  }
  const told = edits.flatMap((edit) => edit.attempts.map((attempt) => ({ edit, ...attempt })));
  for (const { edit, word, attempts, meanAccuracy, lastPracticedAt } of told.filter((t) => !t.isTotal)) {
    const entry = getOrCreate(word);
    entry.maximum += attempts;
    entry.points += attempts * meanAccuracy;
    if (edit.isSure) entry.minimum += attempts;
    else entry.isExact = false;
    if (edit.isSure && lastPracticedAt > entry.lastPracticedAt) entry.lastPracticedAt = lastPracticedAt;
    entry.by.push(describeEdit(edit));
  }
  // An old app counts for all devices: its total is a lower bound, and its own attempt may coincide with others.
  for (const { word, attempts } of told.filter((t) => t.isTotal)) {
    const entry = getOrCreate(word);
    entry.minimum = Math.max(entry.minimum, attempts);
    entry.maximum += 1;
    entry.isExact = false;
  }
  return owed;
}
