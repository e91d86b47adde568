/** Finds defects in a scene: dead ends, unreachable nodes, unreachable objectives, and examples that belong to two intents. */
import { type Dialogue, type DialogueNode, PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import type { Scene } from './read-scenes.ts';

const MIN_EXAMPLES = 20;
const MIN_UNFORESEEN = 15;
const MIN_INTENTS = 2;

export function findSceneProblems({ dialogue }: Scene, objectives: readonly string[]): string[] {
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const isEnd = (node: DialogueNode): boolean => node.replies.easy.length === 0;
  const problems: string[] = [];
  if (!nodes.has(dialogue.start)) problems.push(`start "${dialogue.start}" is not a node`);
  for (const node of dialogue.nodes) {
    for (const target of targetsOf(node))
      if (!nodes.has(target)) problems.push(`"${node.key}" leads to the unknown node "${target}"`);
    if (!isEnd(node)) problems.push(...findNodeProblems(node));
  }
  for (const difficulty of PRACTICE_DIFFICULTIES) {
    const reached = reachable(dialogue, difficulty);
    if (!dialogue.nodes.some((node) => reached.has(node.key) && isEnd(node)))
      problems.push(`${difficulty}: no ending can be reached`);
    const replied = reachableByReplies(dialogue, difficulty);
    if (!dialogue.nodes.some((node) => replied.has(node.key) && isEnd(node)))
      problems.push(`${difficulty}: model replies reach no ending`);
    const proved = new Set<string>(
      [...reached].flatMap((key) => nodes.get(key)?.understanding?.intents.flatMap(({ proves }) => proves) ?? []),
    );
    for (const objective of objectives)
      if (!proved.has(objective)) problems.push(`${difficulty}: the objective "${objective}" cannot be reached`);
  }
  const reachableAnywhere = new Set(
    PRACTICE_DIFFICULTIES.flatMap((difficulty) => [...reachable(dialogue, difficulty)]),
  );
  for (const { key } of dialogue.nodes) if (!reachableAnywhere.has(key)) problems.push(`"${key}" cannot be reached`);
  return problems;
}

function findNodeProblems({ key, say, rephrase, understanding }: DialogueNode): string[] {
  if (understanding === undefined) return [`"${key}" has no intents`];
  const { intents, unforeseen } = understanding;
  const ownerByExample = new Map<string, string>();
  const ambiguousExamples = intents.flatMap((intent) =>
    intent.examples.flatMap((example) => {
      const plain = example
        .toLowerCase()
        .replaceAll(/[^a-z0-9 ]/g, '')
        .trim();
      const owner = ownerByExample.get(plain);
      ownerByExample.set(plain, intent.key);
      return owner === undefined || owner === intent.key
        ? []
        : [`"${key}": "${example}" belongs to ${owner} and ${intent.key}`];
    }),
  );
  return [
    ...(intents.length < MIN_INTENTS ? [`"${key}" has fewer than two intents`] : []),
    ...intents.flatMap((intent) =>
      intent.examples.length < MIN_EXAMPLES
        ? [`"${key}": ${intent.key} has only ${intent.examples.length} examples`]
        : [],
    ),
    ...(unforeseen.length < MIN_UNFORESEEN ? [`"${key}" has too few unforeseen examples`] : []),
    ...Object.values(say).flatMap((line) =>
      rephrase.includes(line) ? [`"${key}": a rephrasing repeats the line "${line}"`] : [],
    ),
    ...ambiguousExamples,
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

function reachableByReplies(dialogue: Dialogue, difficulty: PracticeDifficulty): Set<string> {
  const reached = new Set([dialogue.start]);
  for (const key of reached)
    for (const { next } of dialogue.nodes.find((each) => each.key === key)?.replies[difficulty] ?? [])
      reached.add(next);
  return reached;
}

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
