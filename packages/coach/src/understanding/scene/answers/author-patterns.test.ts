/** Regular expressions that the author of a practice wrote for an objective. */
import { expect, it } from 'vitest';
import { loadSharedUnderstanding } from '@parley/catalogue';
import { dialogueOf } from '../../../test-kit/scene-coaches.ts';
import { createUnderstanding } from '../../index.ts';

const OBJECTIVE = 'name-the-delay';

function metWith(pattern: string): readonly string[] | undefined {
  const scene = dialogueOf('Explain a delay to a client');
  const dialogue = { ...scene, proofs: { ...scene.proofs, [OBJECTIVE]: pattern } };
  const coach = createUnderstanding(loadSharedUnderstanding).coachFor(dialogue, { coachName: 'Priya', seed: 3 });
  const said = 'I have to tell you that your boxes arrive later than we said';
  return coach?.answer({ node: 'opening', difficulty: 'intermediate', said }).objectives;
}

it('ignores a pattern that could take for ever in a practice that is already published', () => {
  expect(metWith(String.raw`^(\w+ ?)+!$`)).toEqual([OBJECTIVE]);
});

it('accepts Unicode letter classes in a pattern', () => {
  expect(metWith(String.raw`\p{L}{5} later`)).toEqual([OBJECTIVE]);
  expect(metWith(String.raw`\p{L}{5} earlier`)).toEqual([]);
});
