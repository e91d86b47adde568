/** Reads the scene files and reports errors by file and place. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Dialogue, PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseMarkedSentence } from '../content-schemas.ts';
import { IntentsFile, SceneFile, SharedActsFile } from './scene-schemas.ts';

export interface Scene {
  key: string;
  /** The texts that learners read before they begin, as written. */
  file: SceneFile;
  title: string;
  /** Objective keys. */
  objectives: string[];
  dialogue: Dialogue;
}

export type SharedActsContent = z.infer<typeof SharedActsFile>;

/** The name that replaces `{coach}` in examples. Features only see that it is a name. */
const EXAMPLE_NAME = 'Grace';

export function readScenes(contentDir: string): Scene[] {
  const folder = join(contentDir, 'scenes');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.toSorted().map((file) => {
    const key = basename(file, '.yaml');
    const scene = readYaml(join(folder, file), SceneFile);
    const intents = readYaml(join(contentDir, 'intents', file), IntentsFile);
    return {
      key,
      file: scene,
      title: scene.title,
      objectives: Object.keys(scene.objectives),
      dialogue: buildDialogue(scene, intents),
    };
  });
}

export const readSharedActs = (contentDir: string): SharedActsContent =>
  readYaml(join(contentDir, 'shared-acts.yaml'), SharedActsFile);

function readYaml<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function buildDialogue(scene: SceneFile, intents: IntentsFile): Dialogue {
  const unknownNode = Object.keys(intents.nodes).find((key) => !(key in scene.nodes));
  if (unknownNode !== undefined) throw new Error(`intents/${intents.practice}.yaml: there is no node "${unknownNode}"`);
  const withCoachName = (texts: readonly string[]): string[] =>
    texts.map((text) => text.replaceAll('{coach}', EXAMPLE_NAME));
  return {
    start: scene.start,
    topic: intents.topic,
    facts: Object.entries(intents.facts).map(([key, { answer, asks }]) => ({ key, answer, asks: withCoachName(asks) })),
    proofs: Object.fromEntries(
      Object.entries(intents.objectives).flatMap(([key, { needs }]) => (needs === undefined ? [] : [[key, needs]])),
    ),
    nodes: Object.entries(scene.nodes).map(([key, { say, rephrase, replies, ...known }]) => {
      const intentNode = intents.nodes[key];
      const { learns = intentNode?.learns, onKnown = intentNode?.onKnown } = known;
      return {
        key,
        say: { easy: say[0], intermediate: say[1], hard: say[2] },
        rephrase,
        replies: byDifficulty((difficulty) =>
          replies.map((reply) => ({
            ...parseMarkedSentence(reply[difficulty]),
            next: reply.to[difficulty],
            keyword: reply.hint,
          })),
        ),
        ...(learns !== undefined && { learns }),
        ...(onKnown !== undefined && { onKnown }),
        ...(intentNode !== undefined && {
          understanding: {
            intents: Object.entries(intentNode.intents).map(([intent, { to, examples, ...rest }]) => ({
              key: intent,
              next: to,
              ...rest,
              examples: withCoachName(examples),
            })),
            bridge: intentNode.bridge,
            bridgeProves: intentNode.bridgeProves,
            reactions: intentNode.reactions,
            slots: intentNode.slots,
            isOpen: intentNode.open,
            unforeseen: withCoachName(intentNode.unforeseen),
            decoys: withCoachName(intentNode.decoys),
          },
        }),
      };
    }),
  };
}

const byDifficulty = <Value>(make: (difficulty: PracticeDifficulty) => Value): Record<PracticeDifficulty, Value> =>
  Object.fromEntries(PRACTICE_DIFFICULTIES.map((difficulty) => [difficulty, make(difficulty)])) as Record<
    PracticeDifficulty,
    Value
  >;
