import type { CoachAvailability } from '@parley/contract';
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

it.each<[what: string, offer: CoachAvailability, isCall: boolean, said: string]>([
  ['only transcribes', OFFER, false, 'Your voice goes to OpenAI, through your server, to be transcribed, and'],
  [
    'scores',
    SCORED,
    false,
    'Your voice goes to Microsoft Azure, through your server, to be transcribed and scored, and',
  ],
  ['scores, in a realtime session', SCORED, true, 'It is recorded and scored on this computer'],
])('says where the voice goes when a service %s', (_what, offer, isCall, said) => {
  expect(describeProviderLocations(offer, { coachKind: 'live', style: 'audio', isCall })).toContain(said);
});
