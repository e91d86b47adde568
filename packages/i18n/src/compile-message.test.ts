import { readdirSync, readFileSync } from 'node:fs';
import { compileMessage as compileWithLingui } from '@lingui/message-utils/compileMessage';
import { expect, it } from 'vitest';
import { compileMessage } from './compile-message.ts';

const CATALOGUE_FOLDERS = [
  new URL('locales/', import.meta.url),
  new URL('../../../sync-server/admin/src/locales/', import.meta.url),
];

const messages = CATALOGUE_FOLDERS.flatMap((folder) =>
  readdirSync(folder).flatMap((name) =>
    Object.entries(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, string>).flat(),
  ),
);

it('compiles every message and translation exactly as Lingui does', () => {
  expect(messages.length).toBeGreaterThan(10_000);
  const different = messages.filter(
    (message) => JSON.stringify(compileMessage(message)) !== JSON.stringify(compileWithLingui(message)),
  );
  expect(different).toEqual([]);
});

it.each([
  '',
  'Plain',
  'Hi {name}.',
  '<0>{ name }</0> # {x}',
  '{n, plural, =0 {none} one {# word} other {# words, {x}}} end',
  '{n,plural,one{a}other{b {m, plural, other {#}}}}',
])('compiles %j as Lingui does', (message) => {
  expect(compileMessage(message)).toEqual(compileWithLingui(message));
});

it.each(['{', 'a } b', '{n, plural, one {a}', '{n, plural, one {a', '{n, select, a {b}}', '{a b}'])(
  'shows %j, which it cannot compile, as it is',
  (message) => {
    expect(compileMessage(message)).toEqual([message]);
  },
);
