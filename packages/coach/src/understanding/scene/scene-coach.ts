/**
 * Plays the coach's role in a scene: understands a turn at the current node, reacts in character, and continues. It never loops: turns that
 * do not advance the scene get varied answers, and after a few of them the coach moves on.
 */
import type { Dialogue, DialogueNode, DialogueReply, PracticeDifficulty } from '@parley/domain';
import { fillSlots } from '../rules/values/fill-slots.ts';
import {
  ACKNOWLEDGEMENTS,
  NOT_ENGLISH,
  NOT_UNDERSTOOD,
  REDIRECTS,
  REMEMBERED,
  SKIP_PHRASES,
  SUGGESTION,
  repliesWithoutQuestion,
} from './coach-phrases.ts';
import { withoutAcknowledgement, withoutGreeting } from './acknowledgement.ts';
import { asksSomething } from '../rules/bare-reply.ts';
import { type AnswerMeaning, createSceneProofs, proven } from './answers/scene-proofs.ts';
import { createOtherQuestions } from './questions/other-questions.ts';
import { replyToAct } from './questions/reply-to-act.ts';
import type { SharedActs } from '../classification/shared-acts.ts';
import { HELP } from '../rules/questions/fixed-questions.ts';
import { factOfAct, isAboutScene, TOLD } from '../turn/look-around.ts';
import {
  EMPTY_MEMORY,
  type EarlierAnswer,
  type SceneAnswer,
  type SceneCoach,
  type SceneMemory,
  type SceneProof,
  type SceneTurn,
} from './scene-turn.ts';
import { asideBefore, isAnsweredBy } from './asides.ts';
import { asWritten } from './as-written.ts';
import { exampleReply, rephrased } from './lines-of-node.ts';
import { readTurn, repliesToUnknown } from './read-turn.ts';
import { isQuestion, lastQuestion } from '../rules/spoken-text.ts';
import type { Meaning } from '../turn/meaning.ts';
import type { SceneReader } from '../turn/scene-reader.ts';

export interface SceneCast {
  shared: SharedActs;
  reader: SceneReader;
  coachName: string;
  /** The coach's phrases for a turn without words; neutral ones when absent. */
  reassure?: readonly string[];
  /** Words that the practice explains. */
  words?: readonly { word: string; meaning: string }[];
  /** Varies the phrases between sessions. */
  seed: number;
}

/** After this many off-topic turns the coach suggests a reply, and after one more it moves on. */
const MAX_OFF_TOPIC_TURNS = 2;
const MAX_TURNS_AT_NODE = 4;
const MAX_VARIATIONS = 3;

