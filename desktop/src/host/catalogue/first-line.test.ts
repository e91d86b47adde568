import type { EnglishLevel, PracticeDifficulty } from '@parley/domain';
import { expect, it } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';
import { aCatalogue, LATE_DELIVERY } from '../test-kit/test-catalogue.ts';

const LINES = {
  easy: 'Hello, {coach} here. Where is my order?',
  intermediate: 'Hi, it’s {coach}. What happened to my order?',
  hard: '{coach} speaking. I’ve been waiting for my order.',
};

async function openWithLines(level: EnglishLevel) {
  const catalogue = await aCatalogue();
  return openHost({
    loadCatalogue: async () => ({
      ...catalogue,
      practices: catalogue.practices.map((practice) => ({
        ...practice,
        level,
        dialogue: practice.dialogue && {
          ...practice.dialogue,
          nodes: practice.dialogue.nodes.map((node) => ({ ...node, say: LINES })),
        },
      })),
    }),
  });
}

const lineOf = (difficulty: PracticeDifficulty): string => LINES[difficulty].replace('{coach}', 'Maya');

it('shows on Today and in the briefing the first line that the practice will begin with', async () => {
  const { ask, host } = await openWithLines('beginner');
  const shown = async (): Promise<(string | null | undefined)[]> => [
    (await ask.catalogue.firstLine({ practiceId: LATE_DELIVERY })).line,
    (await ask.today.overview()).suggested?.firstLine,
  ];
  // Without a level, the practice's own difficulty is used.
  expect(await shown()).toEqual([lineOf('easy'), lineOf('easy')]);
  await ask.settings.updateProfile({ englishLevel: 'advanced' });
  expect(await shown()).toEqual([lineOf('hard'), lineOf('hard')]);
  await ask.settings.updateProfile({ practiceDifficulty: 'intermediate' });
  expect(await shown()).toEqual([lineOf('intermediate'), lineOf('intermediate')]);
  const { turns } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'intermediate',
    communicationStyle: 'text',
  });
  expect(turns[0]?.text).toBe(lineOf('intermediate'));
  await host.close();
});
