/** The list of words: every attempt that a device acknowledged is counted, once. */
import { nameOf, type OracleEdit, type Row } from './edit.ts';

interface Entry {
  word: string;
  attempts: number;
  meanAccuracy: number;
  lastPracticedAt: string;
  counts?: Record<string, { attempts: number; meanAccuracy: number }>;
}

/** A device rounds the mean to a tenth at each attempt. */
const MEAN_MARGIN = 1;

const entriesOf = (row: Row | undefined): Entry[] => (row?.['words'] ?? []) as Entry[];

interface Owed {
  least: number;
  most: number;
  points: number;
  lastPracticedAt: string;
  isExact: boolean;
  by: string[];
}

export function checkWords(key: string, base: Row | undefined, found: Row, edits: readonly OracleEdit[]): string[] {
  const list = entriesOf(found);
  const owed = owedByWord(base, edits);
  const words = list.map(({ word }) => word);
  const problems = new Set(words).size === words.length ? [] : [`${key}: a word is in the list twice`];
  if (!words.every((word, index) => index === 0 || (words[index - 1] ?? '') < word))
    problems.push(`${key}: the list is not sorted by word`);
  for (const entry of list) if (!owed.has(entry.word)) problems.push(`${key}: nobody practised "${entry.word}"`);
  for (const [word, wanted] of owed) {
    const entry = list.find((candidate) => candidate.word === word);
    problems.push(...checkEntry(`${key}: "${word}"`, wanted, entry));
  }
  return problems;
}

function checkEntry(what: string, { least, most, points, lastPracticedAt, isExact, by }: Owed, entry?: Entry) {
  if (entry === undefined) return least > 0 ? [`${what} is lost, practised by ${by.join(', ')}`] : [];
  const { attempts, counts, meanAccuracy } = entry;
  const problems: string[] = [];
  if (attempts < least) problems.push(`${what} has ${attempts} attempts, ${least} were made: by ${by.join(', ')}`);
  if (attempts > most) problems.push(`${what} has ${attempts} attempts, only ${most} were made`);
  const counted = Object.values(counts ?? {}).reduce((sum, count) => sum + count.attempts, 0);
  if (counts !== undefined && counted !== attempts)
    problems.push(`${what} has ${attempts} attempts, its counts add up to ${counted}`);
  if (isExact && attempts === least && Math.abs(meanAccuracy - points / least) > MEAN_MARGIN)
    problems.push(`${what} has a mean accuracy of ${meanAccuracy}, should be ${(points / least).toFixed(1)}`);
  if (entry.lastPracticedAt < lastPracticedAt) problems.push(`${what} forgot its practice of ${lastPracticedAt}`);
  return problems;
}

function owedByWord(base: Row | undefined, edits: readonly OracleEdit[]): Map<string, Owed> {
  const owed = new Map<string, Owed>();
  const of = (word: string): Owed => {
    const nothing = { least: 0, most: 0, points: 0, lastPracticedAt: '', isExact: true, by: [] };
    const entry = owed.get(word) ?? nothing;
    owed.set(word, entry);
    return entry;
  };
  for (const { word, attempts, meanAccuracy, lastPracticedAt } of entriesOf(base)) {
    const entry = of(word);
    entry.least += attempts;
    entry.most += attempts;
    entry.points += attempts * meanAccuracy;
    entry.lastPracticedAt = lastPracticedAt;
  }
  const told = edits.flatMap((edit) => edit.attempts.map((attempt) => ({ edit, ...attempt })));
  for (const { edit, word, attempts, meanAccuracy, lastPracticedAt } of told.filter((t) => !t.isTotal)) {
    const entry = of(word);
    entry.most += attempts;
    entry.points += attempts * meanAccuracy;
    if (edit.isSure) entry.least += attempts;
    else entry.isExact = false;
    if (edit.isSure && lastPracticedAt > entry.lastPracticedAt) entry.lastPracticedAt = lastPracticedAt;
    entry.by.push(nameOf(edit));
  }
  // An old app counts for everybody: what it knew at least is there, and what it added may have met what others added.
  for (const { word, attempts } of told.filter((t) => t.isTotal)) {
    const entry = of(word);
    entry.least = Math.max(entry.least, attempts);
    entry.most += 1;
    entry.isExact = false;
  }
  return owed;
}
