import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { leaveFreeBytes } from '../test-kit/small-disk.ts';
import { hasRoomFor } from './disk-room.ts';

it('leaves room for what the learner says, unless there is nothing to store', async () => {
  leaveFreeBytes(50 * 2 ** 20);
  expect(await hasRoomFor(tmpdir(), 1)).toBe(false);
  expect(await hasRoomFor(tmpdir(), 0)).toBe(true);
});
