/** Decides which objectives an answer at a node proves, and with which of its words. */
import { type Dialogue, type DialogueNode, isSlowPattern } from '@parley/domain';
import type { SceneAnswer, SceneProof } from '../scene-turn.ts';
import { acceptsApologies, findApology } from '../../rules/apology.ts';
import { isElliptic } from '../../rules/elliptic-reply.ts';
import { onlyRepeatsValue } from '../../rules/values/repeated-value.ts';
import type { Meaning } from '../../turn/meaning.ts';
import type { SceneReader } from '../../turn/scene-reader.ts';

export type AnswerMeaning = Extract<Meaning, { kind: 'intent' | 'bridge' }>;

export interface SceneProofs {
  /** The objectives among `objectives` that the words prove. */
  prove: (
    node: DialogueNode,
    objectives: readonly string[],
    words: { said: string; /** The part of the turn that best represents it. */ clearest: string },
  ) => SceneProof[];
  /** The objectives to apologise that an apology in the turn meets, whatever the coach has asked. */
  proveApology: (said: string) => SceneProof[];
  /** The objectives that an answer with this meaning may prove, if its words do. */
  likelyObjectives: (node: DialogueNode, meaning: AnswerMeaning) => string[];
}

/**
 * An objective is ticked when the intents that prove it are together at least this likely. Less is enough when it has a pattern that the words
 * match, and when something unforeseen is the likelier meaning.
 */
const MIN_OBJECTIVE_CONFIDENCE = { intent: 0.6, bridge: 0.4 };
const MIN_CONFIDENCE_WITH_PATTERN = { intent: 0.45, bridge: 0.3 };
const MIN_BRIDGE_CONFIDENCE = 0.65;

/** The first proof of each objective counts. */
export function proven(all: readonly SceneProof[]): Pick<SceneAnswer, 'objectives' | 'proofs'> {
  const proofs = all.filter((proof, at) => all.findIndex(({ objective }) => objective === proof.objective) === at);
  return { objectives: proofs.map(({ objective }) => objective), proofs };
}

export function createSceneProofs(dialogue: Dialogue, reader: SceneReader): SceneProofs {
  const patterns = new Map(
    Object.entries(dialogue.proofs ?? {}).flatMap(([key, needs]) =>
      // A practice that was published before such patterns were refused must not stop the app.
      isSlowPattern(needs) ? [] : [[key, new RegExp(needs, 'iu')] as const],
    ),
  );

  /**
   * A pattern that finds words is evidence for its objective. One that only excludes some, such as a bare "No.", is
   * not.
   */
  const hasSign = (key: string): boolean => patterns.get(key)?.source.startsWith('^(?!') === false;

  function matches(node: DialogueNode, key: string, words: string): boolean {
    const pattern = patterns.get(key);
    const { told, polite } = reader.provableWords(node.key, key, words.replaceAll(/[’ʼ]/g, "'"));
    if (pattern === undefined) return told !== '';
    return pattern.test(told) || polite.some((word) => pattern.test(word));
  }

  /** A part of a turn that meets one objective need not have the words that meet another, unless a pattern finds them there. */
  const isEnough = (node: DialogueNode, key: string, part: string, objectives: readonly string[]): boolean =>
    !isElliptic(part) && (hasSign(key) || objectives.length === 1) && matches(node, key, part);

  /**
   * Without a pattern, only an answer that belongs here rather than to another node may prove something that no author
   * foresaw.
   */
  const mayBridgeProve =
    ({ confidence }: { confidence: number }) =>
    (objective: string): boolean =>
      hasSign(objective) || confidence > MIN_BRIDGE_CONFIDENCE;

  return {
    prove: (node, objectives, { said, clearest }) =>
      objectives
        .filter((objective) => matches(node, objective, said) && !onlyRepeatsValue(node, said, objective))
        .map((objective) => ({ objective, words: isEnough(node, objective, clearest, objectives) ? clearest : said })),
    proveApology: (said) => {
      const words = findApology(said);
      if (words === null) return [];
      return [...patterns].flatMap(([objective, pattern]) => (acceptsApologies(pattern) ? { objective, words } : []));
    },
    likelyObjectives: (node, meaning) => {
      const minimumFor = (objective: string): number =>
        (hasSign(objective) ? MIN_CONFIDENCE_WITH_PATTERN : MIN_OBJECTIVE_CONFIDENCE)[meaning.kind];
      const likely = [...meaning.proves].flatMap(([objective, probability]) =>
        probability >= minimumFor(objective) ? objective : [],
      );
      if (meaning.kind === 'intent') return likely;
      return [...new Set([...likely, ...(node.understanding?.bridgeProves ?? []).filter(mayBridgeProve(meaning))])];
    },
  };
}
