/** Replaces a step of a dialogue and updates the references to it. */
import type { PracticeScript, ScriptNode } from '@parley/domain';

/** A name can be assigned if it is not empty and no other step has it, because replies refer to steps by name. */
export const isFreeName = (steps: readonly string[], index: number, name: string): boolean =>
  name !== '' && !steps.some((other, at) => at !== index && other === name);

/** When a step is renamed, the references to it are updated. A name that is taken is not assigned. */
export function replaceStep(script: PracticeScript, index: number, next: ScriptNode): Partial<PracticeScript> {
  const steps = script.nodes.map(({ key }) => key);
  const before = steps[index] ?? '';
  const key = isFreeName(steps, index, next.key) ? next.key : before;
  const nodes = script.nodes.map((node, at) => (at === index ? { ...next, key } : node));
  // If two steps share a name, the other step keeps the references.
  if (before === key || !isFreeName(steps, index, before)) return { nodes };
  const rename = (target: string): string => (target === before ? key : target);
  const renameAll = (to: { easy: string; intermediate: string; hard: string }) => ({
    easy: rename(to.easy),
    intermediate: rename(to.intermediate),
    hard: rename(to.hard),
  });
  return {
    start: rename(script.start),
    nodes: nodes.map((node) => ({
      ...node,
      onKnown: node.onKnown === null ? null : rename(node.onKnown),
      replies: node.replies.map((reply) => ({ ...reply, to: renameAll(reply.to) })),
      understanding:
        node.understanding === null
          ? null
          : {
              ...node.understanding,
              bridge: renameAll(node.understanding.bridge),
              intents: node.understanding.intents.map((intent) => ({ ...intent, to: renameAll(intent.to) })),
            },
    })),
  };
}
