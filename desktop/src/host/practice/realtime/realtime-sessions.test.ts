/** A call whose practice session another device or window changes. */
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCatalogue, installBundledCatalogue } from '../../catalogue/index.ts';
import { createCoachClient } from '../../coach/index.ts';
import { openRecordings } from '../../recordings/index.ts';
import { removeRow, type Store, updateRow } from '../../store/index.ts';
import { aClock, aScriptedScorer, voiceLikePcm } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { seededSessionId, seedSessions } from '../../test-kit/seed-sessions.ts';
import { aCatalogue } from '../../test-kit/test-catalogue.ts';
import { createRealtimeSessions } from './realtime-sessions.ts';

const SESSION = seededSessionId(0);
const CALL = { callId: 'call-1' };
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  await installBundledCatalogue(store, aCatalogue);
  seedSessions(store.dataDir, 1);
  store.sqlite.exec("UPDATE practice_history SET status = 'in_progress'");
});
afterEach(() => store.close());

function openCalls() {
  const recordings = openRecordings(store, logger);
  const calls = createRealtimeSessions({
    store,
    recordings,
    logger,
    catalogue: createCatalogue(store),
    scorer: aScriptedScorer(),
    coach: {
      ...createCoachClient({ connection: () => null, clock: aClock(), timeZone: () => 'Europe/Berlin' }),
      openRealtime: () => ({ sendMessage: () => undefined, sendAudio: () => undefined, close: () => undefined }),
    },
  });
  const call = calls.open(
    { ...CALL, sessionId: SESSION, takeOver: false, patienceMs: null },
    new AbortController().signal,
  );
  return { recordings, calls, call };
}

it.each([
  [
    'completed',
    'session.already_completed',
    (): void => updateRow(store, 'practiceHistory', SESSION, { status: 'completed' }),
  ],
  ['deleted', 'session.not_found', (): void => removeRow(store, 'practiceHistory', SESSION)],
])('a call ends when its session is %s, and keeps the running turn', async (_what, code, endElsewhere) => {
  const { recordings, calls, call } = openCalls();
  expect((await call.next()).value).toMatchObject({ type: 'connecting' });
  const pcm = new Blob([voiceLikePcm(1_000)], { type: PCM_MEDIA_TYPE });
  expect(await calls.pushAudio({ ...CALL, seq: 0, pcm })).toMatchObject({ ok: true });

  store.transaction(endElsewhere);
  await expect(call.next()).rejects.toMatchObject({ code });
  expect(recordings.waitingRecording(SESSION)).toMatchObject({ sampleCount: 16_000 });
  await calls.close();
});

it('a call does not repeat a waiting turn that another window sends while it begins', async () => {
  const { recordings, calls, call } = openCalls();
  const begun = recordings.begin(SESSION, voiceLikePcm(1_000));
  if (!begun.ok) throw new Error(begun.error.code);
  recordings.close(begun.value.turnId, 0);
  const beginning = call.next();
  recordings.markAsSent(begun.value.recordingId);
  expect((await beginning).value).toMatchObject({ type: 'connecting' });
  await calls.close();
  expect(recordings.waitingRecording(SESSION)).toBeNull();
});
