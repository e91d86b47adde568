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
  expect(describeScoring('on this computer', azure)).toBe(
    'measured on this computer; in a conversation turn by turn with Microsoft Azure, through your server',
  );
  expect(describeScoring('on this computer', OPENAI)).toBe(
    'measured on this computer; your voice does not leave it for that',
  );
});

it.each<[what: string, serverAddress: string | null, offer: CoachAvailability | undefined, said: RegExp]>([
  ['without a server', null, NONE, /^none: they need a server$/],
  ['before the server has answered', SERVER, undefined, /^none: no server offers them now$/],
  ['while the server is unreachable or has no coach', SERVER, NONE, /^none: no server offers them now$/],
  ['with a self-hosted text model', SERVER, OWN, /^none: your server has no model that listens/],
  [
    'with OpenAI',
    SERVER,
    OPENAI,
    /^the model gpt-realtime, with OpenAI, through your server; it gets your voice while a call lasts/,
  ],
  [
    'with a self-hosted realtime model',
    SERVER,
    { ...OWN, realtime: { where: 'own', name: 'whisperer' } },
    /^the model whisperer, on your own server; it gets your voice while a call lasts/,
  ],
])('describes realtime sessions %s', (_what, serverAddress, offer, said) => {
  expect(describeRealtime(serverAddress, offer)).toMatch(said);
});
