/**
 * Finds regular expressions in which many repetitions follow one another, such as `.*.*.*x`: each repetition can end anywhere within the next
 * one, so the time grows with the length of the text to the power of their number.
 */
import type { PatternPart } from './parse-pattern.ts';

/** A repetition of at most this many characters costs little. */
const MANY_TIMES = 30;
/** A part that contains a repetition and may itself occur more often than this is slow on its own. */
const SOME_TIMES = 3;
/** The weight at which a failed search takes seconds for 300 characters, about a minute of speech. */
const SLOW_WEIGHT = 9;
const FULL_WEIGHT = 3;
/** A required character, such as the spaces in `.* .* .*`, occurs at about every tenth position of a text. */
const WEIGHT_PER_SEPARATION: readonly number[] = [FULL_WEIGHT, 2];
/** An atom that matches more of the sample characters than this, such as `\w`, occurs nearly everywhere. */
const MAX_NARROW = 4;
/** Above this, the search itself would be slow. No person writes such a repetition. */
const MAX_STEPS = 100_000;

/** The repetitions that have just been passed; `matches` is the set of characters that the last of them matches. */
interface Row {
  weight: number;
  matches: ReadonlySet<string>;
  /** How many specific characters have been required since then. */
  separation: number;
}

const NO_ROW: Row = { weight: 0, matches: new Set(), separation: 0 };

export function hasSlowRow(pattern: PatternPart): boolean {
  let heaviest = 0;
  let steps = 0;

  function pass(row: Row, part: PatternPart): Row {
    if (++steps > MAX_STEPS) heaviest = SLOW_WEIGHT;
    if (heaviest >= SLOW_WEIGHT) return row;
    switch (part.kind) {
      case 'atom':
        // The row ends at the first character that its last repetition cannot match.
        if (!overlap(row.matches, part.matches)) return NO_ROW;
        return part.matches.size > MAX_NARROW ? row : { ...row, separation: row.separation + 1 };
      case 'sequence':
        return part.parts.reduce(pass, row);
      case 'alternatives':
        return part.parts.map((each) => pass(row, each)).reduce(heavier, NO_ROW);
      case 'lookaround':
        for (const each of part.parts) pass(NO_ROW, each);
        return row;
      case 'repeated':
        return passRepeated(row, part);
    }
  }

  function passRepeated(row: Row, { parts: [part], min, max }: PatternPart & { kind: 'repeated' }): Row {
    const matches = new Set(max > MANY_TIMES ? samplesOf(part) : []);
    // Speech has no long runs of one letter.
    if (matches.size > MAX_NARROW) return extend(row, matches);
    let passed = row;
    for (let times = 1; times <= Math.min(max, SOME_TIMES); times += 1) {
      const next = pass(passed, part);
      passed = times <= min ? next : heavier(passed, next);
    }
    return passed;
  }

  function extend(row: Row, matches: ReadonlySet<string>): Row {
    const weight = overlap(row.matches, matches)
      ? row.weight + (WEIGHT_PER_SEPARATION[row.separation] ?? 0)
      : FULL_WEIGHT;
    heaviest = Math.max(heaviest, weight);
    return { weight, matches, separation: 0 };
  }

  pass(NO_ROW, pattern);
  return heaviest >= SLOW_WEIGHT;
}

const heavier = (one: Row, other: Row): Row =>
  other.weight > one.weight || (other.weight === one.weight && other.separation < one.separation) ? other : one;

const overlap = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((sample) => other.has(sample));

const samplesOf = (part: PatternPart): string[] =>
  part.kind === 'atom' ? [...part.matches] : part.kind === 'lookaround' ? [] : part.parts.flatMap(samplesOf);
