import { afterEach, expect, it, vi } from 'vitest';
import { createTransferLoop, type TransferLoop } from './transfer-loop.ts';

let loop: TransferLoop | null = null;
afterEach(() => loop?.close());

it('works again at once when it is woken while it works', async () => {
  const finishWork: (() => void)[] = [];
  loop = createTransferLoop({
    work: () => new Promise<boolean>((resolve) => void finishWork.push(() => resolve(false))),
    onFailure: () => 0,
    isRecording: () => false,
    syncStatus: () => ({ state: 'idle', waiting: 0 }),
    chance: () => 0,
    quietMs: 0,
  });
  loop.wake();
  await vi.waitFor(() => expect(finishWork).toHaveLength(1));
  loop.wake();
  // The timer of this second call goes off while the work goes on.
  await new Promise((resolve) => setTimeout(resolve, 20));
  finishWork[0]?.();
  await vi.waitFor(() => expect(finishWork).toHaveLength(2));
  finishWork[1]?.();
});
