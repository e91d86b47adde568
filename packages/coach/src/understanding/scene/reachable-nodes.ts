/** Determines which nodes of a scene can still follow a node. */
import { type Dialogue, type DialogueNode, PRACTICE_DIFFICULTIES } from '@parley/domain';

/** Any level counts, because a learner may change it in mid-scene. */
export function createReachability({ nodes }: Dialogue): (from: string, to: string) => boolean {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const reachable = new Map<string, ReadonlySet<string>>();

  function findReachable(from: string): ReadonlySet<string> {
    const known = reachable.get(from);
    if (known !== undefined) return known;
    const found = new Set(nextNodes(byKey.get(from)));
    for (const key of found) for (const next of nextNodes(byKey.get(key))) found.add(next);
    reachable.set(from, found);
    return found;
  }
  return (from, to) => findReachable(from).has(to);
}

function nextNodes(node: DialogueNode | undefined): string[] {
  if (node === undefined) return [];
  const { understanding, replies, onKnown } = node;
  const byLevel = PRACTICE_DIFFICULTIES.flatMap((difficulty) => [
    ...(understanding?.intents.map(({ next }) => next[difficulty]) ?? []),
    ...(understanding === undefined ? [] : [understanding.bridge[difficulty]]),
    ...replies[difficulty].map(({ next }) => next),
  ]);
  return onKnown === undefined ? byLevel : [...byLevel, onKnown];
}
