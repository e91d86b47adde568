/** Reads turns that name a value which the coach has asked for: with hesitation, in figures, or before a reason. */
import type { DialogueNode } from '@parley/domain';
import { withoutHedges } from '../rules/bare-reply.ts';
import { parseSpoken } from '../rules/spoken-text.ts';
import { mayGiveValue, spellOutFigures } from '../rules/values/figures.ts';
import { proposesValue } from '../rules/values/proposed-value.ts';
import { findSlots, isOnlyValue } from '../rules/values/slots.ts';
import { isAboutNumbers, isAboutValueOf } from '../rules/values/time-intent.ts';
import { probabilityByObjective } from './clauses.ts';
import { type Meaning, withProofsOf } from './meaning.ts';
import type { NodeModels } from './node-models.ts';

const LEADING_VALUE = /^([^,.;!?]+)[,.;]? (?:and|but|if|then|because|so|as)\b/i;

type Read = (node: DialogueNode, text: string) => Meaning;

/** `read` reads a text as it stands. */
export function createValueReader({ weigh, read }: Pick<NodeModels, 'weigh'> & { read: Read }): Read {
  /** A value that the coach asks for counts even when it is named with hesitation. */
  function readHedged(node: DialogueNode, text: string): Meaning {
    const meaning = read(node, text);
    const plain = withoutHedges(text);
    if (plain === text) return meaning;
    const slots = node.understanding?.slots ?? [];
    // "Around 170, I guess" resembles "I don't know", too.
    const isValue = meaning.kind === 'intent' && isOnlyValue(parseSpoken(spellOutFigures(plain)).plain, slots);
    if (meaning.kind !== 'bridge' && !isValue) return meaning;
    const found = findSlots(parseSpoken(plain).plain);
    if (!slots.some((slot) => found.includes(slot))) return meaning;
    const named = read(node, plain);
    return named.kind === 'intent' ? named : meaning;
  }

  /** The examples are spoken sentences, so figures that are not understood as they were typed are read aloud. */
  function readFigures(node: DialogueNode, text: string): Meaning {
    const typed = readHedged(node, text);
    const spelled = spellOutFigures(text);
    const aloud = spelled === text ? typed : readHedged(node, spelled);
    const slots = node.understanding?.slots ?? [];
    const { plain } = parseSpoken(withoutHedges(spelled));
    const isAskedFor = isOnlyValue(plain, slots);
    if (aloud.kind === 'intent') {
      if (typed.kind === 'intent')
        return withProofsOf(
          withProofsOf(typed, aloud),
          isAskedFor && isAboutValueOf(text, typed.intent) ? meaningOfValue(node, text) : aloud,
        );
      const isMissed = typed.kind === 'off' || (typed.kind === 'asks' && proposesValue(text));
      if (isAskedFor || (isMissed && mayGiveValue(plain, slots))) return { ...aloud, words: text };
    }
    if (typed.kind !== 'off') return typed;
    return isAskedFor ? meaningOfValue(node, text) : typed;
  }

  /** A value of the kind that the coach asks for is an answer, however it sounds. */
  function meaningOfValue(node: DialogueNode, text: string): Meaning {
    const { intents, unforeseen, fits } = weigh(node, text);
    const all = intents.map(({ intent, probability }) => ({ intent, probability: probability / Math.max(fits, 1e-6) }));
    const proves = probabilityByObjective(all);
    const [top] = all;
    return top !== undefined && top.probability > unforeseen / Math.max(fits, 1e-6)
      ? { kind: 'intent', intent: top.intent, words: text, proves }
      : { kind: 'bridge', words: text, confidence: 1, proves, act: null };
  }

  /** "178, and I sign today" answers as "178" does, where the coach asks for a sum. */
  function readLeadingValue(node: DialogueNode, text: string): Meaning {
    const meaning = readFigures(node, text);
    const [, value = ''] = meaning.kind === 'bridge' && meaning.act === null ? (LEADING_VALUE.exec(text) ?? []) : [];
    if (value === '' || !isOnlyValue(parseSpoken(spellOutFigures(value)).plain, node.understanding?.slots ?? []))
      return meaning;
    const named = readFigures(node, value);
    if (named.kind !== 'intent') return meaning;
    const isNamed = isAboutValueOf(value, named.intent) || isAboutNumbers(named.intent);
    return isNamed ? { ...named, words: text } : meaning;
  }

  return readLeadingValue;
}
