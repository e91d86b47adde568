/** What stands in the ledger when it did not go well: the provider is paid all the same, and a learner's minutes are not touched. */
import { randomUUID } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/tables.ts';
import type { TwinStep } from '../integrations/openai/twin/index.ts';
import { A_SECOND, coachingScene } from './test-kit/coaching-scene.ts';

export function chargesSuite(open: () => Promise<DatabaseConnection>): void {
  const { now, always, held, talked, reply, usage, lease } = coachingScene(open);

  describe('a coach', () => {
    it.each<[string, TwinStep, string, number]>([
      ['refuses the key', { does: 'reject', status: 401 }, 'coach.misconfigured', 0],
      ['has too much to do', { does: 'reject', status: 429, retryAfterMs: 60_000 }, 'coach.busy', 0],
      ['fails', { does: 'reject', status: 500 }, 'coach.unavailable', 0],
      ['breaks off', { does: 'cut', afterEvents: 8 }, 'coach.unavailable', 1],
      ['says no more', { does: 'fall_silent', afterEvents: 8 }, 'coach.unavailable', 1],
      ['fails after words', { does: 'fail', code: 'server_error', text: 'Good morning. Your' }, 'coach.unavailable', 1],
      ['sends what is no JSON', { does: 'garble_json' }, 'coach.unavailable', 2],
      ['sends something else altogether', { does: 'garble_stream' }, 'coach.unavailable', 2],
      ['will not answer', { does: 'refuse' }, 'coach.declined', 1],
    ])('whose provider %s is a failure with a code, and costs what was taken on', async (_what, step, code, calls) => {
      const asked = held();
      always(step);
      const { error } = await reply(asked);
      expect(error).toBe(code);
      const rows = await usage(asked.sessionId);
      expect(rows.map(({ use, seconds }) => ({ use, seconds }))).toEqual(
        Array.from({ length: calls }, () => ({ use: 'reply', seconds: 0 })),
      );
      // The prompt alone is some hundred tokens.
      for (const { inputTokens } of rows) expect(inputTokens).toBeGreaterThan(300);
      for (const { costMicros } of rows) expect(costMicros).toBeGreaterThan(50);
      // Only who says that it has failed says what that took.
      for (const { isEstimate } of rows) expect(isEstimate).toBe(step.does !== 'fail');
    });

    it('that answers in no form at all is asked twice for each, and every answer costs', async () => {
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

    it('whose review has no sentence in it is asked once more, and both are paid for', async () => {
      const asked = held({ turns: talked() });
      const rest = { corrections: [], remember: [], languageQuality: 50 };
      const blank = { best: '', fix: '', nextStep: ' ', summary: '', ...rest };
      const whole = { best: 'You spoke.', fix: 'Speak more.', nextStep: 'Go on.', summary: 'A file.', ...rest };
      now().twin.play(
        ...[{ proofs: [] }, blank, whole].map((value) => ({ does: 'answer' as const, text: JSON.stringify(value) })),
      );
      expect(await now().server.post('/v1/coach/review', asked, now().laptop.token)).toMatchObject({
        status: 200,
        body: { summary: 'A file.' },
      });
      expect((await usage(asked.sessionId)).map(({ use }) => use)).toEqual(['judge', 'review', 'review']);
    });

    it('whose learner hangs up in the middle costs as much as was said', async () => {
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
      await expect.poll(() => now().twin.calls.at(-1)?.state, { interval: 5 }).toBe('open');
      await sleep(100);
      leaving.abort();
      await expect.poll(async () => await usage(asked.sessionId), { timeout: 800, interval: 20 }).toHaveLength(1);
      const [row] = await usage(asked.sessionId);
      expect(row).toMatchObject({ use: 'reply', seconds: 0 });
      expect(row?.outputTokens).toBeGreaterThan(0);
      expect(row?.costMicros).toBeGreaterThan(100);
    });
  });

  describe('a line of the coach', () => {
    const voice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
    const spokenLines = async () => now().server.database.db.select().from(aiUsage).where(eq(aiUsage.use, 'speak'));

    it('that its learner does not want to hear any more is paid for', async () => {
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
      await expect.poll(async () => (await spokenLines()).length, { timeout: 800, interval: 20 }).toBe(before + 1);
    });
  });

  describe('what is said', () => {
    it('is paid for twice where it was free: it is written down, then scored', async () => {
      const sessionId = randomUUID();
      await lease(sessionId);
      const assessed = await now().server.send({
        method: 'POST',
        url: `/v1/speech/assess?sessionId=${sessionId}`,
        headers: { authorization: `Bearer ${now().laptop.token}`, 'content-type': 'audio/l16' },
        payload: A_SECOND,
      });
      expect(assessed).toMatchObject({ status: 200 });
      const costs = (await usage(sessionId)).map(({ costMicros }) => costMicros);
      expect(costs.toSorted((a, b) => a - b)).toEqual([278, 362]);
    });

    it('is paid for as far as it came where the learner leaves', async () => {
      const { address } = now();
      const sessionId = randomUUID();
      await lease(sessionId);
      const leaving = new AbortController();
      async function* speaking(): AsyncGenerator<Uint8Array> {
        yield A_SECOND;
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
