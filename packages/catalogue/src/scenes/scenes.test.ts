import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readScenes, readSharedActs } from './read-scenes.ts';
import { problemsOf } from './validate-scene.ts';

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url));
const scenes = readScenes(CONTENT);

describe('the scenes', () => {
  it.each(scenes.map((scene) => [scene.key, scene] as const))(
    '%s has no dead end and keeps its promises',
    (_, scene) => {
      expect(problemsOf(scene, scene.objectives)).toEqual([]);
    },
  );

  it('share acts with enough ways to say each, and talk that belongs nowhere', () => {
    const { asks, off } = readSharedActs(CONTENT);
    for (const { examples, replies } of Object.values(asks)) {
      expect(examples.length).toBeGreaterThan(40);
      expect(replies.length).toBeGreaterThan(1);
    }
    expect(off.length).toBeGreaterThan(700);
  });
});

describe('the validator', () => {
  const [scene] = scenes;
  if (scene === undefined) throw new Error('there is no scene');

  it('reports a node that leads nowhere, an objective out of reach and a phrasing with two owners', () => {
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
    const problems = problemsOf(broken, [...scene.objectives, 'fly']);
    expect(problems).toEqual(
      expect.arrayContaining([
        `"${first.key}" leads to unknown "nowhere"`,
        expect.stringContaining(`belongs to ${one.key} and ${two.key}`),
        'hard: the objective "fly" cannot be reached',
      ]),
    );
  });
});
