import { expect, it } from 'vitest';
import { isOnThisComputer } from './is-on-this-computer.ts';

it.each([
  ['http://127.0.0.1:4810', true],
  ['http://localhost:4810', true],
  ['http://[::1]:4810', true],
  ['https://parley.school.example', false],
  ['https://localhost.school.example', false],
  ['http://192.168.1.20:4810', false],
])('tells whether %s runs on this computer', (url, expected) => {
  expect(isOnThisComputer(url)).toBe(expected);
});
