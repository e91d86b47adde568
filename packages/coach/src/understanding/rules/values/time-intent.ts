/** Finds the intent that an exact time belongs to, where a node also has intents for vaguer answers such as "In the morning". */
import type { DialogueIntent, DialogueNode } from '@parley/domain';
import { parseSpoken } from '../spoken-text.ts';
import { spellOutFigures } from './figures.ts';
import { findSlots, isOnlyValue, VALUE_KINDS } from './slots.ts';

/**
 * Limits for the share of an intent's examples that name a value. From `exact`, an intent is for exact times; below
 * `vague`, it is not; from `mostly`, its answers are about a value of that kind.
 */
const SHARE = { exact: 0.8, vague: 0.2, mostly: 0.6 };

const plainOf = (text: string): string => parseSpoken(spellOutFigures(text)).plain;
const shareWithTime = ({ examples }: DialogueIntent): number =>
  examples.filter((example) => findSlots(plainOf(example)).includes('time')).length / Math.max(1, examples.length);

const byNode = new WeakMap<DialogueNode, DialogueIntent | null>();

function exactIntentOf(node: DialogueNode): DialogueIntent | null {
  const known = byNode.get(node);
  if (known !== undefined) return known;
  const shares = (node.understanding?.intents ?? []).map((intent) => ({ intent, share: shareWithTime(intent) }));
  const exact = shares.filter(({ share }) => share >= SHARE.exact);
  const areOthersVague = shares.every(({ share }) => share >= SHARE.exact || share < SHARE.vague);
  const intent = exact.length === 1 && areOthersVague ? (exact[0]?.intent ?? null) : null;
  byNode.set(node, intent);
  return intent;
}

/** Null unless the text only names a time, and exactly one intent of the node is about times. */
export const findTimeIntent = (node: DialogueNode, text: string): DialogueIntent | null =>
  node.understanding?.slots.includes('time') === true && isOnlyValue(plainOf(text), ['time'])
    ? exactIntentOf(node)
    : null;

/** Whether most examples of an intent name a value of a kind that the text names, so that the value alone is such an answer. */
export function isAboutValueOf(text: string, { examples }: DialogueIntent): boolean {
  const kinds = findSlots(plainOf(text)).filter((kind) => VALUE_KINDS.has(kind));
  const named = examples.filter((example) => findSlots(plainOf(example)).some((kind) => kinds.includes(kind)));
  return named.length >= examples.length * SHARE.mostly;
}

/** Whether most examples of an intent name a number, with or without a unit. */
export const isAboutNumbers = ({ examples }: DialogueIntent): boolean =>
  examples.filter((example) => findSlots(plainOf(example)).includes('amount')).length >= examples.length * SHARE.mostly;
