import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openMemoryDatabase } from '../../test-kit/memory-database.ts';
import { coachingFixture, ONE_SECOND_PCM } from './test-kit/coaching-fixture.ts';

const { now, always, held, talked, lease } = coachingFixture(openMemoryDatabase);

const sessionId = randomUUID();
const VOICE = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };

it.each<[string, () => { path: string; body: object | Buffer }]>([
  ['a reply', () => ({ path: '/v1/coach/reply', body: held() })],
  ['a hint', () => ({ path: '/v1/coach/hint', body: { ...held({ turns: talked().slice(0, 1) }), level: 1 } })],
  ['a review', () => ({ path: '/v1/coach/review', body: held({ turns: talked() }) })],
  ['a translation', () => ({ path: '/v1/coach/translate', body: { text: 'Good morning.', language: 'de' } })],
  ['a voice', () => ({ path: '/v1/speech/speak', body: { text: 'How late will it be?', voice: VOICE } })],
  ['a transcript', () => ({ path: `/v1/speech/transcribe?sessionId=${sessionId}`, body: ONE_SECOND_PCM })],
])('a learner who leaves before %s arrives is not reported as an error', async (_what, request) => {
  const { fake, server, address, laptop } = now();
  always({ does: 'fall_silent', afterEvents: 0 });
  const before = server.log();
  await lease(sessionId);
  const { path, body } = request();
  const leaving = new AbortController();
  const calls = fake.calls.length;
  const type = Buffer.isBuffer(body) ? 'audio/l16' : 'application/json';
  const asked = fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${laptop.token}`, 'content-type': type },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
    signal: leaving.signal,
  }).catch(() => null);
  await expect.poll(() => fake.calls.length, { interval: 5 }).toBeGreaterThan(calls);
  leaving.abort();
  await asked;
  await expect.poll(() => fake.calls.at(-1)?.state, { interval: 5 }).toBe('hung_up');
  await sleep(100);
  expect(server.log()).toBe(before);
});
