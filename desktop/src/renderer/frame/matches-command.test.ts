import { expect, it } from 'vitest';
import { matchesCommand } from './matches-command.ts';

it.each([
  ['Check the microphone', 'mic', true],
  ['Check the microphone', 'micro che', true],
  ['Check the microphone', 'phone', false],
  ['Ask for “help”', 'HELP', true],
  ['Überblick', 'über', true],
  ['Today', '', true],
])('finds “%s” by “%s”: %s', (title, typed, isFound) => {
  expect(matchesCommand(title, typed)).toBe(isFound);
});
