import type { SyncStatus } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTransferLoop, type TransferLoop } from './transfer-loop.ts';

const QUIET_MS = 5_000;
const A_WHILE_MS = 60_000;

let status: Pick<SyncStatus, 'state' | 'waiting'>;
let isRecording: boolean;
let pieces: number;
let finishPiece: (() => void) | null;
let isSlow: boolean;
/** The pause that the server requests when it fails a request; null while it fails none. */
let pauseMs: number | null;
let loop: TransferLoop;
beforeEach(() => {
  vi.useFakeTimers();
  [status, isRecording, pieces] = [{ state: 'idle', waiting: 0 }, false, 0];
  [finishPiece, isSlow, pauseMs] = [null, false, null];
  loop = createTransferLoop({
    work: async () => {
      pieces += 1;
      if (isSlow) await new Promise<void>((resolve) => void (finishPiece = resolve));
      if (pauseMs !== null) throw new Error('the server is busy');
      return false;
    },
    onFailure: () => pauseMs ?? 0,
    isRecording: () => isRecording,
    syncStatus: () => status,
    chance: () => 0.5,
    quietMs: QUIET_MS,
  });
});
afterEach(async () => {
  await loop.close();
  vi.useRealTimers();
});

describe('a recording', () => {
  it.each([
    { state: 'pushing', waiting: 1 },
    { state: 'pulling', waiting: 0 },
    { state: 'idle', waiting: 1 },
  ] as const)('waits for rows: %o', async (busy) => {
    status = busy;
    loop.wake();
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(pieces).toBe(0);
    status = { state: 'idle', waiting: 0 };
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(pieces).toBe(1);
  });

  it('does not wait for rows that the server does not take', async () => {
    status = { state: 'backing_off', waiting: 3 };
    loop.wake();
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(pieces).toBe(1);
  });

  it('waits while the learner speaks, and until they have been quiet', async () => {
    isRecording = true;
    loop.wake();
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    isRecording = false;
    loop.pauseForConversation();
    await vi.advanceTimersByTimeAsync(QUIET_MS - 1);
    expect(pieces).toBe(0);
    await vi.advanceTimersByTimeAsync(A_WHILE_MS);
    expect(pieces).toBe(1);
  });

  it('is sent at once when the loop is woken at work', async () => {
    isSlow = true;
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(pieces).toBe(1);
    loop.wake();
    // The timer of this second call fires while the work continues.
    await vi.advanceTimersByTimeAsync(1_000);
    isSlow = false;
    finishPiece?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(pieces).toBe(2);
  });

  it('waits as long as the server asks for, even if the loop is woken at work', async () => {
    [isSlow, pauseMs] = [true, A_WHILE_MS];
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    loop.wake();
    await vi.advanceTimersByTimeAsync(1_000);
    isSlow = false;
    finishPiece?.();
    await vi.advanceTimersByTimeAsync(A_WHILE_MS - 1);
    expect(pieces).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(pieces).toBe(2);
  });
});
