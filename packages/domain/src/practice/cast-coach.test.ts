import { describe, expect, it } from 'vitest';
import { castsCoach, renameCoach } from './cast-coach.ts';
import type { Dialogue } from './dialogue.ts';

const aDialogue = (line: string, reply = 'Hello, {coach}.'): Dialogue => ({
  start: 'hello',
  nodes: [
    {
      key: 'hello',
      say: { easy: line, intermediate: line, hard: line },
      replies: {
        easy: [{ text: reply, next: 'hello', keyword: 'hello', proves: [] }],
        intermediate: [],
        hard: [],
      },
      rephrase: [],
    },
  ],
});

describe('a practice', () => {
  it.each([
    ['a placeholder', aDialogue('Hello, I am {coach}.'), false],
    ['a word that only begins like the name', aDialogue('Tomorrow I am here.'), false],
    ['the coach in a line', aDialogue('Hello, I am Tom.'), true],
    ['the coach in a reply', aDialogue('Hello.', 'Good morning, Tom.'), true],
  ])('with %s casts its coach: %o', (_case, dialogue, casts) => {
    expect(castsCoach({ dialogue, scene: 'Tom calls.' }, 'Tom')).toBe(casts);
  });

  it('without a dialogue casts its coach only if its scene names them', () => {
    expect(castsCoach({ dialogue: null, scene: 'A client calls tomorrow.' }, 'Tom')).toBe(false);
    expect(castsCoach({ dialogue: null, scene: 'You meet Tom at work.' }, 'Tom')).toBe(true);
  });

  it('is told with the name of the assigned coach', () => {
    expect(renameCoach('Tom sits at the next desk. Tomorrow Tom leaves; it is Tom’s last day.', 'Tom', 'Zoë $&')).toBe(
      'Zoë $& sits at the next desk. Tomorrow Zoë $& leaves; it is Zoë $&’s last day.',
    );
    expect(renameCoach('José and Josélia', 'José', 'Ana')).toBe('Ana and Josélia');
    expect(renameCoach('A client calls.', '', 'Ana')).toBe('A client calls.');
  });
});
