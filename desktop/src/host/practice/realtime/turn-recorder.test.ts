import { MAX_CHUNK_BYTES } from '@parley/contract';
import { SessionId } from '@parley/domain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Recording, type Recordings, openRecordings } from '../../recordings/index.ts';
import type { Store } from '../../store/index.ts';
import { restoreDisk, fillDiskAfter } from '../../test-kit/full-disk.ts';
import { voiceLikePcm } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { type AudioHistory, createAudioHistory } from './audio-history.ts';
import { createTurnRecorder, type TurnRecorder } from './turn-recorder.ts';

const SESSION = SessionId.parse('018f6f6e-7c00-7000-8000-000000000001');
const SAMPLES_PER_MS = 16;
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

let store: Store;
let recordings: Recordings;
let audioHistory: AudioHistory;
let recorder: TurnRecorder;
beforeEach(async () => {
  store = await openTestStore();
  recordings = openRecordings(store, logger);
  audioHistory = createAudioHistory();
  recorder = createTurnRecorder({ recordings, sessionId: SESSION, audioHistory });
});
afterEach(() => {
  restoreDisk();
  store.close();
});

/** Records a turn outside the realtime session, which then begins with it. */
function recordWaitingTurn(ms: number): Recording {
  const pcm = voiceLikePcm(ms);
  const begun = recordings.begin(SESSION);
  if (!begun.ok) throw new Error(begun.error.code);
  const { turnId } = begun.value;
  for (let seq = 0; seq * MAX_CHUNK_BYTES < pcm.byteLength; seq += 1)
    recordings.append({ turnId, seq, pcm: pcm.subarray(seq * MAX_CHUNK_BYTES, (seq + 1) * MAX_CHUNK_BYTES) });
  const closed = recordings.close(turnId, 0);
  if (!closed.ok) throw new Error(closed.error.code);
  audioHistory.append(pcm);
  return closed.value;
}

function say(ms: number): void {
  const pcm = voiceLikePcm(ms);
  audioHistory.append(pcm);
  recorder.pushAudio(pcm);
}

describe('a recording of a realtime session that is full', () => {
  it('is the waiting turn at the end', () => {
    recordWaitingTurn(180_000);
    recorder.record(0);
    say(40);
    recorder.close(0);
    expect(recordings.waitingRecording(SESSION)?.sampleCount).toBe(180_000 * SAMPLES_PER_MS);
  });

  it('is replaced by the next turn', () => {
    recordWaitingTurn(180_000);
    recorder.record(0);
    say(40);
    recorder.restart(179_000);
    say(1_000);
    recorder.close(179_000);
    expect(recordings.waitingRecording(SESSION)?.sampleCount).toBe(2_040 * SAMPLES_PER_MS);
  });
});

describe('a full disk', () => {
  it('leaves the turn that was waiting before the realtime session', () => {
    const { recordingId } = recordWaitingTurn(4_000);
    fillDiskAfter(64_000);
    recorder.record(0);
    restoreDisk();
    say(1_000);
    recorder.close(0);
    expect(recordings.waitingRecording(SESSION)?.recordingId).toBe(recordingId);
  });

  it('leaves the running recording as the audio of a turn that cannot be cut', async () => {
    recorder.record(0);
    say(2_000);
    fillDiskAfter(32_000);
    const cut = recorder.cutTurn({ fromMs: 0, toMs: 2_000 });
    restoreDisk();
    if (!cut.ok) throw new Error(cut.error.code);
    const wav = await recordings.readWav(cut.value.recordingId);
    expect(wav).toMatchObject({ ok: true, value: { byteLength: 44 + 2_000 * SAMPLES_PER_MS * 2 } });
  });

  it('leaves a turn that cannot be closed for the end of the session', () => {
    recorder.record(0);
    say(2_000);
    fillDiskAfter(0);
    expect(recorder.cutTurn({ fromMs: 0, toMs: 2_000 })).toMatchObject({ ok: false, error: { code: 'storage.full' } });
    restoreDisk();
    recorder.close(0);
    expect(recordings.waitingRecording(SESSION)?.sampleCount).toBe(2_000 * SAMPLES_PER_MS);
  });

  it('leaves the audio of the running recording as the waiting turn', () => {
    recorder.record(0);
    say(2_000);
    fillDiskAfter(0);
    say(1_000);
    restoreDisk();
    recorder.close(0);
    expect(recordings.waitingRecording(SESSION)?.sampleCount).toBe(2_000 * SAMPLES_PER_MS);
  });
});

it('a turn that is too long to be cut keeps its first three minutes', () => {
  recorder.record(0);
  say(200_000);
  expect(recorder.cutTurn({ fromMs: 0, toMs: 200_000 }).ok).toBe(true);
  expect(recordings.waitingRecording(SESSION)?.sampleCount).toBeGreaterThanOrEqual(180_000 * SAMPLES_PER_MS);
});
