import type { CoachOffer } from '@parley/contract';
import { expect, it } from 'vitest';
import { calls, scores } from './what-runs-where.ts';

const SERVER = 'https://parley.example';
const NONE: CoachOffer = { coach: null, transcriber: null, scorer: null, voice: null, realtime: null };
const OWN: CoachOffer = { ...NONE, coach: { where: 'own', name: 'llama3.3' } };
const OPENAI: CoachOffer = {
  ...NONE,
  coach: { where: 'openai', name: 'gpt-5-mini' },
  realtime: { where: 'openai', name: 'gpt-realtime' },
};

it('scores of another service are those of conversations turn by turn: calls are scored here', () => {
  const azure: CoachOffer = { ...OPENAI, scorer: { where: 'azure', name: 'azure-speech' } };
  expect(scores('on this computer', azure)).toBe(
    'measured on this computer; in a conversation turn by turn with Microsoft Azure, through your server',
  );
  expect(scores('on this computer', OPENAI)).toBe('measured on this computer; your voice does not leave it for that');
});

it.each<[what: string, serverAddress: string | null, offer: CoachOffer | undefined, said: RegExp]>([
  ['without a server', null, NONE, /^none: they need a server$/],
  ['before the server has answered', SERVER, undefined, /^none: no server offers them now$/],
  ['while the server is out of reach, or has no coach', SERVER, NONE, /^none: no server offers them now$/],
  ['with a model of one’s own that only writes', SERVER, OWN, /^none: your server has no model that listens/],
  [
    'with OpenAI',
    SERVER,
    OPENAI,
    /^the model gpt-realtime, with OpenAI, through your server; it gets your voice while a call lasts/,
  ],
  [
    'with a model of one’s own that speaks',
    SERVER,
    { ...OWN, realtime: { where: 'own', name: 'whisperer' } },
    /^the model whisperer, on your own server; it gets your voice while a call lasts/,
  ],
])('calls %s are told of as they are', (_what, serverAddress, offer, said) => {
  expect(calls(serverAddress, offer)).toMatch(said);
});
