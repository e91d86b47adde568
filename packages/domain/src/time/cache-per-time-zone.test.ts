import { afterEach, describe, expect, it, vi } from 'vitest';
import { isKnownTimeZone, localTimeOf } from './daytime.ts';
import { localDayFormatter } from './local-day.ts';

const AT = new Date('2026-11-18T23:30:00.000Z');
/** More time zones than the learners of a server have. */
const SPELLINGS = 3_000;

/** A time zone's name in thousands of spellings, all of which the platform accepts. */
const spell = (zone: string, nr: number): string =>
  [...zone].map((letter, index) => ((nr >> (index % 12)) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

afterEach(() => void vi.restoreAllMocks());

describe('a time zone', () => {
  const countFormatters = () => vi.spyOn(Intl, 'DateTimeFormat');

  it('is read once, however often it is used', () => {
    // Other test files, which share the modules, do not use this spelling.
    const zone = 'pacific/cHATHAM';
    const created = countFormatters();
    for (let use = 0; use < 100; use += 1) {
      localTimeOf(AT, zone);
      localDayFormatter(zone)(AT);
    }
    expect(created).toHaveBeenCalledTimes(2);
  });

  it('in thousands of spellings is understood, and only some of them are kept', () => {
    const names = Array.from({ length: SPELLINGS }, (_, nr) => spell('America/Argentina/Buenos_Aires', nr));
    expect(new Set(names).size).toBe(SPELLINGS);
    for (const name of names) {
      expect(isKnownTimeZone(name)).toBe(true);
      expect(localTimeOf(AT, name)).toBe('20:30');
      expect(localDayFormatter(name)(AT)).toBe('2026-11-18');
    }
    const created = countFormatters();
    for (const name of names.slice(-200)) {
      localTimeOf(AT, name);
      localDayFormatter(name);
    }
    expect(created).not.toHaveBeenCalled();
    // Evicted entries are created again.
    for (const name of names.slice(0, 1_000)) {
      localTimeOf(AT, name);
      localDayFormatter(name);
    }
    expect(created).toHaveBeenCalledTimes(2_000);
  });

  it('that does not exist is unknown each time', () => {
    for (let use = 0; use < 2; use += 1) expect(isKnownTimeZone('Europe/Atlantis')).toBe(false);
  });
});
