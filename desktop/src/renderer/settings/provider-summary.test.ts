import type { CoachAvailability } from '@parley/contract';
import { expect, it } from 'vitest';
import { describeRealtime, describeScoring } from './provider-summary.ts';

const SERVER = 'https://parley.example';
const NONE: CoachAvailability = { coach: null, transcriber: null, scorer: null, voice: null, realtime: null };
const OWN: CoachAvailability = { ...NONE, coach: { where: 'own', name: 'llama3.3' } };
const OPENAI: CoachAvailability = {
  ...NONE,
  coach: { where: 'openai', name: 'gpt-5-mini' },
  realtime: { where: 'openai', name: 'gpt-realtime' },
};

it('limits an external scorer to sessions turn by turn', () => {
  const azure: CoachAvailability = { ...OPENAI, scorer: { where: 'azure', name: 'azure-speech' } };
  expect(describeScoring(azure)).toBe(
    'On this computer. When you take turns with a live coach, your voice goes to Microsoft Azure (through your server) to be scored.',
  );
  expect(describeScoring(OPENAI)).toBe('On this computer. Your voice isn’t sent anywhere to be scored.');
});

it.each<[what: string, serverAddress: string | null, offer: CoachAvailability | undefined, said: RegExp]>([
  ['without a server', null, NONE, /^None\. Calls need a server\.$/],
  ['before the server has answered', SERVER, undefined, /^None right now\./],
  ['while the server is unreachable or has no coach', SERVER, NONE, /^None right now\./],
  ['with a self-hosted text model', SERVER, OWN, /^None\. Your server has no model that can listen/],
  [
    'with OpenAI',
    SERVER,
    OPENAI,
    /^gpt-realtime\. Your voice goes to OpenAI \(through your server\) while a call lasts\./,
  ],
  [
    'with a self-hosted realtime model',
    SERVER,
    { ...OWN, realtime: { where: 'own', name: 'whisperer' } },
    /^whisperer\. Your voice goes to a model on your own server while a call lasts\./,
  ],
])('describes realtime sessions %s', (_what, serverAddress, offer, said) => {
  expect(describeRealtime(serverAddress, offer)).toMatch(said);
});
