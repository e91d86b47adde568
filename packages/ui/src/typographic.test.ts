import { expect, it } from 'vitest';
import { typographic } from './typographic.ts';

it.each([
  ["I'm late, and it isn't the boss's fault.", 'I’m late, and it isn’t the boss’s fault.'],
  ['Say "tomorrow" and ("today").', 'Say “tomorrow” and (“today”).'],
  ['"Yes," he said.', '“Yes,” he said.'],
  ["the students' work in the '90s", 'the students’ work in the ’90s'],
  ['I’m “sure”.', 'I’m “sure”.'],
])('prints %s', (stored, shown) => {
  expect(typographic(stored)).toBe(shown);
  expect(typographic(stored)).toHaveLength(stored.length);
});
