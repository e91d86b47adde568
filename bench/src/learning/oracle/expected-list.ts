/**
 * The expected log, list and schedule of a learner, reimplemented from the rules in docs/decisions/0021 and the
 * product's documents. It shares no code with the product; FSRS itself is the library that both use.
 */
import { createEmptyCard, fsrs, type Grade, Rating } from 'ts-fsrs';

export interface LoggedEvent {
  /** The event's name, so that a later one can undo it. */
  id: string;
  kind: 'said' | 'graded' | 'added' | 'learned' | 'removed';
  at: number;
  day: string;
  word: string;
  accuracy: number | null;
  /** Sound and accuracy; every word of these runs has one sound. */
  sound: [string, number] | null;
  /** A word that is said in a review waits for its grade. */
  inReview: boolean;
  grade: 'again' | 'good' | null;
}

/** A row of the log that carries a count over. */
export interface CountedRow {
  word: string;
  at: number;
  day: string;
  attempts: number;
  accuracy: number;
  countedBy: string;
}

export interface ExpectedWord {
  word: string;
  status: 'listed' | 'graduated' | 'learned';
  attempts: number;
  meanAccuracy: number;
  dueMs: number | null;
}

const DAYS_TO_GRADUATE = 2;
/** A word that an old app counted is listed if its mean is below this. */
const COUNTED_LISTED_BELOW = 80;
const rating: Record<'again' | 'good', Grade> = { again: Rating.Again, good: Rating.Good };

/** Words that the learner sees, in alphabetical order. `events` are those that were never undone. */
export function expectedList(events: readonly LoggedEvent[], counted: readonly CountedRow[]): ExpectedWord[] {
  const words = [...new Set([...events, ...counted].map(({ word }) => word))].toSorted();
  return words.flatMap((word) => {
    const expected = expectedWord(
      word,
      events.filter((event) => event.word === word),
      counted.filter((row) => row.word === word),
    );
    return expected === null ? [] : [expected];
  });
}

type Happening = LoggedEvent | (CountedRow & { kind: 'counted' });

/** The old app's count precedes anything else that happened in the same millisecond. */
const inOrder = (events: readonly LoggedEvent[], counted: readonly CountedRow[]): Happening[] =>
  [...counted.map((row) => ({ ...row, kind: 'counted' as const })), ...events].toSorted((a, b) => a.at - b.at);

function expectedWord(
  spelling: string,
  events: readonly LoggedEvent[],
  counted: readonly CountedRow[],
): ExpectedWord | null {
  const word = { status: 'unlisted' as 'unlisted' | 'removed' | ExpectedWord['status'] };
  let dueFrom = -1;
  let gradedAt = -1;
  let weakSounds = 0;
  let goodDays: string[] = [];
  const enlist = (at: number): void => {
    word.status = 'listed';
    goodDays = [];
    dueFrom = at;
  };
  for (const event of inOrder(events, counted)) {
    switch (event.kind) {
      case 'said': {
        if (event.sound !== null && event.sound[1] < 50) weakSounds += 1;
        const isBad = (event.accuracy ?? 100) < 60 || (event.sound !== null && event.sound[1] < 50 && weakSounds >= 2);
        if (!isBad || event.inReview || word.status === 'removed') break;
        // The first mistake after a grade counts.
        if (word.status !== 'listed') enlist(event.at);
        else if (dueFrom <= gradedAt) dueFrom = event.at;
        break;
      }
      case 'graded':
        gradedAt = event.at;
        if (word.status !== 'listed') break;
        if (event.grade === 'again' || (event.accuracy ?? 0) < 80) goodDays = [];
        else if (!goodDays.includes(event.day)) goodDays.push(event.day);
        if (goodDays.length >= DAYS_TO_GRADUATE) {
          word.status = 'graduated';
          weakSounds = 0;
        }
        break;
      case 'added':
        enlist(event.at);
        break;
      case 'counted':
        if (word.status === 'unlisted' && event.accuracy < COUNTED_LISTED_BELOW) enlist(event.at);
        break;
      default:
        word.status = event.kind;
        weakSounds = 0;
    }
  }
  const { status } = word;
  if (status === 'unlisted' || status === 'removed') return null;
  const said = events.filter(({ kind }) => kind === 'said').map(({ accuracy }) => accuracy ?? 0);
  const mean = said.length === 0 ? 0 : said.reduce((sum, accuracy) => sum + accuracy, 0) / said.length;
  const ofOthers = newestCount(counted);
  const attempts = said.length + ofOthers.attempts;
  // The list keeps one decimal, rounded twice: for the log's count, and for the sum of all counts.
  const points = said.length * roundTenth(mean) + ofOthers.attempts * ofOthers.accuracy;
  return {
    word: spelling,
    status,
    attempts,
    meanAccuracy: attempts === 0 ? 0 : roundTenth(points / attempts),
    dueMs: status === 'listed' ? dueAfter(events, dueFrom) : null,
  };
}

const roundTenth = (value: number): number => Math.round(value * 10) / 10;

/** A count only grows, so the greatest is the newest; the histories have one counter. */
const newestCount = (counted: readonly CountedRow[]): { attempts: number; accuracy: number } =>
  counted.reduce((newest, row) => (row.attempts > newest.attempts ? row : newest), { attempts: 0, accuracy: 0 });

/** FSRS decides when a word is due. After a later mistake, it is due from then on at the latest. */
function dueAfter(events: readonly LoggedEvent[], dueFrom: number): number {
  const grades = events.filter(({ grade }) => grade !== null).toSorted((a, b) => a.at - b.at);
  const last = grades.at(-1);
  if (last === undefined) return dueFrom;
  const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false });
  let card = createEmptyCard(new Date(grades[0]?.at ?? 0));
  for (const { at, grade } of grades) card = scheduler.next(card, new Date(at), rating[grade ?? 'good']).card;
  const scheduled = card.due.getTime();
  return last.at < dueFrom ? Math.min(dueFrom, scheduled) : scheduled;
}
