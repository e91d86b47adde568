import { loadSharedUnderstanding } from '@parley/catalogue';
import { createUnderstanding } from '@parley/coach/understanding';
import { createRouterClient } from '@orpc/server';
import { ok } from '@parley/domain';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import { createCatalogue, installBundledCatalogue } from './catalogue/index.ts';
import { toHostFailure } from './error-policy.ts';
import { createHost } from './index.ts';
import { createCoachClient } from './coach/index.ts';
import { createRealtimeSessions, createPractice } from './practice/index.ts';
import { openRecordings } from './recordings/index.ts';
import { createStreamingRecognition } from './scorer/index.ts';
import { openStore } from './store/index.ts';
import { aCatalogue, LATE_DELIVERY } from './test-kit/test-catalogue.ts';
import { aClock, aDataFolder, aScriptedScorer } from './test-kit/open-host.ts';

describe('the failure policy', () => {
  it('logs a bug once, with the id that the caller receives', async () => {
    const logged = vi.fn();
    let broken = false;
    const logger = { info: () => undefined, warn: () => undefined, error: logged };
    const host = await createHost({
      dataDir: aDataFolder(),
      serverUrl: null,
      loadCatalogue: aCatalogue,
      logger,
      scorer: aScriptedScorer(),
      // The clock fails at the moment when the practice starts.
      clock: { now: () => (broken ? new Date(Number.NaN) : new Date()) },
    });
    const ask = createRouterClient(host.router);
    await host.whenIdle();
    broken = true;
    const error: unknown = await ask.practice
      .start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'text' })
      .catch((thrown: unknown) => thrown);
    broken = false;
    expect(error).toMatchObject({ code: 'internal', data: { detail: expect.any(String) } });
    expect(logged).toHaveBeenCalledTimes(1);
    expect(logged.mock.calls[0]?.[0]).toMatchObject({ bugId: (error as { data: { detail: string } }).data.detail });
    await host.close();
  });

  it('reports a full disk as storage.full and loses nothing acknowledged', async () => {
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const store = await openStore({
      dataDir: aDataFolder(),
      clock: aClock(),
      newId: uuidv7,
      migrationsDir: fileURLToPath(new URL('./store/migrations', import.meta.url)),
      knownIdentity: () => null,
    });
    await installBundledCatalogue(store, aCatalogue);
    const catalogue = createCatalogue(store);
    const recordings = openRecordings(store, logger);
    const coach = createCoachClient({ connection: () => null, clock: aClock(), timeZone: () => 'Europe/Berlin' });
    const parts = { store, catalogue, recordings, scorer: aScriptedScorer(), coach, logger };
    const practice = createPractice({
      ...parts,
      understanding: createUnderstanding(loadSharedUnderstanding),
      calls: createRealtimeSessions(parts),
      streamingRecognition: createStreamingRecognition({ scorer: aScriptedScorer(), logger }),
      checkPlace: () => ok(undefined),
      transcribeHere: async () => null,
      modelCoachAccess: async () => 'granted',
      chance: () => 0,
    });
    // SQLite's page limit simulates a full disk.
    store.sqlite.pragma(`max_page_count = ${Number(store.sqlite.pragma('page_count', { simple: true })) + 12}`);
    const started = await practice.start({
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'text',
      coachKind: 'guided',
    });
    if (!started.ok) throw new Error(started.error.code);
    const { sessionId } = started.value;
    let answered = 1;
    const fill = async (): Promise<never> => {
      for (;;) {
        const sent = await practice.sendTyped({ sessionId, text: 'x'.repeat(600), hintLevel: 0 });
        if (sent.ok) answered = sent.value.turns.length;
      }
    };
    const error: unknown = await fill().catch((thrown: unknown) => thrown);
    expect(toHostFailure(error, { logger, newId: uuidv7 })).toEqual({ code: 'storage.full' });
    expect(answered).toBeGreaterThan(1);
    expect(await practice.session({ sessionId })).toMatchObject({ ok: true, value: { turns: { length: answered } } });
    store.close();
  });
});
