/** Tests the ledger after failures: the provider is still paid, and no live minutes are deducted. */
import { randomUUID } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import type { ScriptStep } from '@parley/fakes/openai/index.ts';
import { ONE_SECOND_PCM, coachingFixture } from './test-kit/coaching-fixture.ts';

export function chargesSuite(open: () => Promise<DatabaseConnection>): void {
  const { now, always, held, talked, reply, usage, lease } = coachingFixture(open);

  describe('a coach', () => {
    it.each<[string, ScriptStep, string, number]>([
      ['refuses the key', { does: 'reject', status: 401 }, 'coach.misconfigured', 0],
      ['is busy', { does: 'reject', status: 429, retryAfterMs: 60_000 }, 'coach.busy', 0],
      ['fails', { does: 'reject', status: 500 }, 'coach.unavailable', 0],
      ['disconnects', { does: 'cut', afterEvents: 8 }, 'coach.unavailable', 1],
      ['stops responding', { does: 'fall_silent', afterEvents: 8 }, 'coach.unavailable', 1],
      [
        'fails after some words',
        { does: 'fail', code: 'server_error', text: 'Good morning. Your' },
        'coach.unavailable',
        1,
      ],
      ['sends invalid JSON', { does: 'garble_json' }, 'coach.unavailable', 2],
      ['sends an invalid stream', { does: 'garble_stream' }, 'coach.unavailable', 2],
      ['declines to answer', { does: 'refuse' }, 'coach.declined', 1],
    ])('whose provider %s fails with a code and records the accepted cost', async (_what, step, code, calls) => {
      const asked = held();
      always(step);
      const { error } = await reply(asked);
      expect(error).toBe(code);
      const rows = await usage(asked.sessionId);
      expect(rows.map(({ use, seconds }) => ({ use, seconds }))).toEqual(
        Array.from({ length: calls }, () => ({ use: 'reply', seconds: 0 })),
      );
      // The prompt alone has several hundred tokens.
      for (const { inputTokens } of rows) expect(inputTokens).toBeGreaterThan(300);
      for (const { costMicros } of rows) expect(costMicros).toBeGreaterThan(50);
      // Only an explicit failure reports how much was used.
      for (const { isEstimate } of rows) expect(isEstimate).toBe(step.does !== 'fail');
    });

    it('that always answers in the wrong format is asked twice, and each answer costs', async () => {
      const asked = held({ turns: talked() });
      always({ does: 'answer', text: 'I would say that it went well.' });
      expect(await now().server.post('/v1/coach/review', asked, now().laptop.token)).toMatchObject({ status: 503 });
      const rows = await usage(asked.sessionId);
      expect(rows.map(({ use, outputTokens }) => ({ use, outputTokens }))).toEqual([
        { use: 'judge', outputTokens: 8 },
        { use: 'judge', outputTokens: 8 },
        { use: 'review', outputTokens: 8 },
        { use: 'review', outputTokens: 8 },
      ]);
    });

    it('whose review quotes no sentence is asked again, and both answers cost', async () => {
      const asked = held({ turns: talked() });
      const rest = { corrections: [], remember: [], languageQuality: 50 };
      const blank = { best: '', fix: '', nextStep: ' ', summary: '', ...rest };
      const whole = { best: 'You spoke.', fix: 'Speak more.', nextStep: 'Go on.', summary: 'A file.', ...rest };
      now().fake.play(
        ...[{ proofs: [] }, blank, whole].map((value) => ({ does: 'answer' as const, text: JSON.stringify(value) })),
      );
      expect(await now().server.post('/v1/coach/review', asked, now().laptop.token)).toMatchObject({
        status: 200,
        body: { summary: 'A file.' },
      });
      expect((await usage(asked.sessionId)).map(({ use }) => use)).toEqual(['judge', 'review', 'review']);
    });

    it('whose learner disconnects costs as much as was said', async () => {
      const { address } = now();
      const asked = held();
      always({ does: 'fall_silent', afterEvents: 12 });
      const leaving = new AbortController();
      const response = await fetch(`${address}/v1/coach/reply`, {
        method: 'POST',
        headers: { authorization: `Bearer ${now().laptop.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked),
        signal: leaving.signal,
      });
      expect(response.status).toBe(200);
      await expect.poll(() => now().fake.calls.at(-1)?.state, { interval: 5 }).toBe('open');
      await sleep(100);
      leaving.abort();
      await expect.poll(async () => await usage(asked.sessionId), { interval: 20 }).toHaveLength(1);
      const [row] = await usage(asked.sessionId);
      expect(row).toMatchObject({ use: 'reply', seconds: 0 });
      expect(row?.outputTokens).toBeGreaterThan(0);
      expect(row?.costMicros).toBeGreaterThan(100);
    });
  });

  describe('a coach’s utterance', () => {
    const voice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
    const spokenLines = async () => now().server.database.db.select().from(aiUsage).where(eq(aiUsage.use, 'speak'));

    it('is paid for when the learner stops listening', async () => {
      const { address } = now();
      const before = (await spokenLines()).length;
      always({ does: 'fall_silent', afterEvents: 1 });
      const leaving = new AbortController();
      await fetch(`${address}/v1/speech/speak`, {
        method: 'POST',
        headers: { authorization: `Bearer ${now().laptop.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'How late will it be?', voice }),
        signal: leaving.signal,
      });
      leaving.abort();
      await expect.poll(async () => (await spokenLines()).length, { interval: 20 }).toBe(before + 1);
    });
  });

  describe('a learner’s utterance', () => {
    it('in free speech is paid for twice: transcribed, then assessed', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      const assessed = await now().server.send({
        method: 'POST',
        url: `/v1/speech/assess?sessionId=${sessionId}`,
        headers: { authorization: `Bearer ${now().laptop.token}`, 'content-type': 'audio/l16' },
        payload: ONE_SECOND_PCM,
      });
      expect(assessed).toMatchObject({ status: 200 });
      const costs = (await usage(sessionId)).map(({ costMicros }) => costMicros);
      expect(costs.toSorted((a, b) => a - b)).toEqual([278, 362]);
    });

    it('is paid for as far as it got when the learner disconnects', async () => {
      const { address } = now();
      const sessionId = randomUUID();
      await lease(sessionId);
      const leaving = new AbortController();
      async function* speaking(): AsyncGenerator<Uint8Array> {
        yield ONE_SECOND_PCM;
        await sleep(10_000, undefined, { signal: leaving.signal });
      }
      const before = now().azure.calls.length;
      const asked = fetch(`${address}/v1/speech/assess?sessionId=${sessionId}&text=Hello`, {
        method: 'POST',
        headers: { authorization: `Bearer ${now().laptop.token}`, 'content-type': 'audio/l16' },
        body: ReadableStream.from(speaking()),
        duplex: 'half',
        signal: leaving.signal,
      } as RequestInit).catch(() => undefined);
      await expect.poll(() => now().azure.calls[before]?.audioBytes ?? 0, { interval: 10 }).toBeGreaterThan(30_000);
      leaving.abort();
      await asked;
      await expect
        .poll(async () => (await usage(sessionId)).map(({ costMicros }) => costMicros), { interval: 20 })
        .toEqual([362]);
    });
  });
}
