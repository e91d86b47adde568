import type { RecordingKeeping } from '@parley/contract';
import { afterEach, expect, it } from 'vitest';
import type { ServerConnection } from '../server/index.ts';
import { removeDataFolders } from '../test-kit/open-host.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import { readKeepingRow, writeKeepingRow } from './keeping-state.ts';
import { syncPendingChoice } from './refresh-list.ts';

afterEach(removeDataFolders);

it('does not take the answer to an earlier choice for that to the latest', async () => {
  const store = await openTestStore();
  const { userId } = store.identity();
  const { promise, resolve } = Promise.withResolvers<RecordingKeeping>();
  const connection = { client: { recordings: { keep: () => promise } } } as unknown as ServerConnection;
  writeKeepingRow(store, userId, { pendingChoice: 'off' });
  const sent = syncPendingChoice(store, { userId, connection });
  // The learner also has the copies deleted, and the request for that fails.
  writeKeepingRow(store, userId, { pendingChoice: 'off_and_delete' });
  resolve({ isOn: false, usedBytes: 0, quotaBytes: 0 });
  await sent;
  expect(readKeepingRow(store, userId).pendingChoice).toBe('off_and_delete');
  store.close();
});
