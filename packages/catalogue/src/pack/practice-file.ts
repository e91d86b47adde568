/** A practice as a YAML file: its schema, and its conversion to a document and back. */
import {
  ENGLISH_LEVELS,
  PRACTICE_DIFFICULTIES,
  type PracticeDocument,
  type ScriptNode,
  SLOT_KINDS,
} from '@parley/domain';
import { z } from 'zod';

const Text = z.string().max(20_000);
const Key = z.string().max(60);

/** One example per line; a line that begins with `#` is a comment. */
const Lines = z.string().max(60_000);
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** One step for all difficulties, or one for each. */
const Target = z.union([Key, z.strictObject({ easy: Key, intermediate: Key, hard: Key })]);
type Target = z.infer<typeof Target>;
const allTargets = (target: Target): Exclude<Target, string> =>
  typeof target === 'string' ? { easy: target, intermediate: target, hard: target } : target;

const FileReply = z.strictObject({ to: Target, hint: z.string(), easy: Text, intermediate: Text, hard: Text });

const FileIntent = z.strictObject({
  to: Target,
  proves: z.array(Key).default([]),
  tells: z.array(Key).default([]),
  reactions: z.array(Text).default([]),
  examples: Lines.default(''),
});

const FileNode = z.strictObject({
  say: z.tuple([Text, Text, Text]).describe('What the coach says: easy, intermediate, hard'),
  rephrase: z.array(Text).default([]),
  replies: z.array(FileReply).default([]),
  end: z.boolean().optional().describe('Whether the conversation ends here; true when there are no replies'),
  learns: Key.optional(),
  onKnown: Key.optional(),
  intents: z.record(Key, FileIntent).optional(),
  bridge: Target.optional().describe('Where an unexpected answer leads'),
  bridgeProves: z.array(Key).default([]),
  reactions: z.array(Text).default([]),
  slots: z.array(z.enum(SLOT_KINDS)).default([]),
  open: z.boolean().default(false),
  unforeseen: Lines.default(''),
  decoys: Lines.default(''),
});
type FileNode = z.infer<typeof FileNode>;

export const PracticeFile = z.strictObject({
  id: z.uuid().optional().describe('Keeps learners’ histories together; derived from the file name when absent'),
  title: Text,
  category: Text,
  level: z.enum(ENGLISH_LEVELS),
  minutes: z.number().int(),
  coach: z.string().max(100).describe('The name of a file in coaches, or an id'),
  cast: Key.optional(),
  summary: Text,
  description: Text,
  scenario: Text,
  role: Text,
  cover: z.string().max(200).optional().describe('A file in covers; the picture of the category when absent'),
  availability: z.enum(['ready', 'not_ready']).optional(),
  objectives: z.record(
    Key,
    z.union([Text, z.strictObject({ id: z.uuid().optional(), description: Text, needs: z.string().optional() })]),
  ),
  words: z.record(z.string().max(80), Text).default({}),
  start: Key.optional(),
  topic: z.string().max(6_000).default(''),
  facts: z.record(Key, z.strictObject({ answer: Text, asks: Lines })).default({}),
  nodes: z.record(Key, FileNode).optional(),
});
export type PracticeFile = z.infer<typeof PracticeFile>;

/** Half of a practice: what a learner may mean in each step, next to a scene that says the rest. */
export const IntentsFile = z.strictObject({
  practice: Key,
  topic: z.string().max(6_000).default(''),
  facts: PracticeFile.shape.facts,
  nodes: z.record(Key, FileNode.omit({ say: true, rephrase: true, replies: true, end: true })),
  objectives: z.record(Key, z.strictObject({ needs: z.string().optional() })).default({}),
});
export type IntentsFile = z.infer<typeof IntentsFile>;

