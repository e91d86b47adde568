import { expect, it } from 'vitest';
import { readServerAddress } from './server-address.ts';

it.each([
  ['parley.example', 'https://parley.example'],
  ['  https://parley.example/sign-in?x=1 ', 'https://parley.example'],
  ['https://parley.example:8443', 'https://parley.example:8443'],
  ['http://127.0.0.1:4810', 'http://127.0.0.1:4810'],
  ['localhost:4810', 'http://localhost:4810'],
  ['http://[::1]:4810/', 'http://[::1]:4810'],
])('"%s" is %s', (typed, origin) => {
  expect(readServerAddress(typed)).toEqual({ ok: true, value: origin });
});

it.each(['', 'my school', 'ftp://parley.example', 'javascript:alert(1)', 'https://ada:secret@parley.example'])(
  '"%s" is no address',
  (typed) => {
    expect(readServerAddress(typed)).toMatchObject({ ok: false, error: { code: 'server.address_invalid' } });
  },
);

it.each(['http://parley.example', 'http://192.168.1.20:4810', 'http://127.0.0.1.example.com'])(
  '"%s" could be read on its way',
  (typed) => {
    expect(readServerAddress(typed)).toMatchObject({ ok: false, error: { code: 'server.not_secure' } });
  },
);
