import { expect, it } from 'vitest';
import { changedSettings } from './changed-settings.ts';

const LOADED = {
  name: 'Parley',
  contactEmail: 'help@example.com',
  colour: null,
  timeZone: 'UTC',
  requiresSecondFactor: false,
  auditMonths: null,
  mailMonths: null,
};

it('contains what was edited only', () => {
  expect(changedSettings(LOADED, LOADED)).toEqual({});
  expect(changedSettings(LOADED, { ...LOADED, contactEmail: null, requiresSecondFactor: true })).toEqual({
    contactEmail: null,
    requiresSecondFactor: true,
  });
});
