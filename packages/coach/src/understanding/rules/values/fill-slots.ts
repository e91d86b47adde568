/** Fills values of the learner's turn into a coach's line. */
import type { SlotKind } from '@parley/domain';
import { findSlots, slotValue } from './slots.ts';
import { parseSpoken } from '../spoken-text.ts';
import { withoutPromises } from '../evasions.ts';

const PLACEHOLDER = /\{(date|duration|time|money|amount|name)\|([^}]*)\}/g;

/** Fills in the value that the learner has just named: `{date|That} works.` The text after the bar is used when there is none. */
export function fillSlots(line: string, said: string): string {
  // "I'll call you on Monday" does not say that Monday suits.
  const { plain } = parseSpoken(withoutPromises(said));
  const found = new Set(findSlots(plain));
  const filled = line.replaceAll(PLACEHOLDER, (_, kind: SlotKind, without: string, at: number) => {
    const value = found.has(kind) ? slotValue(plain, kind) : null;
    if (value === null) return without;
    const isFirst = at === 0 || /[.!?]\s$/.test(line.slice(0, at));
    return isFirst ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  });
  return filled.trim();
}
