/**
 * Finds regular expressions whose matching time explodes, such as `(a+)+` and `(a|a)*`: inside a repetition, the same
 * characters can be matched in several ways, so with each character the number of ways to match a non-matching text
 * doubles. The search for two ways follows Weideman et al., “Analyzing Matching Time Behavior of Backtracking Regular
 * Expression Matchers” (2016).
 */
import { hasManyWays } from './many-ways.ts';
import { parsePattern, type PatternPart } from './parse-pattern.ts';
import { hasSlowRow } from './slow-row.ts';

/** A part that may occur more often than this counts as unbounded repetition. */
const MAX_TIMES = 3;
/** Above this, the search itself would be slow. No person writes such a repetition. */
const MAX_STEPS = 100_000;

/** The atoms of a part, by index: those with which it may begin and end, and whether it may be empty. */
interface Span {
  first: readonly number[];
  last: readonly number[];
  canBeEmpty: boolean;
}

interface Automaton {
  /** The sample characters that each atom matches. */
  atoms: ReadonlySet<string>[];
  /** The atoms that may follow each atom. One that may follow in two ways is listed twice. */
  next: number[][];
}

const EMPTY: Span = { first: [], last: [], canBeEmpty: true };

export function isSlowPattern(source: string): boolean {
  const pattern = parsePattern(source);
  return pattern !== null && (hasSlowLoop(pattern) || hasSlowRow(pattern) || hasManyWays(pattern));
}

function hasSlowLoop(part: PatternPart): boolean {
  if (part.kind === 'atom') return false;
  if (part.kind === 'repeated' && part.max > MAX_TIMES) return isAmbiguousLoop(part);
  return part.parts.some(hasSlowLoop);
}

function isAmbiguousLoop(loop: PatternPart): boolean {
  const automaton: Automaton = { atoms: [], next: [] };
  addPart(automaton, loop);
  return hasTwoWays(automaton) || findLookarounds(loop).some(hasSlowLoop);
}

const findLookarounds = (part: PatternPart): PatternPart[] =>
  part.kind === 'atom' ? [] : part.kind === 'lookaround' ? [...part.parts] : part.parts.flatMap(findLookarounds);

function addPart(automaton: Automaton, part: PatternPart): Span {
  switch (part.kind) {
    case 'atom': {
      const index = automaton.atoms.push(part.matches) - 1;
      automaton.next.push([]);
      return { first: [index], last: [index], canBeEmpty: false };
    }
    case 'lookaround':
      return EMPTY;
    case 'sequence':
      return part.parts.reduce<Span>((before, each) => {
        const span = addPart(automaton, each);
        connect(automaton, before, span);
        return {
          first: before.canBeEmpty ? [...before.first, ...span.first] : before.first,
          last: span.canBeEmpty ? [...before.last, ...span.last] : span.last,
          canBeEmpty: before.canBeEmpty && span.canBeEmpty,
        };
      }, EMPTY);
    case 'alternatives': {
      const spans = part.parts.map((each) => addPart(automaton, each));
      return {
        first: spans.flatMap(({ first }) => first),
        last: spans.flatMap(({ last }) => last),
        canBeEmpty: spans.some(({ canBeEmpty }) => canBeEmpty),
      };
    }
    case 'repeated': {
      const span = addPart(automaton, part.parts[0]);
      // Inside a loop, a text can be divided in several ways even among parts that may occur only once or twice.
      if (part.max > (part.min === part.max ? MAX_TIMES : 1)) connect(automaton, span, span);
      return { ...span, canBeEmpty: span.canBeEmpty || part.min === 0 };
    }
  }
}

function connect({ next }: Automaton, before: Span, after: Span): void {
  for (const index of before.last) next[index]?.push(...after.first);
}

/** Whether the same text can lead from one atom of a loop to another in two ways. */
function hasTwoWays({ atoms, next }: Automaton): boolean {
  const pairs: [number, number][] = atoms.map((_atom, index) => [index, index]);
  const seen = new Set<number>();
  let steps = 0;
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    for (const [oneIndex, oneNext] of (next[one] ?? []).entries())
      for (const [otherIndex, otherNext] of (next[other] ?? []).entries()) {
        if (one === other && oneIndex >= otherIndex) continue;
        if (++steps > MAX_STEPS || oneNext === otherNext) return true;
        const key = oneNext * atoms.length + otherNext;
        if (seen.has(key) || !overlap(atoms[oneNext], atoms[otherNext])) continue;
        seen.add(key);
        pairs.push([oneNext, otherNext]);
      }
  }
  return false;
}

function overlap(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): boolean {
  if (one.size > other.size) return overlap(other, one);
  for (const sample of one) if (other.has(sample)) return true;
  return false;
}
