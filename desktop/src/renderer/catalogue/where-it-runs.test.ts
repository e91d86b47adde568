import type { CoachOffer } from '@parley/contract';
import { expect, it } from 'vitest';
import { whereItRuns } from './where-it-runs.ts';

const OFFER: CoachOffer = {
  coach: { where: 'openai', name: 'gpt-5-mini' },
  transcriber: { where: 'openai', name: 'gpt-4o-transcribe' },
  scorer: null,
  voice: null,
  realtime: { where: 'openai', name: 'gpt-realtime' },
};
const SCORED: CoachOffer = { ...OFFER, scorer: { where: 'azure', name: 'azure-speech' } };

it.each<[what: string, offer: CoachOffer, isCall: boolean, said: string]>([
  ['only writes down', OFFER, false, 'Your voice goes to OpenAI, through your server, to be written down, and'],
  [
    'scores',
    SCORED,
    false,
    'Your voice goes to Microsoft Azure, through your server, to be written down and scored, and',
  ],
  ['scores, in a call', SCORED, true, 'It is recorded and scored on this computer'],
])('what becomes of a voice is told where a service %s', (_what, offer, isCall, said) => {
  expect(whereItRuns(offer, { coachKind: 'live', style: 'audio', isCall })).toContain(said);
});
