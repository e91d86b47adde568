/** Reads the scenes and says what is wrong with them, by file and place. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Dialogue, PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import { parse } from 'yaml';
import { z } from 'zod';
import { readMarkedSentence } from '../content-files.ts';
import { IntentsFile, SceneFile, SharedActsFile } from './scene-files.ts';

export interface Scene {
  key: string;
  title: string;
  /** Keys. */
  objectives: string[];
  dialogue: Dialogue;
}

export type SharedActsContent = z.infer<typeof SharedActsFile>;

/** What examples call the coach; features see a name, whichever it is. */
const EXAMPLE_NAME = 'Grace';

export function readScenes(contentDir: string): Scene[] {
  const folder = join(contentDir, 'scenes');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.toSorted().map((file) => {
    const key = basename(file, '.yaml');
    const scene = readYaml(join(folder, file), SceneFile);
    const intents = readYaml(join(contentDir, 'intents', file), IntentsFile);
    return { key, title: scene.title, objectives: Object.keys(scene.objectives), dialogue: dialogueOf(scene, intents) };
  });
}

export const readSharedActs = (contentDir: string): SharedActsContent =>
  readYaml(join(contentDir, 'shared-acts.yaml'), SharedActsFile);

function readYaml<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function dialogueOf(scene: SceneFile, intents: IntentsFile): Dialogue {
  const named = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll('{coach}', EXAMPLE_NAME));
  return {
    start: scene.start,
    topic: intents.topic,
    facts: Object.entries(intents.facts).map(([key, { answer, asks }]) => ({ key, answer, asks: named(asks) })),
    proofs: Object.fromEntries(
      Object.entries(intents.objectives).flatMap(([key, { needs }]) => (needs === undefined ? [] : [[key, needs]])),
    ),
    nodes: Object.entries(scene.nodes).map(([key, { say, rephrase, replies, ...known }]) => {
      const meant = intents.nodes[key];
      const { learns = meant?.learns, onKnown = meant?.onKnown } = known;
      return {
        key,
        say: { easy: say[0], intermediate: say[1], hard: say[2] },
        rephrase,
        replies: byDifficulty((difficulty) =>
          replies.map((reply) => ({
            ...readMarkedSentence(reply[difficulty]),
            next: reply.to[difficulty],
            keyword: reply.hint,
          })),
        ),
        ...(learns !== undefined && { learns }),
        ...(onKnown !== undefined && { onKnown }),
        ...(meant !== undefined && {
          understanding: {
            intents: Object.entries(meant.intents).map(([intent, { to, examples, ...rest }]) => ({
              key: intent,
              next: to,
              ...rest,
              examples: named(examples),
            })),
            bridge: meant.bridge,
            bridgeProves: meant.bridgeProves,
            reactions: meant.reactions,
            slots: meant.slots,
            isOpen: meant.open,
            unforeseen: named(meant.unforeseen),
            decoys: named(meant.decoys),
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
