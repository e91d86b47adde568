/** Converts a practice's script, as authors write it, to the dialogue that the guided coach follows, and back. */
import {
  type Dialogue,
  type DialogueNode,
  type DialogueReply,
  PRACTICE_DIFFICULTIES,
  type PracticeDifficulty,
  type PracticeDocument,
  type PracticeScript,
  type ScriptNode,
  type ScriptReply,
} from '@parley/domain';
import { parseMarkedSentence } from './marked-sentence.ts';

type Objectives = PracticeDocument['objectives'];

/** The result is not validated: an incomplete script makes an invalid dialogue. */
export function scriptToDialogue(script: PracticeScript, objectives: Objectives): DraftDialogue {
  return {
    start: script.start,
    topic: script.topic,
    facts: script.facts.map(({ key, answer, asks }) => ({ key, answer, asks })),
    proofs: Object.fromEntries(objectives.flatMap(({ key, needs }) => (needs === null ? [] : [[key, needs]]))),
    nodes: script.nodes.map(({ key, say, rephrase, replies, isEnd, learns, onKnown, understanding }) => ({
      key,
      say,
      rephrase,
      replies: byDifficulty((difficulty) =>
        (isEnd ? [] : replies).map((reply) => ({
          ...parseMarkedSentence(reply[difficulty]),
          next: reply.to[difficulty],
          keyword: reply.hint,
        })),
      ),
      ...(learns !== null && { learns }),
      ...(onKnown !== null && { onKnown }),
      ...(understanding !== null && {
        understanding: {
          ...understanding,
          intents: understanding.intents.map(({ to, ...intent }) => ({ ...intent, next: to })),
        },
      }),
    })),
  };
}

/** A dialogue whose keys have not been checked. */
export type DraftDialogue = Unbranded<Dialogue>;
type Unbranded<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? Unbranded<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Unbranded<Value[Key]> }
      : Value;

export function dialogueToScript({ start, topic = [], facts = [], nodes }: Dialogue): PracticeScript {
  return {
    start,
    topic: [...topic],
    facts: facts.map(({ key, answer, asks }) => ({ key, answer, asks: [...asks] })),
    nodes: nodes.map(nodeToScript),
  };
}

function nodeToScript({ key, say, rephrase, replies, learns, onKnown, understanding }: DialogueNode): ScriptNode {
  const count = Math.max(...PRACTICE_DIFFICULTIES.map((difficulty) => replies[difficulty].length));
  return {
    key,
    say: { ...say },
    rephrase: [...rephrase],
    replies: Array.from({ length: count }, (_, index) =>
      toScriptReply(byDifficulty((difficulty) => replies[difficulty][index])),
    ),
    isEnd: count === 0,
    learns: learns ?? null,
    onKnown: onKnown ?? null,
    understanding:
      understanding === undefined
        ? null
        : {
            ...understanding,
            intents: understanding.intents.map(({ key: intent, next, proves, tells, reactions, examples }) => ({
              key: intent,
              to: next,
              proves,
              tells,
              reactions,
              examples,
            })),
          },
  };
}

function toScriptReply(reply: Record<PracticeDifficulty, DialogueReply | undefined>): ScriptReply {
  const { easy, intermediate, hard } = reply;
  return {
    to: byDifficulty((difficulty) => reply[difficulty]?.next ?? ''),
    hint: (intermediate ?? easy ?? hard)?.keyword ?? '',
    ...byDifficulty((difficulty) => markProofs(reply[difficulty])),
  };
}

function markProofs(reply: DialogueReply | undefined): string {
  if (reply === undefined) return '';
  let marked = reply.text;
  for (const { objective, words } of reply.proves) {
    const at = marked.toLowerCase().indexOf(words.toLowerCase());
    if (at === -1) continue;
    const end = at + words.length;
    marked = `${marked.slice(0, at)}[${marked.slice(at, end)}](${objective})${marked.slice(end)}`;
  }
  return marked;
}

export const byDifficulty = <Value>(
  make: (difficulty: PracticeDifficulty) => Value,
): Record<PracticeDifficulty, Value> => ({
  easy: make('easy'),
  intermediate: make('intermediate'),
  hard: make('hard'),
});
