import { expect, it } from 'vitest';
import { parseServerAddress } from './server-address.ts';

it.each([
  ['parley.example', 'https://parley.example'],
  ['  https://parley.example/sign-in?x=1 ', 'https://parley.example'],
  ['https://parley.example:8443', 'https://parley.example:8443'],
  ['http://127.0.0.1:4810', 'http://127.0.0.1:4810'],
  ['localhost:4810', 'http://localhost:4810'],
  ['http://[::1]:4810/', 'http://[::1]:4810'],
])('reads "%s" as %s', (typed, origin) => {
  expect(parseServerAddress(typed)).toEqual({ ok: true, value: origin });
});

it.each(['', 'my school', 'ftp://parley.example', 'javascript:alert(1)', 'https://ada:secret@parley.example'])(
  'rejects "%s" as an address',
  (typed) => {
    expect(parseServerAddress(typed)).toMatchObject({ ok: false, error: { code: 'server.address_invalid' } });
  },
);

it.each(['http://parley.example', 'http://192.168.1.20:4810', 'http://127.0.0.1.example.com'])(
  'rejects "%s" because it would not be encrypted',
  (typed) => {
    expect(parseServerAddress(typed)).toMatchObject({ ok: false, error: { code: 'server.not_secure' } });
  },
);
