import { expect, it } from 'vitest';
import { readDefaultServerUrl, readServerUrl } from './environment-server-url.ts';

it.each([
  [undefined, null],
  ['', null],
  ['https://parley.example', 'https://parley.example'],
  ['http://127.0.0.1:4810', 'http://127.0.0.1:4810'],
  ['http://127.9.9.9:4810', 'http://127.9.9.9:4810'],
  ['http://localhost:4810', 'http://localhost:4810'],
  ['http://parley.localhost', 'http://parley.localhost'],
  ['http://[::1]:4810', 'http://[::1]:4810'],
])('PARLEY_SERVER_URL=%s yields %s', (named, expected) => {
  expect(readServerUrl({ PARLEY_SERVER_URL: named })).toBe(expected);
});

it.each([
  'parley.example',
  'ftp://parley.example',
  'javascript:alert(1)',
  'https://',
  ' ',
  'https://ada:secret@x.example',
])('PARLEY_SERVER_URL=%s is refused with an example', (named) => {
  expect(() => readServerUrl({ PARLEY_SERVER_URL: named })).toThrow(/https:\/\/parley\.example/);
});

it.each([
  ['http://parley.example', 'https://parley.example'],
  ['http://parley.example:4810/', 'https://parley.example:4810'],
  ['HTTP://192.168.1.5', 'https://192.168.1.5'],
  ['http://localhost.evil.example', 'https://localhost.evil.example'],
  ['http://127.0.0.1.evil.example', 'https://127.0.0.1.evil.example'],
  ['http://127.0.0.1@evil.example', 'https://evil.example'],
  ['http://[2001:db8::1]:4810', 'https://[2001:db8::1]:4810'],
])('PARLEY_SERVER_URL=%s is refused in favour of %s', (named, instead) => {
  expect(() => readServerUrl({ PARLEY_SERVER_URL: named })).toThrow(`Use ${instead} instead.`);
});

it("the build's server address is checked in the same way", () => {
  expect(readDefaultServerUrl({ PARLEY_DEFAULT_SERVER_URL: 'https://parley.example' })).toBe('https://parley.example');
  expect(readDefaultServerUrl({})).toBeNull();
  expect(() => readDefaultServerUrl({ PARLEY_DEFAULT_SERVER_URL: 'http://parley.example' })).toThrow(
    'PARLEY_DEFAULT_SERVER_URL is a plain http address on another machine',
  );
});
