import { expect, it } from 'vitest';
import { readServerUrl } from './server-address.ts';

it.each([
  [undefined, null],
  ['', null],
  ['https://parley.example', 'https://parley.example'],
  ['http://127.0.0.1:4810', 'http://127.0.0.1:4810'],
])('PARLEY_SERVER_URL=%s names %s', (named, expected) => {
  expect(readServerUrl({ PARLEY_SERVER_URL: named })).toBe(expected);
});

it.each(['parley.example', 'ftp://parley.example', 'javascript:alert(1)', 'https://', ' '])(
  'PARLEY_SERVER_URL=%s is refused in a sentence that helps',
  (named) => {
    expect(() => readServerUrl({ PARLEY_SERVER_URL: named })).toThrow(/https:\/\/parley\.example/);
  },
);
