import { SessionId, type TurnId } from '@parley/domain';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillDiskAfter, restoreDisk } from '../test-kit/full-disk.ts';
import { voiceLikePcm } from '../test-kit/open-host.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import type { Store } from '../store/index.ts';
import { openRecordings, type Recordings } from './index.ts';

const SESSION = SessionId.parse('018f6f6e-7c00-7000-8000-000000000001');
const OTHER_SESSION = SessionId.parse('018f6f6e-7c00-7000-8000-000000000002');
const PCM = voiceLikePcm(1_000);
const LOGGER = { info: () => undefined, warn: () => undefined, error: () => undefined };

let store: Store;
let recordings: Recordings;
beforeEach(async () => {
  store = await openTestStore();
  recordings = openRecordings(store, LOGGER);
});
afterEach(() => {
  restoreDisk();
  store.close();
});

function record(): TurnId {
  const begun = recordings.begin(SESSION);
  if (!begun.ok) throw new Error(begun.error.code);
  recordings.append({ turnId: begun.value.turnId, seq: 0, pcm: PCM });
  return begun.value.turnId;
}

/** Every later write fails as on a full disk. */
function failNextTransaction(): void {
  vi.spyOn(store, 'transaction').mockImplementationOnce(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
}

const full = expect.objectContaining({ code: 'ENOSPC' });
const WHOLE = { state: 'waiting', sampleCount: PCM.byteLength / 2 };

describe('a recording that could not be finished on a full disk', () => {
  it.each([
    ['file', (): void => fillDiskAfter(0)],
    ['database', failNextTransaction],
  ])('can be finished later when the %s had no room', (_what, fill) => {
    const turnId = record();
    fill();
    expect(() => recordings.close(turnId, 0)).toThrow(full);
    restoreDisk();
    expect(recordings.close(turnId, 2)).toMatchObject({ ok: true, value: { ...WHOLE, hintLevel: 2 } });
  });

  it('can be interrupted later', () => {
    record();
    failNextTransaction();
    expect(() => recordings.interrupt({ sessionId: SESSION })).toThrow(full);
    expect(recordings.interrupt({ sessionId: SESSION })).toMatchObject({ ...WHOLE, isInterrupted: true });
  });

  it('stays when the next one has no room', () => {
    const turnId = record();
    failNextTransaction();
    expect(recordings.begin(SESSION)).toMatchObject({ ok: false, error: { code: 'storage.full' } });
    expect(recordings.close(turnId, 0)).toMatchObject({ ok: true, value: WHOLE });
  });
});

it('closing finishes the other recordings when one has no room', () => {
  record();
  const second = recordings.begin(OTHER_SESSION);
  if (!second.ok) throw new Error(second.error.code);
  recordings.append({ turnId: second.value.turnId, seq: 0, pcm: PCM });
  failNextTransaction();
  expect(() => recordings.closeFiles()).toThrow(full);
  expect(recordings.waitingRecording(OTHER_SESSION)).toMatchObject(WHOLE);
});

it('a recording that cannot begin leaves no file', () => {
  fillDiskAfter(0);
  expect(recordings.begin(SESSION)).toMatchObject({ ok: false, error: { code: 'storage.full' } });
  expect(readdirSync(join(store.dataDir, 'recordings'))).toEqual([]);
});

it('keeps waiting and running recordings when it deletes parked ones', () => {
  expect(recordings.close(record(), 0)).toMatchObject({ ok: true });
  recordings.remove(SESSION, ['set_aside']);
  expect(recordings.waitingRecording(SESSION)).toMatchObject(WHOLE);
  const running = record();
  recordings.remove(SESSION, ['set_aside']);
  expect(recordings.close(running, 0)).toMatchObject({ ok: true, value: WHOLE });
});

describe('a recording whose end was rolled back', () => {
  function recordAndRollBack(): TurnId {
    const turnId = record();
    const end = (): void => {
      recordings.keepWaitingAsUnsent(SESSION);
      throw new Error('the session cannot end');
    };
    expect(() => store.transaction(end)).toThrow('the session cannot end');
    return turnId;
  }

  it('is kept with its audio when the session ends later', () => {
    recordAndRollBack();
    recordings.keepWaitingAsUnsent(SESSION);
    expect(recordings.listUnsent(SESSION)).toMatchObject([{ ...WHOLE, state: 'unsent' }]);
  });

  it('can be finished', () => {
    const turnId = recordAndRollBack();
    expect(recordings.close(turnId, 2)).toMatchObject({ ok: true, value: { ...WHOLE, hintLevel: 2 } });
    expect(recordings.waitingRecording(SESSION)).toMatchObject({ ...WHOLE, hintLevel: 2 });
  });

  it('can be interrupted', () => {
    recordAndRollBack();
    expect(recordings.interrupt({ sessionId: SESSION })).toMatchObject({ ...WHOLE, isInterrupted: true });
  });
});
