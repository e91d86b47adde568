import type { CoachVoice } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { chooseVoice, type SystemVoice } from './choose-voice.ts';

describe('the choice of a coach’s voice', () => {
  const voice = (name: string, lang: string, localService = true): SystemVoice => ({ name, lang, localService });
  const preferredVoice = (gender: CoachVoice['gender'], locale: string): CoachVoice => ({
    gender,
    locale,
    rate: 1,
    pitch: 1,
  });
  const voices = [
    voice('Anna', 'de-DE'),
    voice('Samantha', 'en-US'),
    voice('Daniel', 'en-GB'),
    voice('Google UK English Female', 'en-GB', false),
    voice('Microsoft Hazel', 'en_GB'),
    voice('Alex', 'en-US'),
  ];
  it.each([
    ['female', 'en-GB', 'Microsoft Hazel'],
    ['male', 'en-GB', 'Daniel'],
    ['female', 'en-US', 'Samantha'],
    ['male', 'en-US', 'Alex'],
    ['male', 'en-IE', 'Daniel'],
  ] as const)('for %s and %s is %s', (gender, locale, expected) => {
    expect(chooseVoice(voices, preferredVoice(gender, locale))?.name).toBe(expected);
  });

  it.each(['en-GB', 'en-US'])('for female and %s is none of the eight robot voices of a Mac', (locale) => {
    const robots = ['Eddy', 'Flo', 'Grandma', 'Grandpa', 'Reed', 'Rocko', 'Sandy', 'Shelley'].flatMap((name) => [
      voice(`${name} (English (UK))`, 'en-GB'),
      voice(`${name} (English (US))`, 'en-US'),
    ]);
    expect(chooseVoice([...robots, ...voices.slice(0, 1)], preferredVoice('female', locale))).toBeNull();
    expect(chooseVoice([...robots, ...voices.slice(0, 2)], preferredVoice('female', locale))?.name).toBe('Samantha');
  });

  it('is null when no local voice speaks English', () => {
    expect(chooseVoice(voices.slice(0, 1), preferredVoice('male', 'en-GB'))).toBeNull();
    expect(chooseVoice([voice('Cloud', 'en-GB', false)], preferredVoice('male', 'en-GB'))).toBeNull();
  });
});
