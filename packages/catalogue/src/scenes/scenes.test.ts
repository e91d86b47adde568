import { fileURLToPath } from 'node:url';
import { explanationText } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { readScenes, readSharedActs, type Scene } from './read-scenes.ts';
import { dialogueToScript } from '../documents/script.ts';
import { findScriptFindings } from '../documents/script-findings.ts';

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url));
const scenes = readScenes(CONTENT);
const findProblems = ({ dialogue }: Scene, objectives: readonly string[]): string[] =>
  findScriptFindings(dialogueToScript(dialogue), objectives).map((finding) => explanationText(finding));

describe('scenes', () => {
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
