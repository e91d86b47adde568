/**
 * Plays the other person of a scene: understands a turn where the coach waits, reacts as the role would, and goes on. Nothing loops: what does
 * not move the scene on is answered differently each time, and after a few such turns the coach moves on by itself.
 */
import type { Dialogue, DialogueNode, PracticeDifficulty, SlotKind } from '@parley/domain';
import { factAsked } from './acts.ts';
import type { SharedActs } from './shared-acts.ts';
import { slotsIn, slotValue } from './slots.ts';
import { readSpoken } from './spoken-text.ts';
import { createSceneReader, type Meaning } from './understand-turn.ts';
import type { TalkOdds } from './work-talk.ts';

export interface SceneTurn {
  /** Where the coach waits. */
  node: string;
  difficulty: PracticeDifficulty;
  said: string;
  /** What the learner has told before. */
  memory?: SceneMemory;
}

export interface SceneMemory {
  /** Facts that the coach need not ask for. */
  told: ReadonlySet<string>;
  /** Turns since the coach came to this node that were no answer: all of them, and those that belonged nowhere. */
  stays: number;
  strays: number;
}

export const NO_MEMORY: SceneMemory = { told: new Set(), stays: 0, strays: 0 };

export interface SceneAnswer {
  /** Where the coach goes; null when it stays. */
  reply: string | null;
  kind: 'intent' | 'bridge' | 'asks' | 'off';
  /** Keys of the objectives that the turn proves. */
  objectives: string[];
  coach: string;
  hasEnded: boolean;
  memory: SceneMemory;
}

export interface SceneCoach {
  open: (difficulty: PracticeDifficulty) => string;
  answer: (turn: SceneTurn) => SceneAnswer;
}

export interface SceneCast {
  shared: SharedActs;
  workTalk: (text: string) => TalkOdds;
  coachName: string;
  /** Varies the phrases from session to session. */
  seed: number;
}

/** After so many turns that belonged nowhere the coach offers a way on, and after one more it moves on. */
const MOST_STRAYS = 2;
const MOST_STAYS = 4;
/** An objective is not ticked by an intent that is less sure. */
const TICK_FROM = 0.45;

const REDIRECTS = [
  "Let's come back to this.",
  "I'd like to stay with our topic.",
  'Maybe another time. Back to my question:',
  "I'm not sure how that fits.",
  'All right, but let me ask you again.',
];
const UNHEARD = ["Sorry, I didn't catch that.", "I'm afraid I didn't hear you.", 'Could you say that once more?'];
const NOT_ENGLISH = [
  'Sorry, I only speak English here. Try it in a few simple words.',
  "Let's stay in English. A short answer is fine.",
];
const WAY_ON = 'You could say something like this:';
const MOVING_ON = ["Let's leave that for now.", "All right, let's go on.", 'We can come back to that.'];

