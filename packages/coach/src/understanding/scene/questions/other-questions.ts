/**
 * Finds answers in a turn to questions of the scene other than the current one: those still to come and those already
 * past.
 */
import type { Dialogue, DialogueIntent, DialogueNode } from '@parley/domain';
import { createReachability } from '../reachable-nodes.ts';
import { findSlots, findTimes, isOnlyValue, onlyValueKinds, VALUE_KINDS } from '../../rules/values/slots.ts';
import { spellOutFigures } from '../../rules/values/figures.ts';
import { isQuestion, parseSpoken, splitClauses } from '../../rules/spoken-text.ts';
import { splitUnmarked } from '../../rules/unmarked-clauses.ts';
import { withoutHedges } from '../../rules/bare-reply.ts';
import { standsAlone } from '../../rules/stands-alone.ts';
import type { SceneProofs } from '../answers/scene-proofs.ts';
import type { SceneProof } from '../scene-turn.ts';
import { type Anticipated, tellsFact } from '../../turn/meaning.ts';
import type { SceneReader } from '../../turn/scene-reader.ts';

/** Something that the coach has not asked for yet counts as told, and proves its objective, if it is this clear. */
const MIN_EARLY_CONFIDENCE = 0.82;
/**
 * Something that the coach will not ask for any more, or would ask for again anyway, proves its objective only beyond
 * doubt.
 */
const MIN_LATE_CONFIDENCE = 0.97;
/** The coach skips its next question if a part of the turn has answered it this clearly, or names a value for it. */
const MIN_NEXT_CONFIDENCE = { part: 0.9, value: 0.82 };
/** Fewer words, such as "My employer" or "I will write", mean something only as an answer to their question. */
const MIN_WORDS = 4;
/** The share of questions among the examples of an intent that asks something itself. */
const ASKING_SHARE = 0.25;

export const asksItself = ({ examples }: DialogueIntent): boolean =>
  examples.filter((example) => example.includes('?')).length > examples.length * ASKING_SHARE;

const canProve = ({ understanding }: DialogueNode, objective: string): boolean =>
  understanding?.intents.some(({ proves }) => proves.some((key) => key === objective)) === true;

export interface OtherQuestions {
  /**
   * Returns what the turn proves, and adds to `told` the facts for which the coach need not ask any more. `own` is what the turn proves as an
   * answer to the current question, and `isAnswer` is false where it answers none. With `onlyQuestions`, a statement answers only a question about a fact.
   */
  read: (
    node: DialogueNode,
    said: string,
    told: Set<string>,
    turn: { own?: readonly SceneProof[]; isAnswer?: boolean; onlyQuestions?: boolean },
  ) => SceneProof[];
  /** Whether the turn sounds like an answer to another question, though not clearly enough to count as one. */
  resemblesAnswer: (node: DialogueNode, said: string) => boolean;
  /** Adds to `told` the facts that an earlier turn has told. */
  recall: (node: DialogueNode | null, said: string, told: Set<string>) => void;
  /** The intent with which the turn has already answered this question as well, and what that proves. */
  answerTo: (
    other: DialogueNode,
    from: { node: DialogueNode; said: string },
  ) => { intent: DialogueIntent; proofs: SceneProof[] } | null;
}

