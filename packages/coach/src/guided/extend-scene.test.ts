/** The coach's next question when a scene that has ended goes on, in the practices that ship. */
import { loadSharedUnderstanding, loadStarterCatalogue } from '@parley/catalogue';
import { PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { coachSaid, learnerSaid } from '../test-kit/builders.ts';
import { createUnderstanding } from '../understanding/index.ts';
import { extendScene } from './extend-scene.ts';

const catalogue = loadStarterCatalogue();
const understanding = createUnderstanding(loadSharedUnderstanding);
const [profile] = catalogue.aiAgentProfiles;
if (profile === undefined) throw new Error('there is no coach');
const { manner, name: coachName } = profile;

/** Extends a scene in which the coach has asked the questions of these nodes and only this objective is still open. */
function extend(title: string, openKey: string, asked: readonly string[], difficulty: PracticeDifficulty = 'easy') {
  const practice = catalogue.practices.find((row) => row.title === title);
  const dialogue = practice?.dialogue ?? null;
  if (practice === undefined || dialogue === null) throw new Error(`no scene ${title}`);
  const ids = new Set(
    catalogue.practiceObjectives.flatMap((row) => (row.practiceId === practice.practiceId ? [row.objectiveId] : [])),
  );
  const objectives = catalogue.objectives.filter(({ objectiveId }) => ids.has(objectiveId));
  const turns = [
    ...asked.flatMap((node) => [coachSaid('?', { node }), learnerSaid('Well.')]),
    coachSaid('Goodbye!', { kind: 'goodbye' }),
  ];
  const completed = objectives.filter(({ key }) => key !== openKey);
  return extendScene(
    {
      dialogue,
      difficulty,
      manner,
      coachName,
      sceneCoach: understanding.coachFor(dialogue, { coachName, seed: 0 }),
      seed: 0,
      objectives,
    },
    { turns, completed },
  );
}

describe('going on', () => {
  it.each([
    ['Give a stand-up update', 'problem', ['yesterday', 'today', 'problem', 'ask'], 'problem'],
    ['Give a stand-up update', 'today', ['yesterday', 'today', 'ask'], 'today'],
    ['Give a stand-up update', 'yesterday', ['yesterday', 'today', 'ask'], 'yesterday'],
    ['Your first day at work', 'job', ['welcome', 'lunch'], 'job'],
  ])('asks about the open objective: %s, %s', (title, open, asked, node) => {
    expect(extend(title, open, asked)?.node).toBe(node);
  });

  it.each(['easy', 'hard'] as const)('does not greet again (%s)', (difficulty) => {
    const line = extend('Your first day at work', 'introduce', ['welcome', 'job'], difficulty);
    expect(line?.node).toBe('welcome');
    expect(line?.text).toMatch(/\. And what's your name\?$/);
  });

  it('asks something complete for each objective of each scene', { tags: ['slow'] }, () => {
    for (const { title, practiceId } of catalogue.practices) {
      const ids = catalogue.practiceObjectives.filter((row) => row.practiceId === practiceId);
      for (const { key } of catalogue.objectives.filter((one) =>
        ids.some((row) => row.objectiveId === one.objectiveId),
      ))
        for (const difficulty of PRACTICE_DIFFICULTIES)
          expect(extend(title, key, [], difficulty)?.text, `${title}, ${key}`).toMatch(/^[^{}]+$/);
    }
  });
});