export function createSceneCoach(dialogue: Dialogue, cast: SceneCast): SceneCoach {
  const reader = createSceneReader(dialogue, cast.shared, cast.workTalk);
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const proofs = new Map(Object.entries(dialogue.proofs ?? {}).map(([key, needs]) => [key, new RegExp(needs, 'i')]));
  const fill = (text: string): string => text.replaceAll('{coach}', cast.coachName);

  const proven = (keys: readonly string[], words: string): string[] =>
    keys.filter((key) => proofs.get(key)?.test(words.replaceAll(/[’ʼ]/g, "'")) ?? true);

  function answer({ node: key, difficulty, said, memory = NO_MEMORY }: SceneTurn): SceneAnswer {
    const node = nodes.get(key);
    if (node === undefined) throw new Error(`the scene has no node "${key}"`);
    const meaning = reader.understand(key, said);
    const pick = (phrases: readonly string[], salt: number): string =>
      phrases[(cast.seed + memory.stays + memory.told.size + salt) % Math.max(1, phrases.length)] ?? '';
    const stay = (kind: 'asks' | 'off', text: string): SceneAnswer => ({
      reply: null,
      kind,
      objectives: [],
      coach: fill(text),
      hasEnded: false,
      memory: { ...memory, stays: memory.stays + 1, strays: memory.strays + (kind === 'off' ? 1 : 0) },
    });

    if (meaning.kind === 'intent' || meaning.kind === 'bridge')
      return goOn(node, { difficulty, said, memory }, meaning, pick);
    const isStuck = memory.stays >= MOST_STAYS || (meaning.kind !== 'asks' && memory.strays > MOST_STRAYS);
    if (isStuck) return moveOn(node, { difficulty, said, memory }, pick);
    if (meaning.kind === 'asks') return stay('asks', replyToAct(node, difficulty, meaning.act, pick));
    if (memory.strays >= MOST_STRAYS)
      return stay('off', `${pick(REDIRECTS, 0)} ${WAY_ON} “${exampleAt(node, difficulty)}”`);
    const opening = meaning.kind === 'off' ? REDIRECTS : meaning.isForeign ? NOT_ENGLISH : UNHEARD;
    return stay('off', `${pick(opening, 0)} ${rephrased(node, memory.strays)}`);
  }

  type Turn = Required<Pick<SceneTurn, 'difficulty' | 'said' | 'memory'>>;
  type Choose = (phrases: readonly string[], salt: number) => string;

  function goOn(
    node: DialogueNode,
    { difficulty, said, memory }: Turn,
    meaning: Extract<Meaning, { kind: 'intent' | 'bridge' }>,
    pick: Choose,
  ): SceneAnswer {
    const understanding = node.understanding;
    const isIntent = meaning.kind === 'intent';
    const told = new Set(memory.told);
    if (node.learns !== undefined) told.add(node.learns);
    if (isIntent) for (const fact of meaning.intent.tells) told.add(fact);
    const objectives = new Set(
      isIntent
        ? meaning.confidence >= TICK_FROM
          ? proven(meaning.intent.proves, said)
          : []
        : proven(understanding?.bridgeProves ?? [], said),
    );
    for (const early of toldEarly(node, said, told)) objectives.add(early);
    const next = isIntent ? meaning.intent.next[difficulty] : (understanding?.bridge[difficulty] ?? node.key);
    const reactions =
      isIntent && meaning.intent.reactions.length > 0 ? meaning.intent.reactions : (understanding?.reactions ?? []);
    const target = skipKnown(next, told);
    return {
      ...lineAt(target, difficulty, said, reactions.length === 0 ? '' : pick(reactions, said.length)),
      kind: meaning.kind,
      objectives: [...objectives],
      memory: { told, stays: 0, strays: 0 },
    };
  }

  /** What was told before it was asked for: the coach will not ask for it, and it may prove something. */
  function toldEarly(node: DialogueNode, said: string, told: Set<string>): string[] {
    return dialogue.nodes.flatMap((other) => {
      if (other.key === node.key || other.learns === undefined || told.has(other.learns)) return [];
      const early = reader.anticipate(other.key, said);
      if (early === null) return [];
      told.add(other.learns);
      return proven(early.intent.proves, early.words);
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

  function lineAt(key: string, difficulty: PracticeDifficulty, said: string, before: string) {
    const node = nodes.get(key);
    const line = fillSlots(node?.say[difficulty] ?? '', said);
    return {
      reply: key,
      coach: fill(`${before} ${line}`.trim()),
      hasEnded: node === undefined || node.replies[difficulty].length === 0,
    };
  }

  function moveOn(node: DialogueNode, { difficulty, said, memory }: Turn, pick: Choose): SceneAnswer {
    const next = skipKnown(node.understanding?.bridge[difficulty] ?? node.key, memory.told);
    return {
      ...lineAt(next, difficulty, said, pick(MOVING_ON, 0)),
      kind: 'off',
      objectives: [],
      memory: { told: memory.told, stays: 0, strays: 0 },
    };
  }

  function replyToAct(node: DialogueNode, difficulty: PracticeDifficulty, act: string, pick: Choose): string {
    const fact = dialogue.facts?.find(({ key }) => key === factAsked(act));
    if (fact !== undefined) return `${fact.answer} ${rephrased(node, 0)}`;
    const line = fillSlots(node.say[difficulty], '');
    const reply = pick(cast.shared.asks[act]?.replies ?? [], act.length);
    const filled = reply
      .replaceAll('{line}', line)
      .replaceAll('{simple}', rephrased(node, 0))
      .replaceAll('{word}', 'that word')
      .replaceAll('{meaning}', 'it is part of our conversation here');
    return reply.includes('{line}') || reply.includes('{simple}') ? filled : `${filled} ${rephrased(node, 0)}`.trim();
  }

  const rephrased = ({ rephrase, say }: DialogueNode, misses: number): string =>
    rephrase[misses % Math.max(1, rephrase.length)] ?? say.easy;
  const exampleAt = ({ replies }: DialogueNode, difficulty: PracticeDifficulty): string =>
    replies[difficulty][0]?.text ?? '';

  return {
    open: (difficulty) => fill(fillSlots(nodes.get(dialogue.start)?.say[difficulty] ?? '', '')),
    answer,
  };
}

const PLACE = /\{(date|duration|time|money|amount|name)\|([^}]*)\}/g;

/** `{date|That} works.` with the value that the learner has just named, or with the words that need none. */
function fillSlots(line: string, said: string): string {
  const { plain } = readSpoken(said);
  const found = new Set(slotsIn(plain));
  const filled = line.replaceAll(PLACE, (_, kind: SlotKind, without: string, at: number) => {
    const value = found.has(kind) ? slotValue(plain, kind) : null;
    if (value === null) return without;
    const isFirst = at === 0 || /[.!?]\s$/.test(line.slice(0, at));
    return isFirst ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  });
  return filled.trim();
}
