/**
 * Finds regular expressions that can divide a text among short repetitions in very many ways, such as `(.?){50}x`: a
 * failed search tries all of them.
 */
import type { PatternPart } from './parse-pattern.ts';

/** About sixteen thousand ways, from each place of the text. */
const TOO_MANY = 14;
/** An atom that matches more of the sample characters than this, such as `\w`, occurs nearly everywhere. */
const MAX_NARROW = 4;

interface Row {
  /** In how many ways the parts that have just been passed can divide a text, as a logarithm to base 2. */
  ways: number;
  /** How many specific characters follow them. */
  narrow: number;
}

const NO_ROW: Row = { ways: 0, narrow: 0 };

export function hasManyWays(pattern: PatternPart): boolean {
  let most = 0;

  function pass(row: Row, part: PatternPart): Row {
    if (most >= TOO_MANY) return row;
    const passed = passPart(row, part);
    most = Math.max(most, passed.ways);
    return passed;
  }

  function passPart(row: Row, part: PatternPart): Row {
    switch (part.kind) {
      case 'atom': {
        const narrow = part.matches.size > MAX_NARROW ? 0 : row.narrow + 1;
        // Two certain characters in a row occur at few places of a text, and few of the ways lead there.
        return { ways: narrow > 1 ? 0 : row.ways, narrow };
      }
      case 'sequence':
        return part.parts.reduce(pass, row);
      case 'lookaround':
        for (const each of part.parts) pass(NO_ROW, each);
        return row;
      case 'alternatives': {
        const passed = part.parts.map((each) => pass(row, each));
        const alike = part.parts.filter((each) => canBeWide(each) || canBeEmpty(each)).length;
        return {
          ways: Math.max(...passed.map(({ ways }) => ways)) + Math.log2(Math.max(alike, 1)),
          narrow: Math.min(...passed.map(({ narrow }) => narrow)),
        };
      }
      case 'repeated': {
        const { parts, min, max } = part;
        if (!canBeWide(parts[0])) return min > 0 ? pass(row, parts[0]) : row;
        const times = max === Infinity ? min : max;
        const within = pass(NO_ROW, parts[0]).ways * times;
        return { ways: row.ways + within + Math.log2(times - min + 1), narrow: 0 };
      }
    }
  }

  pass(NO_ROW, pattern);
  return most >= TOO_MANY;
}

/** Whether the part can read nearly any text. */
function canBeWide(part: PatternPart): boolean {
  if (part.kind === 'atom') return part.matches.size > MAX_NARROW;
  if (part.kind === 'lookaround') return false;
  return (
    part.parts.some(canBeWide) &&
    (part.kind !== 'sequence' || part.parts.every((each) => canBeWide(each) || canBeEmpty(each)))
  );
}

function canBeEmpty(part: PatternPart): boolean {
  if (part.kind === 'atom') return false;
  if (part.kind === 'lookaround') return true;
  if (part.kind === 'repeated' && part.min === 0) return true;
  return part.kind === 'alternatives' ? part.parts.some(canBeEmpty) : part.parts.every(canBeEmpty);
}
