import { createRouterClient } from '@orpc/server';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCatalogue, fillEmptyCatalogue } from './catalogue/index.ts';
import { failureOfThrown } from './failure-policy.ts';
import { createHost } from './index.ts';
import { createCloudCoach } from './coach/index.ts';
import { createCalls, createPractice } from './practice/index.ts';
import { openRecordings } from './recordings/index.ts';
import { createLiveFollowing } from './scorer/index.ts';
import { openStore } from './store/index.ts';
import { aCatalogue, LATE_DELIVERY } from './test-kit/a-catalogue.ts';
import { aClock, aDataFolder, aScriptedScorer, removeDataFolders } from './test-kit/open-host.ts';

afterEach(removeDataFolders);

describe('a failure', () => {
  it('that is a bug is written down once, with the id that the caller gets', async () => {
    const logged = vi.fn();
    let broken = false;
    const logger = { info: () => undefined, warn: () => undefined, error: logged };
    const host = await createHost({
      dataDir: aDataFolder(),
      serverUrl: null,
      loadCatalogue: aCatalogue,
      logger,
      scorer: aScriptedScorer(),
      // A clock that is broken where a practice begins.
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

  it('of a full disk is said as such, and nothing that was acknowledged is lost', async () => {
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const store = await openStore({
      dataDir: aDataFolder(),
      clock: aClock(),
      newId: uuidv7,
      migrationsDir: fileURLToPath(new URL('./store/migrations', import.meta.url)),
      knownIdentity: () => null,
    });
    await fillEmptyCatalogue(store, aCatalogue);
    const catalogue = createCatalogue(store);
    const recordings = openRecordings(store);
    const coach = createCloudCoach({ connection: () => null, clock: aClock(), timeZone: 'Europe/Berlin' });
    const parts = { store, catalogue, recordings, scorer: aScriptedScorer(), coach, logger };
    const practice = createPractice({
      ...parts,
      calls: createCalls(parts),
      following: createLiveFollowing({ scorer: aScriptedScorer(), logger }),
      liveAccess: async () => 'granted',
      chance: () => 0,
    });
    // SQLite's own bound stands in for the end of the disk.
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
    expect(failureOfThrown(error, { logger, newId: uuidv7 })).toEqual({ code: 'storage.full' });
    expect(answered).toBeGreaterThan(1);
    expect(await practice.session({ sessionId })).toMatchObject({ ok: true, value: { turns: { length: answered } } });
    store.close();
  });
});
