import { expect, it } from 'vitest';
import { nameChoices } from './name-choices.ts';

it('tells two practices with one title apart', () => {
  const editedAt = '2026-12-01T04:08:00.000Z';
  const names = nameChoices('practice', [
    { id: '1', title: 'Ask for a raise', editedAt, editedBy: null },
    { id: '2', title: 'Ask for a raise', editedAt, editedBy: 'ines@school.example' },
    { id: '3', title: 'Rent a flat', editedAt, editedBy: null },
  ]).map(({ name, detail }) => `${name} (${detail})`);
  expect(names).toEqual([
    'Ask for a raise (practice, 1 Dec 2026, 04:08)',
    'Ask for a raise (practice, 1 Dec 2026, 04:08, ines@school.example)',
    'Rent a flat (practice)',
  ]);
});
