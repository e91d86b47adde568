/** Decides what of a turn may prove an objective: evasions do so only where an author's own examples evade in the same way. */
import type { Dialogue, DialogueNode } from '@parley/domain';
import { stanceOf } from '../rules/bare-reply.ts';
import { type Evasion, evasionsAmong, type ProvableWords, withoutEvasions } from '../rules/evasions.ts';

export function createProvableWords({
  nodes,
}: Dialogue): (node: string, objective: string, text: string) => ProvableWords {
  const accepted = new Map<string, ReadonlySet<Evasion>>();
  const nodesByKey = new Map(nodes.map((node) => [node.key, node]));
  function acceptedAt(key: string, objective: string): ReadonlySet<Evasion> {
    const place = `${key} ${objective}`;
    const evasions = accepted.get(place) ?? evasionsThatProve(nodesByKey.get(key), objective);
    accepted.set(place, evasions);
    return evasions;
  }
  // "I don't know" alone proves nothing, whatever else an author accepts.
  return (node, objective, text) =>
    withoutEvasions(text, stanceOf(text) === null ? acceptedAt(node, objective) : new Set());
}

function evasionsThatProve(node: DialogueNode | undefined, objective: string): ReadonlySet<Evasion> {
  const intents = node?.understanding?.intents.filter(({ proves }) => proves.some((key) => key === objective)) ?? [];
  return evasionsAmong(intents.flatMap(({ examples }) => examples).filter((example) => stanceOf(example) === null));
}
