/**
 * Collects the training data of the talk model: the catalogue's sentences, each at a node whose coach has just spoken,
 * both typed and corrupted.
 */
import type { Dialogue, DialogueNode } from '@parley/domain';
import { lineStems, readTalkFeatures } from '../../packages/coach/src/understanding/classification/talk-features.ts';
import type { BaseReader, Features } from '../../packages/coach/src/understanding/classification/features.ts';
import {
  askableWords,
  fillWords,
  hasWordPlaceholder,
  type SharedActs,
} from '../../packages/coach/src/understanding/classification/shared-acts.ts';
import type { TalkKind } from '../../packages/coach/src/understanding/classification/talk-model.ts';
import { asTranscript, createBeginner, createMisheard, createRandom } from './corrupt-text.ts';

export interface TalkExample {
  text: string;
  node: DialogueNode;
}

/** Half of the examples of an intent are enough to know what answers sound like. */
const isEven = (_: unknown, index: number): boolean => index % 2 === 0;
/** The number of nodes at which a shared example is learned. */
const PLACES = { asks: 3, off: 1 };
/** An example with a placeholder is learned with more words. */
const WORDS_A_PLACE = 2;
const SEED = 11;

export function collectTalkExamples(
  dialogues: readonly Dialogue[],
  { asks, off }: SharedActs,
  otherLanguages: readonly string[],
): Record<TalkKind, TalkExample[]> {
  const random = createRandom(SEED);
  const understood = dialogues.flatMap(({ nodes }) => nodes.filter(({ understanding }) => understanding !== undefined));
  const pick = (nodes: readonly DialogueNode[]): DialogueNode => {
    const node = nodes[Math.floor(random() * nodes.length)];
    if (node === undefined) throw new Error('there is no node with intents');
    return node;
  };
  const spread = (examples: readonly string[], places: number): TalkExample[] =>
    examples.flatMap((example) =>
      Array.from({ length: hasWordPlaceholder(example) ? places * WORDS_A_PLACE : places }, () =>
        pick(understood),
      ).flatMap((node) => {
        const words = askableWords(node);
        const word = words[Math.floor(random() * words.length)];
        return fillWords([example], word === undefined ? [] : [word]).map((text) => ({ text, node }));
      }),
    );
  return {
    answer: understood.flatMap((node) => [
      ...(node.understanding?.unforeseen ?? []).map((text) => ({ text, node })),
      ...(node.understanding?.intents ?? []).flatMap(({ examples }) =>
        examples.filter(isEven).map((text) => ({ text, node })),
      ),
    ]),
    asks: [
      ...Object.values(asks).flatMap(({ examples }) => spread(examples, PLACES.asks)),
      ...dialogues.flatMap(({ facts = [], nodes }) => {
        const here = nodes.filter(({ understanding }) => understanding !== undefined);
        return facts.flatMap((fact) => fact.asks.map((text) => ({ text, node: pick(here) })));
      }),
    ],
    off: [
      ...spread([...off, ...otherLanguages], PLACES.off),
      ...understood.flatMap((node) => (node.understanding?.decoys ?? []).map((text) => ({ text, node }))),
    ],
  };
}

/** Each example as written, and once as a transcript, with misheard words, or in a beginner's grammar. */
export function readTalkExamples(
  examples: Readonly<Record<TalkKind, readonly TalkExample[]>>,
  vocabulary: ReadonlySet<string>,
  readBase: BaseReader,
): Record<TalkKind, Features[]> {
  const random = createRandom(SEED);
  const copies = [asTranscript, createMisheard(vocabulary, random), createBeginner(random)];
  const stemsByNode = new Map<DialogueNode, ReadonlySet<string>>();
  const stemsOf = (node: DialogueNode): ReadonlySet<string> => {
    const stems = stemsByNode.get(node) ?? lineStems(Object.values(node.say));
    stemsByNode.set(node, stems);
    return stems;
  };
  const read = (list: readonly TalkExample[]): Features[] =>
    list.flatMap(({ text, node }, index) => [
      readTalkFeatures(text, stemsOf(node), readBase(text)),
      readTalkFeatures(copies[index % copies.length]?.(text) ?? text, stemsOf(node)),
    ]);
  return { answer: read(examples.answer), asks: read(examples.asks), off: read(examples.off) };
}
