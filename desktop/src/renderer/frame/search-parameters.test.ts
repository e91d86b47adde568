import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { oneOf, optional, text, texts, uuid, wholeNumber } from './search-parameters.ts';

const ID = '0198c5f0-1111-7222-8333-444455556666';

it('accepts ids, and nothing that only starts like one', () => {
  expect(uuid(ID)).toBe(ID);
  for (const other of [`${ID}0`, ` ${ID}`, `${ID}\n`, ID.slice(1), 7, null, undefined, [ID]])
    expect(uuid(other)).toBeUndefined();
});

it('takes texts up to their length, without the spaces around them', () => {
  expect(text('  Hello  ', 5)).toBe('Hello');
  for (const other of ['Hello!', '', '   ', 5, {}, null, undefined]) expect(text(other, 5)).toBeUndefined();
});

it('takes lists of texts only when each of them fits', () => {
  const limits = { maxCount: 2, maxCharacters: 5 };
  expect(texts(['one', 'two'], limits)).toEqual(['one', 'two']);
  for (const other of [[], ['one', 'two', 'three'], ['one', 'too long'], ['one', 2], 'one', undefined])
    expect(texts(other, limits)).toBeUndefined();
});

it('accepts listed values and whole numbers in a range', () => {
  expect(oneOf('easy', ['easy', 'hard'])).toBe('easy');
  for (const other of ['Easy', 'toString', 0, undefined]) expect(oneOf(other, ['easy', 'hard'])).toBeUndefined();
  expect(wholeNumber(5, { from: 1, to: 5 })).toBe(5);
  for (const other of [0, 6, 1.5, Number.NaN, '2', undefined])
    expect(wholeNumber(other, { from: 1, to: 5 })).toBeUndefined();
});

it('passes only checked parameters of an address to a screen', () => {
  const root = createRootRoute();
  const screen = createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: ({ name, kind }) => optional({ name: text(name, 5), kind: oneOf(kind, ['easy', 'hard']) }),
  });
  const router = createRouter({ routeTree: root.addChildren([screen]), history: createMemoryHistory() });
  expect(router.matchRoutes('/', { name: 5, kind: 'hard' }).at(-1)?.search).toEqual({ kind: 'hard' });
});
