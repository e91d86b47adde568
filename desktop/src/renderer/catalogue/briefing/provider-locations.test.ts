import type { CoachAvailability } from '@parley/contract';
import { activateLanguage } from '@parley/i18n';
import german from '@parley/i18n/locales/de.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { describeProviderLocations } from './provider-locations.ts';

const OFFER: CoachAvailability = {
  coach: { where: 'openai', name: 'gpt-5-mini' },
  transcriber: { where: 'openai', name: 'gpt-4o-transcribe' },
  scorer: null,
  voice: null,
  realtime: { where: 'openai', name: 'gpt-realtime' },
};
const SCORED: CoachAvailability = { ...OFFER, scorer: { where: 'azure', name: 'azure-speech' } };
const UNHEARD: CoachAvailability = { ...OFFER, transcriber: null };

const CASES: [what: string, offer: CoachAvailability, isCall: boolean, said: RegExp][] = [
  ['only transcribes', OFFER, false, /Your voice goes to OpenAI \(through your server\) to be transcribed, and/],
  ['scores', SCORED, false, /goes to Microsoft Azure \(through your server\) to be transcribed and scored, and/],
  ['scores, in a realtime session', SCORED, true, /It’s recorded and scored on this computer/],
  ['does not transcribe', UNHEARD, false, /Your voice stays here: you type what you said/],
];

it.each(CASES)('says where the voice goes when a service %s', (_what, offer, isCall, said) => {
  expect(describeProviderLocations(offer, { coachKind: 'model', style: 'audio', isCall })).toMatch(said);
});

it.each(CASES)('translates the sentence when a service %s', (_what, offer, isCall) => {
  activateLanguage('de', german);
  const sentence = describeProviderLocations(offer, { coachKind: 'model', style: 'audio', isCall });
  activateLanguage('en', {});
  expect(sentence).toMatch(/Deine Stimme|deine Stimme/);
});
