import { expect, it } from 'vitest';
import { fullName } from './full-name.ts';

it('joins the parts of a name that are present', () => {
  expect(fullName({ firstName: 'Ana', lastName: 'Souza' })).toBe('Ana Souza');
  expect(fullName({ firstName: null, lastName: 'Souza' })).toBe('Souza');
  expect(fullName({ firstName: '', lastName: null })).toBeNull();
});

it.each([' ', '\u200B', '\u3164', '\u2800', '\u202E\u202C', '\u00AD\uFEFF', '\n'])(
  'is null when nothing of it can be seen: %j',
  (blank) => {
    expect(fullName({ firstName: blank, lastName: null })).toBeNull();
    expect(fullName({ firstName: blank, lastName: 'Souza' })).toBe('Souza');
  },
);

it('cannot change the direction of the text after it, or begin a line', () => {
  expect(fullName({ firstName: '\u202Eana', lastName: 'x\u2067y\nadmin' })).toBe('ana x y admin');
});

it('keeps the joiners of Persian and Indian names', () => {
  expect(fullName({ firstName: 'علی\u200Cرضا', lastName: 'क्\u200Dष' })).toBe('علی\u200Cرضا क्\u200Dष');
});
