import { expect, it } from 'vitest';
import { changeOf } from './typed-profile.ts';

const stored = { firstName: 'Amina', lastName: null, jobTitle: 'Nurse' };

it('saves only the fields that were edited, whatever another device has changed since', () => {
  expect(changeOf({ lastName: ' Diallo ' }, stored)).toEqual({ lastName: 'Diallo' });
  expect(changeOf({ lastName: 'Diallo' }, { ...stored, firstName: 'Aminata', jobTitle: null })).toEqual({
    lastName: 'Diallo',
  });
  expect(changeOf({ firstName: 'Mina', jobTitle: ' ' }, stored)).toEqual({ firstName: 'Mina', jobTitle: null });
});

it('has nothing to save before an edit or after the edit was undone', () => {
  expect(changeOf({}, stored)).toBeNull();
  expect(changeOf({}, { ...stored, firstName: 'Aminata' })).toBeNull();
  expect(changeOf({ firstName: 'Amina ', lastName: '' }, stored)).toBeNull();
});