/** The name that replaces `{coach}` in examples. Training only needs to know that it is a name. */
const EXAMPLE_NAME = 'Grace';
const withName = (lines: string): string => lines.replaceAll('{coach}', EXAMPLE_NAME);
const mapValues = <Value>(record: Record<string, Value>, map: (value: Value) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** Puts the two halves together. Steps that only the second half has are left out. */
export function withIntents(scene: PracticeFile, intents: IntentsFile): PracticeFile {
  const nodes = mapValues(intents.nodes, (node) => ({
    ...node,
    unforeseen: withName(node.unforeseen),
    decoys: withName(node.decoys),
    ...(node.intents !== undefined && {
      intents: mapValues(node.intents, (intent) => ({ ...intent, examples: withName(intent.examples) })),
    }),
  }));
  return {
    ...scene,
    topic: intents.topic,
    facts: mapValues(intents.facts, (fact) => ({ ...fact, asks: withName(fact.asks) })),
    objectives: Object.fromEntries(
      Object.entries(scene.objectives).map(([key, objective]) => {
        const needs = intents.objectives[key]?.needs;
        return [
          key,
          typeof objective === 'string' && needs !== undefined ? { description: objective, needs } : objective,
        ];
      }),
    ),
    nodes: Object.fromEntries(
      Object.entries(scene.nodes ?? {}).map(([key, node]) => {
        const { say, rephrase, replies, end } = node;
        const half = nodes[key];
        const own = { learns: node.learns ?? half?.learns, onKnown: node.onKnown ?? half?.onKnown };
        return [key, half === undefined ? node : { ...half, say, rephrase, replies, end, ...own }];
      }),
    ),
  };
}

export interface PracticeLinks {
  /** Returns null when there is no such coach. */
  coachId: (coach: string) => string | null;
  objectiveId: (key: string) => string;
  cover: string;
}

/** The result may be incomplete, or longer than a document may be: parse it with the document's schema. */
export function practiceFromFile(file: PracticeFile, links: PracticeLinks): unknown {
  return {
    title: file.title,
    category: file.category,
    level: file.level,
    minutes: file.minutes,
    agentId: links.coachId(file.coach),
    summary: file.summary,
    description: file.description,
    scenario: file.scenario,
    role: file.role,
    words: Object.entries(file.words).map(([word, meaning]) => ({ word, meaning })),
    objectives: Object.entries(file.objectives).map(([key, objective]) => {
      const { id, description, needs } = typeof objective === 'string' ? { description: objective } : objective;
      return { objectiveId: id ?? links.objectiveId(key), key, description, needs: needs ?? null };
    }),
    cover: links.cover,
    availability: file.availability ?? 'ready',
    script:
      file.nodes === undefined
        ? null
        : {
            start: file.start ?? '',
            topic: file.topic.split(/\s+/).filter((word) => word !== ''),
            facts: Object.entries(file.facts).map(([key, { answer, asks }]) => ({ key, answer, asks: linesOf(asks) })),
            nodes: Object.entries(file.nodes).map(([key, node]) => nodeFromFile(key, node)),
          },
  };
}

function nodeFromFile(key: string, node: FileNode): ScriptNode {
  const { say, rephrase, replies, end, learns, onKnown, intents, bridge } = node;
  return {
    key,
    say: { easy: say[0], intermediate: say[1], hard: say[2] },
    rephrase,
    replies: replies.map(({ to, ...reply }) => ({ ...reply, to: allTargets(to) })),
    isEnd: end ?? replies.length === 0,
    learns: learns ?? null,
    onKnown: onKnown ?? null,
    understanding:
      intents === undefined && bridge === undefined
        ? null
        : {
            intents: Object.entries(intents ?? {}).map(([intent, { to, examples, ...rest }]) => ({
              key: intent,
              to: allTargets(to),
              ...rest,
              examples: linesOf(examples),
            })),
            bridge: allTargets(bridge ?? ''),
            bridgeProves: node.bridgeProves,
            reactions: node.reactions,
            slots: node.slots,
            isOpen: node.open,
            unforeseen: linesOf(node.unforeseen),
            decoys: linesOf(node.decoys),
          },
  };
}

/** Fields that the file omits if they have the value that a reader would assume. */
export function practiceToFile(
  document: PracticeDocument,
  links: { id?: string; coach: string; cover?: string; objectiveId?: (key: string) => string },
): object {
  const { script } = document;
  return compact({
    id: links.id,
    title: document.title,
    category: document.category,
    level: document.level,
    minutes: document.minutes,
    coach: links.coach,
    summary: document.summary,
    description: document.description,
    scenario: document.scenario,
    role: document.role,
    cover: links.cover,
    availability: document.availability === 'ready' ? undefined : document.availability,
    objectives: Object.fromEntries(
      document.objectives.map(({ key, description, needs, objectiveId }) => {
        const id = links.objectiveId === undefined || links.objectiveId(key) === objectiveId ? undefined : objectiveId;
        const isPlain = id === undefined && needs === null;
        return [key, isPlain ? description : compact({ id, description, needs: needs ?? undefined })];
      }),
    ),
    words: Object.fromEntries(document.words.map(({ word, meaning }) => [word, meaning])),
    ...(script !== null && {
      topic: script.topic.length === 0 ? undefined : script.topic.join(' '),
      facts:
        script.facts.length === 0
          ? undefined
          : Object.fromEntries(script.facts.map(({ key, answer, asks }) => [key, { answer, asks: toLines(asks) }])),
      start: script.start,
      nodes: Object.fromEntries(script.nodes.map((node) => [node.key, nodeToFile(node)])),
    }),
  });
}

function nodeToFile(node: ScriptNode): object {
  const { say, rephrase, replies, isEnd, learns, onKnown, understanding } = node;
  return compact({
    learns: learns ?? undefined,
    onKnown: onKnown ?? undefined,
    say: PRACTICE_DIFFICULTIES.map((difficulty) => say[difficulty]),
    rephrase: rephrase.length === 0 ? undefined : rephrase,
    replies:
      replies.length === 0
        ? undefined
        : replies.map(({ to, hint, easy, intermediate, hard }) => ({
            to: toTarget(to),
            hint,
            easy,
            intermediate,
            hard,
          })),
    end: isEnd === (replies.length === 0) ? undefined : isEnd,
    ...(understanding !== null && {
      bridge: toTarget(understanding.bridge),
      bridgeProves: orNothing(understanding.bridgeProves),
      reactions: orNothing(understanding.reactions),
      slots: orNothing(understanding.slots),
      open: understanding.isOpen || undefined,
      intents: Object.fromEntries(
        understanding.intents.map(({ key, to, proves, tells, reactions, examples }) => [
          key,
          compact({
            to: toTarget(to),
            proves: orNothing(proves),
            tells: orNothing(tells),
            reactions: orNothing(reactions),
            examples: toLines(examples),
          }),
        ]),
      ),
      unforeseen: understanding.unforeseen.length === 0 ? undefined : toLines(understanding.unforeseen),
      decoys: understanding.decoys.length === 0 ? undefined : toLines(understanding.decoys),
    }),
  });
}

const toLines = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`);
const toTarget = (to: Exclude<Target, string>): Target =>
  to.easy === to.intermediate && to.easy === to.hard ? to.easy : to;
const orNothing = <Item>(list: readonly Item[]): readonly Item[] | undefined => (list.length === 0 ? undefined : list);
const compact = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
