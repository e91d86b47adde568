import { fileURLToPath } from 'node:url';
import { type DialogueNode, explanationText, PRACTICE_DIFFICULTIES } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { readScenes, readSharedActs, type Scene } from './read-scenes.ts';
import { dialogueToScript } from '../documents/script.ts';
import { findScriptFindings } from '../documents/script-findings.ts';
import { loadStarterCatalogue } from '../index.ts';

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url));
const scenes = readScenes(CONTENT);
const findProblems = ({ dialogue }: Scene, objectives: readonly string[]): string[] =>
  findScriptFindings(dialogueToScript(dialogue), objectives).map((finding) => explanationText(finding));

/** Whole sentences of two words or more. The coach itself leaves out "All right." after a reaction. */
const sentencesOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/^(?:okay|all right|i see|right|fine|good)\. (?=.)/, '')
    .split(/(?<=[.!?]) /)
    .filter((sentence) => sentence.includes(' '));

/** The coach's reaction to an answer, with the node of its next line. */
const reactionsAt = ({ understanding }: DialogueNode) =>
  understanding === undefined
    ? []
    : [
        { reactions: understanding.reactions, next: understanding.bridge },
        ...understanding.intents.map(({ reactions, next }) => ({
          reactions: reactions.length > 0 ? reactions : understanding.reactions,
          next,
        })),
      ];

describe('scenes', () => {
  it('react without saying what the next line says', () => {
    const repeated = scenes.flatMap(({ key, dialogue: { nodes } }) =>
      nodes.flatMap((node) =>
        reactionsAt(node).flatMap(({ reactions, next }) =>
          PRACTICE_DIFFICULTIES.flatMap((difficulty) => {
            const line = nodes.find((other) => other.key === next[difficulty])?.say[difficulty] ?? '';
            return sentencesOf(line)
              .filter((sentence) => reactions.some((reaction) => sentencesOf(reaction).includes(sentence)))
              .map((sentence) => `${key}, ${node.key}: ${sentence}`);
          }),
        ),
      ),
    );
    expect(repeated).toEqual([]);
  });

  it('say nothing about a coach by name, because any coach can play a scene', () => {
    const names = loadStarterCatalogue().aiAgentProfiles.map(({ name }) => name);
    const said = scenes.flatMap(({ dialogue: { facts = [], nodes } }) => [
      ...facts.map(({ answer }) => answer),
      ...nodes.flatMap(({ say, rephrase, understanding }) => [
        ...Object.values(say),
        ...rephrase,
        ...(understanding?.intents.flatMap(({ reactions }) => reactions) ?? []),
      ]),
    ]);
    expect(said.filter((text) => names.some((name) => new RegExp(`\\b${name}\\b`).test(text)))).toEqual([]);
  });

  it.each(scenes.map((scene) => [scene.key, scene] as const))(
    '%s has no dead ends or unreachable objectives',
    (_, scene) => {
      expect(findProblems(scene, scene.objectives)).toEqual([]);
    },
  );

  it('share acts with enough examples, and off-topic sentences', () => {
    const { asks, off } = readSharedActs(CONTENT);
    for (const { examples, replies } of Object.values(asks)) {
      expect(examples.length).toBeGreaterThan(40);
      expect(replies.length).toBeGreaterThan(1);
    }
    expect(off.length).toBeGreaterThan(700);
  });
});

describe('scene validation', () => {
  const [scene] = scenes;
  if (scene === undefined) throw new Error('there is no scene');

  it('reports dead ends, unreachable objectives and ambiguous examples', () => {
    const [first, ...others] = scene.dialogue.nodes;
    const understanding = first?.understanding;
    if (first === undefined || understanding === undefined) throw new Error('the scene has no beginning');
    const [one, two, ...rest] = understanding.intents;
    if (one === undefined || two === undefined) throw new Error('the scene begins with too few intents');
    const nowhere = { easy: 'nowhere', intermediate: 'nowhere', hard: 'nowhere' };
    const shared = { ...two, examples: [...two.examples, one.examples[0] ?? ''] };
    const broken = {
      ...scene,
      dialogue: {
        ...scene.dialogue,
        nodes: [
          { ...first, understanding: { ...understanding, bridge: nowhere, intents: [one, shared, ...rest] } },
          ...others,
        ],
      },
    };
    const problems = findProblems(broken, [...scene.objectives, 'fly']);
    expect(problems).toEqual(
      expect.arrayContaining([
        `An unexpected answer at “${first.key}” leads to “nowhere”, which isn’t a step.`,
        expect.stringContaining(`is an example of both “${one.key}” and “${two.key}”`),
        'The objective “fly” can’t be met: no reply meets it.',
      ]),
    );
  });
});
