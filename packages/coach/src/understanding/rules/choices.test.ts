import { describe, expect, it } from 'vitest';
import { dialogueOf } from '../../test-kit/scene-coaches.ts';
import { findChosen } from './choices.ts';

const nodeOf = (title: string, key: string) => {
  const node = dialogueOf(title).nodes.find((each) => each.key === key);
  if (node === undefined) throw new Error(`no node ${key}`);
  return node;
};
const offer = nodeOf('Make an appointment', 'offer');

describe('choice by its place', () => {
  it.each([
    ['The first one, please.', 'Wednesday at ten'],
    ["I'd rather take the second one.", 'Thursday at three'],
    ['The latter is better for me.', 'Thursday at three'],
    ['Not on Thursday, sorry.', 'Wednesday at ten'],
  ])('%s', (said, expected) => {
    expect(findChosen(offer, said)).toBe(expected);
  });

  it('turns the coach’s question round', () => {
    expect(findChosen(nodeOf('Open a bank account', 'job'), 'The latter.')).toMatch(/^I am studying/);
  });

  it.each(['The first of March.', 'The second one?', 'Not Friday.', 'Not really.', 'My second child is ill.'])(
    'is not found in “%s”',
    (said) => {
      expect(findChosen(offer, said)).toBeNull();
    },
  );

  it('needs a question that offers a choice', () => {
    expect(findChosen(nodeOf('Rent a flat', 'condition'), 'The latter.')).toBeNull();
  });
});