export function createSceneCoach(dialogue: Dialogue, cast: SceneCast): SceneCoach {
  const { reader } = cast;
  const seed = Math.abs(Math.trunc(cast.seed));
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const { prove, proveApology, likelyObjectives } = createSceneProofs(dialogue, reader);
  const others = createOtherQuestions(dialogue, reader, { prove, proveApology });
  const fillCoachName = (text: string): string => text.replaceAll('{coach}', cast.coachName);

  function answer(turn: SceneTurn): SceneAnswer {
    const first = answerWithVariation(turn, 0);
    if (first.coach !== turn.lastLine) return first;
    const variations = Array.from({ length: MAX_VARIATIONS }, (_, index) => answerWithVariation(turn, index + 1));
    return variations.find(({ coach }) => coach !== turn.lastLine) ?? first;
  }

  /** Each variation picks other phrases for the same answer. */
  function answerWithVariation(
    { node: key, difficulty, said: all, memory = EMPTY_MEMORY }: SceneTurn,
    variation: number,
  ): SceneAnswer {
    const node = nodes.get(key);
    if (node === undefined) throw new Error(`the scene has no node "${key}"`);
    const corrected = asWritten(all);
    if (node.understanding === undefined) return endAt(node, { difficulty, said: corrected, memory });
    const expected = node.replies[difficulty].find(({ text }) => fillCoachName(text) === all);
    const pick = (phrases: readonly string[], salt: number): string =>
      phrases[(seed + memory.turnsAtNode + memory.knownFacts.size + salt + variation) % Math.max(1, phrases.length)] ??
      '';
    const { said, meaning, aside } = readTurn(corrected, {
      node,
      difficulty,
      dialogue,
      reader,
      shared: cast.shared,
      pick: (phrases) => pick(phrases, corrected.length),
    });
    if (expected !== undefined) return followReply(node, expected, { difficulty, said, memory }, meaning, pick);
    if (meaning.kind === 'intent' || meaning.kind === 'bridge')
      return advance(node, { difficulty, said, memory }, { meaning, aside }, pick);
    const { proofs, told } = answersElsewhere(node, said, meaning, memory.knownFacts);
    const remembered = { ...memory, knownFacts: told };
    const stay = (kind: 'bridge' | 'asks' | 'off', text: string): SceneAnswer => ({
      reply: null,
      kind,
      ...proven(proofs),
      coach: fillCoachName(text),
      hasEnded: false,
      memory: {
        ...remembered,
        turnsAtNode: memory.turnsAtNode + 1,
        offTopicTurns: memory.offTopicTurns + (kind === 'off' ? 1 : 0),
      },
    });
    const release = meaning.kind === 'asks' ? repliesWithoutQuestion(meaning.act, memory) : undefined;
    if (release !== undefined) return stay('asks', pick(release, 0));
    const isStuck =
      memory.turnsAtNode >= MAX_TURNS_AT_NODE ||
      (meaning.kind !== 'asks' && memory.offTopicTurns > MAX_OFF_TOPIC_TURNS);
    if (isStuck) return { ...skipAhead(node, { difficulty, said, memory: remembered }, pick), ...proven(proofs) };
    if ((proofs.length > 0 || told.size > memory.knownFacts.size) && !isQuestion(said))
      return stay('bridge', `${pick(REMEMBERED, 0)} ${rephrased(node, memory.turnsAtNode)}`);
    if (meaning.kind === 'declined') {
      const skipped = skipAhead(node, { difficulty, said, memory }, pick, 'asks');
      if (!skipped.hasEnded) return skipped;
    }
    const act = meaning.kind === 'declined' ? HELP : meaning.kind === 'asks' ? meaning.act : null;
    if (act !== null)
      return stay(
        'asks',
        replyToAct(
          {
            line: withoutAcknowledgement(withoutGreeting(fillSlots(node.say[difficulty], ''))),
            simple: rephrased(node, memory.turnsAtNode),
            said,
          },
          act,
          {
            node,
            dialogue,
            cast,
            pick: (phrases) => pick(phrases, act.length),
            restates: memory.turnsAtNode % 2 === 0,
          },
        ),
      );
    if (memory.offTopicTurns >= MAX_OFF_TOPIC_TURNS)
      return stay('off', `${pick(REDIRECTS, 0)} ${SUGGESTION} “${exampleReply(node, difficulty)}”`);
    const opening =
      meaning.kind !== 'unheard'
        ? others.resemblesAnswer(node, said)
          ? ACKNOWLEDGEMENTS
          : REDIRECTS
        : meaning.isForeign
          ? NOT_ENGLISH
          : (cast.reassure ?? NOT_UNDERSTOOD);
    return stay('off', `${pick(opening, 0)} ${rephrased(node, memory.offTopicTurns)}`);
  }

  /**
   * Answers to other questions in a turn that does not answer the current one. A question about the scene may only ask
   * for something.
   */
  function answersElsewhere(
    node: DialogueNode,
    said: string,
    meaning: Meaning,
    known: ReadonlySet<string>,
  ): { proofs: SceneProof[]; told: Set<string> } {
    const told = new Set(known);
    const isRemark = meaning.kind === 'asks' && !isAboutScene(meaning.act) && meaning.act !== TOLD;
    if (isRemark || meaning.kind === 'declined' || meaning.kind === 'unheard') return { proofs: [], told };
    return {
      proofs: others.read(node, said, told, {
        isAnswer: false,
        onlyQuestions: meaning.kind === 'asks' && meaning.act !== TOLD,
      }),
      told,
    };
  }

  type Turn = Required<Pick<SceneTurn, 'difficulty' | 'said' | 'memory'>>;
  type Choose = (phrases: readonly string[], salt: number) => string;

  function advance(
    node: DialogueNode,
    { difficulty, said, memory }: Turn,
    { meaning, aside }: { meaning: AnswerMeaning; aside: string },
    pick: Choose,
  ): SceneAnswer {
    const own = prove(node, likelyObjectives(node, meaning), { said, clearest: meaning.words });
    const next =
      meaning.kind === 'intent'
        ? meaning.intent.next[difficulty]
        : (node.understanding?.bridge[difficulty] ?? node.key);
    const told = toldBy(node, meaning, { known: memory.knownFacts, next });
    const reactions = reactionsTo(meaning, said, node.understanding?.reactions ?? []);
    return moveOn(node, { difficulty, said, memory }, { next, told, reactions, own, aside, kind: meaning.kind }, pick);
  }

  /** A question about the scene is answered before the coach goes on. */
  function reactionsTo(meaning: AnswerMeaning, said: string, ofNode: readonly string[]): readonly string[] {
    if (meaning.kind === 'intent') return meaning.intent.reactions.length > 0 ? meaning.intent.reactions : ofNode;
    if (meaning.act === null) return ofNode;
    const asked = factOfAct(meaning.act);
    if (asked === null) return repliesToUnknown(lastQuestion(said));
    const fact = dialogue.facts?.find(({ key }) => key === asked);
    return fact === undefined ? ofNode : [fact.answer];
  }

  /** A model reply that was repeated word for word leads where its author intended. */
  function followReply(
    node: DialogueNode,
    { next, proves }: DialogueReply,
    turn: Turn,
    meaning: Meaning,
    pick: Choose,
  ): SceneAnswer {
    const answered = meaning.kind === 'intent' || meaning.kind === 'bridge' ? meaning : null;
    const told = toldBy(node, answered, { known: turn.memory.knownFacts, next });
    const isSame = answered?.kind === 'intent' && answered.intent.next[turn.difficulty] === next;
    const alsoProved = isSame ? prove(node, answered.intent.proves, { said: turn.said, clearest: answered.words }) : [];
    const reactions = isSame ? answered.intent.reactions : [];
    return moveOn(
      node,
      turn,
      { next, told, reactions, own: [...proves, ...alsoProved], aside: '', kind: 'intent' },
      pick,
    );
  }

  function moveOn(
    node: DialogueNode,
    { difficulty, said, memory }: Turn,
    move: {
      next: string;
      told: Set<string>;
      reactions: readonly string[];
      own: readonly SceneProof[];
      /** How the coach reacts to a question that comes with an answer. */
      aside: string;
      kind: 'intent' | 'bridge';
    },
    pick: Choose,
  ): SceneAnswer {
    const { told } = move;
    const found = others.read(node, said, told, { own: move.own });
    const { target, reactions, also } = skipAnswered(skipKnown(move.next, told), { node, difficulty, said }, move);
    const isSameNode = target === node.key;
    const next = nodes.get(target)?.say[difficulty] ?? '';
    const isTold = isAnsweredBy(next, { said, reactions });
    const reaction = pick(isTold ? (node.understanding?.reactions ?? []) : reactions, said.length);
    const aside = asideBefore(nodes.get(target), { aside: move.aside, difficulty, said, reaction });
    return {
      ...utteranceAt(target, difficulty, said, `${reaction} ${aside}`.trim()),
      kind: move.kind,
      ...proven([...move.own, ...found, ...also]),
      memory: {
        knownFacts: told,
        turnsAtNode: isSameNode ? memory.turnsAtNode + 1 : 0,
        offTopicTurns: isSameNode ? memory.offTopicTurns : 0,
      },
    };
  }

  /** The coach does not ask for what the same turn has already answered. */
  function skipAnswered(
    target: string,
    { node, difficulty, said }: { node: DialogueNode; difficulty: PracticeDifficulty; said: string },
    { reactions, kind }: { reactions: readonly string[]; kind: 'intent' | 'bridge' },
  ): { target: string; reactions: readonly string[]; also: SceneProof[] } {
    const asked = nodes.get(target);
    const isQuestionToSkip = asked !== undefined && asked !== node && asksSomething(asked);
    const answered = isQuestionToSkip ? others.answerTo(asked, { node, said }) : null;
    const next = nodes.get(answered?.intent.next[difficulty] ?? target);
    if (answered === null || next === undefined || next === node) return { target, reactions, also: [] };
    const { intent, proofs } = answered;
    return { target: next.key, reactions: kind === 'intent' ? reactions : intent.reactions, also: proofs };
  }

  /** An answer that leads to a node which asks for the same fact, such as "I don't know", does not tell that fact. */
  function toldBy(
    node: DialogueNode,
    meaning: AnswerMeaning | null,
    { known, next }: { known: ReadonlySet<string>; next: string },
  ): Set<string> {
    const told = new Set(known);
    if (node.learns !== undefined && (next === node.key || nodes.get(next)?.learns !== node.learns))
      told.add(node.learns);
    if (meaning?.kind === 'intent') for (const fact of meaning.intent.tells) told.add(fact);
    return told;
  }

  function recall(earlier: readonly EarlierAnswer[]): SceneMemory {
    let memory = EMPTY_MEMORY;
    for (const { node: key, next, said: all, fitted } of earlier) {
      const said = asWritten(all);
      const node = key === null ? null : nodes.get(key);
      if (node === undefined) continue;
      if (key === null || node === null) {
        const told = new Set(memory.knownFacts);
        if (fitted) others.recall(null, said, told);
        memory = { ...EMPTY_MEMORY, knownFacts: told };
        continue;
      }
      const { turnsAtNode, offTopicTurns } = memory;
      const isSameNode = next === key;
      const told = new Set(memory.knownFacts);
      if (fitted) {
        const reading = { node, difficulty: 'easy', dialogue, reader, shared: cast.shared, pick: () => '' } as const;
        const { meaning } = readTurn(said, reading);
        const answered = meaning.kind === 'intent' || meaning.kind === 'bridge' ? meaning : null;
        if (isSameNode && answered === null)
          answersElsewhere(node, said, meaning, told).told.forEach((fact) => told.add(fact));
        if (!isSameNode) {
          toldBy(node, answered, { known: told, next: next ?? key }).forEach((fact) => told.add(fact));
          others.recall(node, said, told);
        }
      }
      memory = {
        knownFacts: told,
        turnsAtNode: isSameNode ? turnsAtNode + 1 : 0,
        offTopicTurns: isSameNode ? offTopicTurns + (fitted ? 0 : 1) : 0,
      };
    }
    return memory;
  }

  function skipKnown(key: string, told: ReadonlySet<string>): string {
    let at = key;
    for (let steps = 0; steps < dialogue.nodes.length; steps += 1) {
      const node = nodes.get(at);
      if (node?.learns === undefined || node.onKnown === undefined || !told.has(node.learns)) return at;
      at = node.onKnown;
    }
    return at;
  }

  function utteranceAt(key: string, difficulty: PracticeDifficulty, said: string, before: string) {
    const node = nodes.get(key);
    const all = fillSlots(node?.say[difficulty] ?? '', said);
    // A reaction has acknowledged the answer already.
    const line = before === '' ? all : withoutAcknowledgement(all);
    return {
      reply: key,
      coach: fillCoachName(`${before} ${line}`.trim()),
      hasEnded: node === undefined || node.replies[difficulty].length === 0,
    };
  }

  /** A node without intents is an ending, perhaps of a scene that was rewritten since the session began. */
  const endAt = (node: DialogueNode, { difficulty, said, memory }: Turn): SceneAnswer => ({
    ...utteranceAt(node.key, difficulty, said, ''),
    kind: 'bridge',
    objectives: [],
    proofs: [],
    memory,
  });

  function skipAhead(
    node: DialogueNode,
    { difficulty, said, memory }: Turn,
    pick: Choose,
    kind: 'asks' | 'off' = 'off',
  ): SceneAnswer {
    const next = skipKnown(node.understanding?.bridge[difficulty] ?? node.key, memory.knownFacts);
    return {
      ...utteranceAt(next, difficulty, said, pick(SKIP_PHRASES, 0)),
      kind,
      ...proven([]),
      memory: { knownFacts: memory.knownFacts, turnsAtNode: 0, offTopicTurns: 0 },
    };
  }

  const ask = (key: string, difficulty: PracticeDifficulty): string =>
    fillCoachName(fillSlots(nodes.get(key)?.say[difficulty] ?? '', ''));

  return {
    open: (difficulty) => ask(dialogue.start, difficulty),
    ask,
    answer,
    recall,
  };
}
