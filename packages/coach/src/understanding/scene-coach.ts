/**
 * Plays the coach's role in a scene: understands a turn at the current node, reacts in character, and continues. It never loops: turns that
 * do not advance the scene get varied answers, and after a few of them the coach moves on.
 */
import type { Dialogue, DialogueNode, DialogueReply, PracticeDifficulty } from '@parley/domain';
import { fillSlots } from './rules/fill-slots.ts';
import {
  NOT_ENGLISH,
  NOT_UNDERSTOOD,
  REDIRECTS,
  SKIP_PHRASES,
  SUGGESTION,
  TURNED_BACK,
  UNANSWERED,
} from './coach-phrases.ts';
import { createReachability } from './reachable-nodes.ts';
import { replyToAct } from './reply-to-act.ts';
import type { SharedActs } from './shared-acts.ts';
import { ABOUT_SCENE, factOfAct, HELP } from './look-around.ts';
import {
  EMPTY_MEMORY,
  type EarlierAnswer,
  type SceneAnswer,
  type SceneCoach,
  type SceneMemory,
  type SceneProof,
  type SceneTurn,
} from './scene-turn.ts';
import { readTurn } from './read-turn.ts';
import { withoutSelfCorrections } from './rules/self-corrections.ts';
import { MAX_READ_CHARACTERS, type Meaning, type SceneReader } from './understand-turn.ts';

export interface SceneCast {
  shared: SharedActs;
  reader: SceneReader;
  coachName: string;
  /** What the coach says when it heard nothing; neutral phrases when absent. */
  reassure?: readonly string[];
  /** Words that the practice explains. */
  words?: readonly { word: string; meaning: string }[];
  /** Varies the phrases between sessions. */
  seed: number;
}

type AnswerMeaning = Extract<Meaning, { kind: 'intent' | 'bridge' }>;

/** After this many off-topic turns the coach suggests a reply, and after one more it moves on. */
const MAX_OFF_TOPIC_TURNS = 2;
const MAX_TURNS_AT_NODE = 4;
const MAX_VARIATIONS = 3;
/**
 * An objective is ticked when the intents that prove it are together at least this likely. Less is enough when it has a pattern that the words
 * match, and when something unforeseen is the likelier meaning.
 */
const MIN_OBJECTIVE_CONFIDENCE = { intent: 0.6, bridge: 0.4 };
const MIN_CONFIDENCE_WITH_PATTERN = { intent: 0.45, bridge: 0.3 };
const MIN_BRIDGE_CONFIDENCE = 0.65;
/** What the coach has not asked for yet is taken as told, and proves its objective, when it is this clear. */
const MIN_EARLY_CONFIDENCE = 0.82;
/** What the coach will not ask for any more proves something only when it is beyond doubt. */
const MIN_LATE_CONFIDENCE = 0.97;

