/** What is wrong with a scene: dead ends, nodes that are never reached, objectives that cannot be, phrasings that two intents claim. */
import { type Dialogue, type DialogueNode, PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import type { Scene } from './read-scenes.ts';

const MIN_EXAMPLES = 20;
const MIN_UNFORESEEN = 15;
const MIN_OPTIONS = 2;

export function problemsOf({ dialogue }: Scene, objectives: readonly string[]): string[] {
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const isEnd = (node: DialogueNode): boolean => node.replies.easy.length === 0;
  const problems: string[] = [];
  if (!nodes.has(dialogue.start)) problems.push(`start "${dialogue.start}" is no node`);
  for (const node of dialogue.nodes) {
    for (const target of targetsOf(node))
      if (!nodes.has(target)) problems.push(`"${node.key}" leads to unknown "${target}"`);
    if (!isEnd(node)) problems.push(...problemsOfNode(node));
  }
  for (const difficulty of PRACTICE_DIFFICULTIES) {
    const reached = reachable(dialogue, difficulty);
    if (!dialogue.nodes.some((node) => reached.has(node.key) && isEnd(node)))
      problems.push(`${difficulty}: no ending is reached`);
    const proved = new Set(
      [...reached].flatMap((key) => nodes.get(key)?.understanding?.intents.flatMap(({ proves }) => proves) ?? []),
    );
    for (const objective of objectives)
      if (!proved.has(objective as never))
        problems.push(`${difficulty}: the objective "${objective}" cannot be reached`);
  }
  const everywhere = new Set(PRACTICE_DIFFICULTIES.flatMap((difficulty) => [...reachable(dialogue, difficulty)]));
  for (const { key } of dialogue.nodes) if (!everywhere.has(key)) problems.push(`"${key}" is never reached`);
  return problems;
}

function problemsOfNode({ key, understanding }: DialogueNode): string[] {
  if (understanding === undefined) return [`"${key}" has no intents`];
  const { intents, unforeseen } = understanding;
  const owners = new Map<string, string>();
  const twice = intents.flatMap((intent) =>
    intent.examples.flatMap((example) => {
      const plain = example
        .toLowerCase()
        .replaceAll(/[^a-z0-9 ]/g, '')
        .trim();
      const owner = owners.get(plain);
      owners.set(plain, intent.key);
      return owner === undefined || owner === intent.key
        ? []
        : [`"${key}": "${example}" belongs to ${owner} and ${intent.key}`];
    }),
  );
  return [
    ...(intents.length < MIN_OPTIONS ? [`"${key}" has fewer than two intents`] : []),
    ...intents.flatMap((intent) =>
      intent.examples.length < MIN_EXAMPLES
        ? [`"${key}": ${intent.key} has only ${intent.examples.length} examples`]
        : [],
    ),
    ...(unforeseen.length < MIN_UNFORESEEN ? [`"${key}" foresees too little that is unforeseen`] : []),
    ...twice,
  ];
}

const targetsOf = ({ replies, understanding, onKnown }: DialogueNode): string[] => [
  ...PRACTICE_DIFFICULTIES.flatMap((difficulty) => [
    ...replies[difficulty].map(({ next }) => next),
    ...(understanding?.intents.map(({ next }) => next[difficulty]) ?? []),
    ...(understanding === undefined ? [] : [understanding.bridge[difficulty]]),
  ]),
  ...(onKnown === undefined ? [] : [onKnown]),
];

function reachable(dialogue: Dialogue, difficulty: PracticeDifficulty): Set<string> {
  const reached = new Set([dialogue.start]);
  for (const key of reached) {
    const node = dialogue.nodes.find((each) => each.key === key);
    const { intents = [], bridge } = node?.understanding ?? {};
    const next = [
      ...intents.map((intent) => intent.next[difficulty]),
      ...(bridge === undefined ? [] : [bridge[difficulty]]),
    ];
    for (const target of [...next, ...(node?.onKnown === undefined ? [] : [node.onKnown])]) reached.add(target);
  }
  return reached;
}