export function createOtherQuestions(
  dialogue: Dialogue,
  reader: SceneReader,
  { prove, proveApology }: Pick<SceneProofs, 'prove' | 'proveApology'>,
): OtherQuestions {
  const canFollow = createReachability(dialogue);
  /** The questions that can be answered out of turn: those about a fact, and those that stand alone. */
  const outOfTurn = new Set(dialogue.nodes.filter((node) => node.learns !== undefined || standsAlone(node)));

  /** A mere value, such as "Fifteen", answers only the one question still to come that asks for its kind. */
  function mayAnswer(node: DialogueNode | null, other: DialogueNode, words: string): boolean {
    const kinds = onlyValueKinds(parseSpoken(words).plain);
    const asks = ({ understanding }: DialogueNode): boolean =>
      understanding?.slots.some((slot) => kinds.includes(slot)) === true;
    const isOpen = (open: DialogueNode): boolean =>
      open === node || (outOfTurn.has(open) && (node === null || canFollow(node.key, open.key)));
    const asking = dialogue.nodes.filter((open) => asks(open) && isOpen(open));
    return kinds.length === 0 || (asking.length === 1 && asking[0] === other);
  }

  /** A turn that does not answer the current question may be no answer at all, so only clear answers count. */
  const minConfidence = (node: DialogueNode | null, { key, learns }: DialogueNode, isAnswer: boolean): number =>
    isAnswer && learns !== undefined && (node === null || canFollow(node.key, key))
      ? MIN_EARLY_CONFIDENCE
      : MIN_LATE_CONFIDENCE;

  const answersCurrent = (node: DialogueNode, words: string): boolean =>
    reader.understand(node.key, words).kind === 'intent';

  function find(
    node: DialogueNode | null,
    other: DialogueNode,
    said: string,
    { isAnswer = true } = {},
  ): Anticipated | null {
    const found = other.key === node?.key ? null : reader.anticipate(other.key, said);
    const isClear = found !== null && found.confidence >= minConfidence(node, other, isAnswer);
    return isClear && mayAnswer(node, other, found.words) ? found : null;
  }

  /** The words name a value that this question asks for, and the current one does not. An opening asks for nothing in particular. */
  function namesValue(other: DialogueNode, node: DialogueNode, words: string): boolean {
    const found = findSlots(parseSpoken(words).plain).filter((slot) => VALUE_KINDS.has(slot));
    const asked = node.key === dialogue.start ? [] : node.understanding?.slots;
    return found.some((slot) => other.understanding?.slots.includes(slot) === true && asked?.includes(slot) !== true);
  }

  /** Whether the current question is answered even without these words. */
  const isSpare = (node: DialogueNode, said: string, words: string): boolean =>
    !answersCurrent(node, words) || answersCurrent(node, said.replace(words, '').trim());

  /** "Next Tuesday around nine": a longer sentence may name a time for another reason. */
  const timesBesideDay = (said: string): string[] =>
    isOnlyValue(parseSpoken(spellOutFigures(withoutHedges(said))).plain, ['date', 'time'])
      ? findTimes(parseSpoken(said).plain)
      : [];

  /** The next question is less likely than others to be answered by chance. */
  function findNextAnswer(other: DialogueNode, node: DialogueNode, said: string): Anticipated | null {
    if (other.learns !== undefined) return null;
    const times = timesBesideDay(said);
    if (!standsAlone(other, { mayRepeat: times.length > 0 })) return null;
    const clearest = [said, ...splitClauses(said), ...splitUnmarked(said), ...times]
      .flatMap((part) => reader.anticipate(other.key, part) ?? [])
      .toSorted((a, b) => b.confidence - a.confidence)
      .find(({ words }) => !isQuestion(words) && (times.includes(words) || mayAnswer(node, other, words)));
    if (clearest === undefined) return null;
    const { words, confidence } = clearest;
    if (confidence >= MIN_NEXT_CONFIDENCE.value && namesValue(other, node, words)) return clearest;
    if (!outOfTurn.has(other)) return null;
    const isPart = words !== said && parseSpoken(words).words.length >= MIN_WORDS;
    return isPart && confidence >= MIN_NEXT_CONFIDENCE.part && isSpare(node, said, words) ? clearest : null;
  }

  /** A question answers only where an author expects one. */
  function findAnswer(other: DialogueNode, node: DialogueNode, said: string): Anticipated | null {
    const found = other.learns === undefined && outOfTurn.has(other) ? find(node, other, said) : null;
    if (found === null || parseSpoken(found.words).words.length < MIN_WORDS) return null;
    return !isQuestion(found.words) || asksItself(found.intent) ? found : null;
  }

  function learnFrom(
    node: DialogueNode | null,
    other: DialogueNode,
    said: string,
    told: Set<string>,
    { isAnswer = true } = {},
  ) {
    if (other.learns === undefined || told.has(other.learns)) return null;
    const found = find(node, other, said, { isAnswer });
    if (found !== null && tellsFact(other, found.intent)) told.add(other.learns);
    return found;
  }

  /**
   * An answer to the current question does not meet an objective of another one, unless the objective also belongs to
   * the current one.
   */
  function proveOther(other: DialogueNode, node: DialogueNode, said: string, own: readonly SceneProof[]) {
    const found = findAnswer(other, node, said);
    if (found === null || own.some(({ words }) => words === found.words)) return null;
    const isUsed = answersCurrent(node, found.words);
    return { ...found, proves: found.intent.proves.filter((key) => !isUsed || canProve(node, key)) };
  }

  return {
    read: (node, said, told, { own = [], isAnswer = true, onlyQuestions = false }) => [
      ...dialogue.nodes.flatMap((other) => {
        const fact = learnFrom(node, other, said, told, { isAnswer });
        if (fact !== null) return prove(other, fact.intent.proves, { said: fact.words, clearest: fact.words });
        const found = proveOther(other, node, said, own);
        if (found === null || (onlyQuestions && !isQuestion(found.words))) return [];
        return prove(other, found.proves, { said: found.words, clearest: found.words });
      }),
      ...(onlyQuestions ? [] : proveApology(said)),
    ],
    resemblesAnswer: (node, said) =>
      dialogue.nodes.some((other) => other !== node && reader.anticipate(other.key, said) !== null),
    recall: (node, said, told) => dialogue.nodes.forEach((other) => void learnFrom(node, other, said, told)),
    answerTo: (other, { node, said }) => {
      const clear = findAnswer(other, node, said);
      const found = clear !== null && !answersCurrent(node, clear.words) ? clear : findNextAnswer(other, node, said);
      if (found === null) return null;
      const { intent, words } = found;
      return { intent, proofs: prove(other, intent.proves, { said: words, clearest: words }) };
    },
  };
}
