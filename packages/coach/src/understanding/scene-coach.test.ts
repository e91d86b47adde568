/** The coach that understands free answers, on the scenes that learners get. */
import { fileURLToPath } from 'node:url';
import { readScenes, readSharedActs } from '@parley/catalogue/scenes';
import { PRACTICE_DIFFICULTIES } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { createSceneCoach, NO_MEMORY, type SceneCoach, trainWorkTalk } from './index.ts';

const CONTENT = fileURLToPath(new URL('../../../catalogue/content', import.meta.url));
const scenes = readScenes(CONTENT);
const { asks, off } = readSharedActs(CONTENT);
const workTalk = trainWorkTalk(
  scenes.flatMap(({ dialogue }) => dialogue.nodes.flatMap(({ understanding }) => understanding?.unforeseen ?? [])),
  Object.values(asks).flatMap(({ examples }) => examples),
  off,
);

function coachOf(practice: string): SceneCoach {
  const scene = scenes.find(({ key }) => key === practice);
  if (scene === undefined) throw new Error(`no scene ${practice}`);
  return createSceneCoach(scene.dialogue, { shared: { asks, off }, workTalk, coachName: 'Priya', seed: 3 });
}

const delay = coachOf('explain-a-delay');
const at = (node: string, said: string) => delay.answer({ node, difficulty: 'intermediate', said });

describe('a free answer', () => {
  it('is understood in the learner’s own words, and proves its objective', () => {
    const said = 'There was a big storm in Santos and the ship could not leave the port.';
    const answer = at('reason', said);
    expect(['intent', 'bridge']).toContain(answer.kind);
    expect(answer.reply).not.toBe('reason');
    expect(at('opening', 'I have to tell you that your boxes arrive later than we said')).toMatchObject({
      kind: 'intent',
      objectives: ['name-the-delay'],
    });
  });

  it('is answered by the coach who plays the scene', () => {
    expect(delay.open('easy')).toContain('Priya');
    expect(delay.open('easy')).not.toContain('{');
  });

  it.each([
    ['Sorry, could you say that again?', 'asks'],
    ['What does shipment mean?', 'asks'],
    ['My cat likes to sleep on the sofa.', 'off'],
    ['asdf qwer zxcv', 'off'],
    ['no entiendo nada de esto, perdón', 'off'],
    ['今天天气很好', 'off'],
    ['', 'off'],
  ])('does not move the scene on: %s', (said, kind) => {
    const answer = at('reason', said);
    expect(answer).toMatchObject({ kind, reply: null, objectives: [] });
    expect(answer.coach.length).toBeGreaterThan(5);
  });

  it('is not asked for again when it was told early', () => {
    const said = "I'm calling because our truck has broken down.";
    const { memory } = delay.answer({ node: 'opening', difficulty: 'easy', said });
    expect(memory.told).toContain('reason');
    const late = delay.answer({ node: 'how-late', difficulty: 'easy', said: 'About four days.', memory });
    expect(late.reply).not.toBe('reason');
  });
});

/** Says such things in turn until the scene ends; the nodes that the coach went to. */
function hold(
  coach: SceneCoach,
  start: string,
  difficulty: (typeof PRACTICE_DIFFICULTIES)[number],
  says: readonly string[],
) {
  const lines: string[] = [];
  let [node, memory] = [start, NO_MEMORY];
  for (let turn = 0; turn < 120; turn += 1) {
    const answer = coach.answer({ node, difficulty, said: says[turn % says.length] ?? '', memory });
    lines.push(answer.coach);
    if (answer.hasEnded) return { hasEnded: true, lines };
    node = answer.reply ?? node;
    memory = answer.memory;
  }
  return { hasEnded: false, lines };
}

describe.each(['explain-a-delay', 'small-talk', 'stand-up-update'])('a difficult learner in %s', (practice) => {
  const coach = coachOf(practice);
  const start = scenes.find(({ key }) => key === practice)?.dialogue.start ?? '';

  it.each([
    ['says nothing', ['']],
    ['talks of other things', ['I like pizza.', 'The moon is bright.', 'My dog can swim.']],
    ['asks for ever', ['Could you repeat that, please?', 'What do you mean?', 'Slower, please.']],
    ['mixes languages', ['Ich weiß nicht, was das ist.', 'no sé qué decir hoy', 'Maybe.']],
  ])('comes to an end who %s', (_, says) => {
    for (const difficulty of PRACTICE_DIFFICULTIES) {
      const { hasEnded, lines } = hold(coach, start, difficulty, says);
      expect(hasEnded).toBe(true);
      lines.forEach((line, index) => expect(line, `turn ${index}`).not.toBe(lines[index - 1]));
    }
  });
});
