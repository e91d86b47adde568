/** Finds the intent of which a sentence is an example, word for word. */
import type { DialogueIntent, DialogueNode } from '@parley/domain';
import { comparableWords } from '../../text/comparable-words.ts';

const byNode = new WeakMap<DialogueNode, ReadonlyMap<string, { intent: DialogueIntent; isQuestion: boolean }>>();

const plain = (text: string): string => comparableWords(text).join(' ');

function examplesOf(node: DialogueNode) {
  const known = byNode.get(node);
  if (known !== undefined) return known;
  const examples = new Map(
    (node.understanding?.intents ?? []).flatMap((intent) =>
      intent.examples.map((example) => [plain(example), { intent, isQuestion: example.includes('?') }] as const),
    ),
  );
  byNode.set(node, examples);
  return examples;
}

/** "Tuesday?" is not the answer "Tuesday.", but a recognised question may lack its question mark. */
export function findOwnExample(node: DialogueNode, text: string): DialogueIntent | null {
  const found = examplesOf(node).get(plain(text));
  return found === undefined || (text.includes('?') && !found.isQuestion) ? null : found.intent;
}
