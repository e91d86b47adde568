import { expect, it } from 'vitest';
import { loadSharedUnderstanding } from '@parley/catalogue';
import { dialogueOf } from '../../test-kit/scene-coaches.ts';
import { createUnderstanding } from '../index.ts';

it('an expression that could take for ever, of a practice that is already published, is not asked', () => {
  const scene = dialogueOf('Explain a delay to a client');
  const dialogue = { ...scene, proofs: { ...scene.proofs, 'name-the-delay': String.raw`^(\w+ ?)+!$` } };
  const coach = createUnderstanding(loadSharedUnderstanding).coachFor(dialogue, { coachName: 'Priya', seed: 3 });
  const said = 'I have to tell you that your boxes arrive later than we said';
  expect(coach?.answer({ node: 'opening', difficulty: 'intermediate', said }).objectives).toEqual(['name-the-delay']);
});
