import { DRILLS } from '@parley/catalogue/drills';
import { expect, it } from 'vitest';
import { drillForSound } from './drill-for-sound.ts';

it('opens a drill that exists, and none for other sounds', () => {
  const words = DRILLS.filter(({ kind }) => kind === 'word').map(({ text }) => text);
  for (const sound of ['θ', 'ð', 'ɹ', 'l', 'v', 'w', 'ʃ', 'tʃ', 'dʒ']) expect(words).toContain(drillForSound(sound));
  expect(drillForSound('æ')).toBeNull();
});
