import { expect, it } from 'vitest';
import { createCookieJar } from './cookies.ts';

it.each([
  [{ isSecure: true, origin: 'https://parley.example' }, '__Host-parley'],
  [{ isSecure: true, origin: 'https://parley.example:8443' }, '__Host-parley-8443'],
  [{ isSecure: false, origin: 'http://127.0.0.1:4810' }, 'parley-web-4810'],
  [{ isSecure: false, origin: 'http://127.0.0.1:4811' }, 'parley-web-4811'],
])('uses its own cookie names at %j: %s', (server, name) => {
  expect(createCookieJar(server)).toMatchObject({ session: name, form: `${name}-form` });
});
