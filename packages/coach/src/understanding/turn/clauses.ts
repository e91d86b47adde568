/** Reads the clauses of a long turn: one may represent all of it, and each may meet an objective of its own. */
import type { DialogueNode } from '@parley/domain';
import type { WeighedMeanings } from './evidence.ts';
import { splitClauses } from '../rules/spoken-text.ts';

const THRESHOLD = {
  /** A clause of a long turn must be this clear to represent it. */
  clause: 0.7,
  /** A clause other than the turn's main meaning must be this clear to meet an objective. */
  clauseProof: 0.75,
};

/** When a long turn is ambiguous, its clearest part represents the whole. */
export function findClearestPart(
  whole: WeighedMeanings,
  text: string,
  node: DialogueNode,
  weigh: (node: DialogueNode, text: string) => WeighedMeanings,
): WeighedMeanings & { words: string } {
  const clarity = ({ intents }: WeighedMeanings): number => intents[0]?.probability ?? 0;
  let best = { ...whole, words: text };
  if (clarity(whole) >= THRESHOLD.clause) return best;
  for (const words of splitClauses(text)) {
    const part = weigh(node, words);
    if (clarity(part) >= THRESHOLD.clause && clarity(part) > clarity(best)) best = { ...part, words };
  }
  return best;
}

/** The objectives of the turn's main meaning, and those that another of its clauses clearly meets. */
export function provenBy(
  main: WeighedMeanings,
  clauses: readonly string[],
  weigh: (words: string) => WeighedMeanings,
): ReadonlyMap<string, number> {
  const proves = probabilityByObjective(main.intents);
  for (const clause of clauses) {
    const part = weigh(clause);
    for (const [objective, probability] of probabilityByObjective(part.intents))
      if (probability >= THRESHOLD.clauseProof)
        proves.set(objective, Math.max(probability, proves.get(objective) ?? 0));
  }
  return proves;
}

export function probabilityByObjective(intents: WeighedMeanings['intents']): Map<string, number> {
  const byObjective = new Map<string, number>();
  for (const { intent, probability } of intents)
    for (const objective of intent.proves) byObjective.set(objective, (byObjective.get(objective) ?? 0) + probability);
  return byObjective;
}