export function createSceneCoach(dialogue: Dialogue, cast: SceneCast): SceneCoach {
  const { reader } = cast;
  const seed = Math.abs(Math.trunc(cast.seed));
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const proofs = new Map(Object.entries(dialogue.proofs ?? {}).map(([key, needs]) => [key, new RegExp(needs, 'i')]));
  const canFollow = createReachability(dialogue);
  const fillCoachName = (text: string): string => text.replaceAll('{coach}', cast.coachName);

  function matches(node: DialogueNode, key: string, words: string): boolean {
    const pattern = proofs.get(key);
    const { told, polite } = reader.provableWords(node.key, key, words.replaceAll(/[’ʼ]/g, "'"));
    if (pattern === undefined) return told !== '';
    return pattern.test(told) || polite.some((word) => pattern.test(word));
  }
  /** A proof quotes the clearest part of a turn, or all of it when a required phrase is elsewhere in the turn. */
  const provenObjectives = (
    node: DialogueNode,
    keys: readonly string[],
    { said, clearest }: { said: string; clearest: string },
  ): SceneProof[] =>
    keys
      .filter((objective) => matches(node, objective, said))
      .map((objective) => ({ objective, words: matches(node, objective, clearest) ? clearest : said }));

  /** Without a pattern, only an answer that belongs here rather than to another node may prove something that no one foresaw. */
  const mayBridgeProve =
    ({ confidence }: { confidence: number }) =>
    (objective: string): boolean =>
      proofs.has(objective) || confidence > MIN_BRIDGE_CONFIDENCE;

  function likelyObjectives(node: DialogueNode, meaning: AnswerMeaning): string[] {
    const minimumFor = (objective: string): number =>
      (proofs.has(objective) ? MIN_CONFIDENCE_WITH_PATTERN : MIN_OBJECTIVE_CONFIDENCE)[meaning.kind];
    const likely = [...meaning.proves].flatMap(([objective, probability]) =>
      probability >= minimumFor(objective) ? objective : [],
    );
    if (meaning.kind === 'intent') return likely;
    return [...new Set([...likely, ...(node.understanding?.bridgeProves ?? []).filter(mayBridgeProve(meaning))])];
  }

  function answer(turn: SceneTurn): SceneAnswer {
    const first = answerWithVariation(turn, 0);
    if (first.coach !== turn.lastLine) return first;
    const others = Array.from({ length: MAX_VARIATIONS }, (_, index) => answerWithVariation(turn, index + 1));
    return others.find(({ coach }) => coach !== turn.lastLine) ?? first;
  }

  /** Each variation picks other phrases for the same answer. */
  function answerWithVariation(
    { node: key, difficulty, said: all, memory = EMPTY_MEMORY }: SceneTurn,
    variation: number,
  ): SceneAnswer {
    const node = nodes.get(key);
    if (node === undefined) throw new Error(`the scene has no node "${key}"`);
    const corrected = withoutSelfCorrections(all.slice(0, MAX_READ_CHARACTERS));
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
    const stay = (kind: 'asks' | 'off', text: string): SceneAnswer => ({
      reply: null,
      kind,
      objectives: [],
      proofs: [],
      coach: fillCoachName(text),
      hasEnded: false,
      memory: {
        ...memory,
        turnsAtNode: memory.turnsAtNode + 1,
        offTopicTurns: memory.offTopicTurns + (kind === 'off' ? 1 : 0),
      },
    });

    if (expected !== undefined) return followReply(node, expected, { difficulty, said, memory }, meaning, pick);
    if (meaning.kind === 'intent' || meaning.kind === 'bridge')
      return advance(node, { difficulty, said, memory }, { meaning, aside }, pick);
    const isStuck =
      memory.turnsAtNode >= MAX_TURNS_AT_NODE ||
      (meaning.kind !== 'asks' && memory.offTopicTurns > MAX_OFF_TOPIC_TURNS);
    if (isStuck) return skipAhead(node, { difficulty, said, memory }, pick);
    if (meaning.kind === 'declined') {
      const skipped = skipAhead(node, { difficulty, said, memory }, pick, 'asks');
      if (!skipped.hasEnded) return skipped;
    }
    const act = meaning.kind === 'declined' ? HELP : meaning.kind === 'asks' ? meaning.act : null;
    if (act !== null)
      return stay(
        'asks',
        replyToAct(
          { line: fillSlots(node.say[difficulty], ''), simple: rephrased(node, memory.turnsAtNode), said },
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
      meaning.kind !== 'unheard' ? REDIRECTS : meaning.isForeign ? NOT_ENGLISH : (cast.reassure ?? NOT_UNDERSTOOD);
    return stay('off', `${pick(opening, 0)} ${rephrased(node, memory.offTopicTurns)}`);
  }

  type Turn = Required<Pick<SceneTurn, 'difficulty' | 'said' | 'memory'>>;
  type Choose = (phrases: readonly string[], salt: number) => string;

  function advance(
    node: DialogueNode,
    { difficulty, said, memory }: Turn,
    { meaning, aside }: { meaning: AnswerMeaning; aside: string },
    pick: Choose,
  ): SceneAnswer {
    const understanding = node.understanding;
    const own = provenObjectives(node, likelyObjectives(node, meaning), { said, clearest: meaning.words });
    const next =
      meaning.kind === 'intent' ? meaning.intent.next[difficulty] : (understanding?.bridge[difficulty] ?? node.key);
    const told = toldBy(node, meaning, { known: memory.knownFacts, next });
    const reactions = reactionsTo(meaning, understanding?.reactions ?? []);
    return moveOn(node, { difficulty, said, memory }, { next, told, reactions, own, aside, kind: meaning.kind }, pick);
  }

  /** A question about the scene is answered before the coach goes on. */
  function reactionsTo(meaning: AnswerMeaning, ofNode: readonly string[]): readonly string[] {
    if (meaning.kind === 'intent') return meaning.intent.reactions.length > 0 ? meaning.intent.reactions : ofNode;
    if (meaning.act === ABOUT_SCENE) return UNANSWERED;
    const asked = meaning.act === null ? null : factOfAct(meaning.act);
    const fact = dialogue.facts?.find(({ key }) => key === asked);
    return fact === undefined ? ofNode : [fact.answer];
  }

  /** A model reply that was said word for word leads where its author meant it to. */
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
    const alsoProved = isSame
      ? provenObjectives(node, answered.intent.proves, { said: turn.said, clearest: answered.words })
      : [];
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
    const { told, reactions } = move;
    const proven = new Map<string, SceneProof>();
    for (const proof of [...move.own, ...findEarlyFacts(node, said, told)])
      if (!proven.has(proof.objective)) proven.set(proof.objective, proof);
    const target = skipKnown(move.next, told);
    const isSameNode = target === node.key;
    return {
      ...utteranceAt(
        target,
        difficulty,
        said,
        `${pick(reactions, said.length)} ${asideBefore(target, move.aside)}`.trim(),
      ),
      kind: move.kind,
      objectives: [...proven.keys()],
      proofs: [...proven.values()],
      memory: {
        knownFacts: told,
        turnsAtNode: isSameNode ? memory.turnsAtNode + 1 : 0,
        offTopicTurns: isSameNode ? memory.offTopicTurns : 0,
      },
    };
  }

  /** Nothing is turned back where the coach tells of itself next anyway. */
  const asideBefore = (next: string, aside: string): string =>
    TURNED_BACK.includes(aside) && /^(?:as for me|me\b|i\b)/i.test(nodes.get(next)?.say.easy ?? '') ? '' : aside;

  /** An answer that leads to a node which asks for the same fact, such as "I don't know", has not told it. */
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
      const said = withoutSelfCorrections(all.slice(0, MAX_READ_CHARACTERS));
      const node = key === null ? null : nodes.get(key);
      if (node === undefined) continue;
      if (key === null || node === null) {
        const told = new Set(memory.knownFacts);
        if (fitted) findEarlyFacts(null, said, told);
        memory = { ...EMPTY_MEMORY, knownFacts: told };
        continue;
      }
      const { turnsAtNode, offTopicTurns } = memory;
      const isSameNode = next === key;
      const told = new Set(memory.knownFacts);
      if (fitted && !isSameNode) {
        const reading = { node, difficulty: 'easy', dialogue, reader, shared: cast.shared, pick: () => '' } as const;
        const { meaning } = readTurn(said, reading);
        const answered = meaning.kind === 'intent' || meaning.kind === 'bridge' ? meaning : null;
        toldBy(node, answered, { known: told, next: next ?? key }).forEach((fact) => told.add(fact));
        findEarlyFacts(node, said, told);
      }
      memory = {
        knownFacts: told,
        turnsAtNode: isSameNode ? turnsAtNode + 1 : 0,
        offTopicTurns: isSameNode ? offTopicTurns + (fitted ? 0 : 1) : 0,
      };
    }
    return memory;
  }

  /** Finds information given before it was asked for: the coach will not ask for it again, and it may prove an objective. */
  function findEarlyFacts(node: DialogueNode | null, said: string, told: Set<string>): SceneProof[] {
    return dialogue.nodes.flatMap((other) => {
      if (other.key === node?.key || other.learns === undefined || told.has(other.learns)) return [];
      const early = reader.anticipate(other.key, said);
      const isAhead = node === null || canFollow(node.key, other.key);
      if (early === null || early.confidence < (isAhead ? MIN_EARLY_CONFIDENCE : MIN_LATE_CONFIDENCE)) return [];
      told.add(other.learns);
      return provenObjectives(other, early.intent.proves, { said: early.words, clearest: early.words });
    });
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
    const line = fillSlots(node?.say[difficulty] ?? '', said);
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
      objectives: [],
      proofs: [],
      memory: { knownFacts: memory.knownFacts, turnsAtNode: 0, offTopicTurns: 0 },
    };
  }

  const ask = (key: string, difficulty: PracticeDifficulty): string =>
    fillCoachName(fillSlots(nodes.get(key)?.say[difficulty] ?? '', ''));
  const rephrased = ({ rephrase, say }: DialogueNode, misses: number): string =>
    rephrase[misses % Math.max(1, rephrase.length)] ?? say.easy;
  const exampleReply = ({ replies }: DialogueNode, difficulty: PracticeDifficulty): string =>
    replies[difficulty][0]?.text ?? '';

  return {
    open: (difficulty) => ask(dialogue.start, difficulty),
    ask,
    answer,
    recall,
    fillCoachName,
  };
}
