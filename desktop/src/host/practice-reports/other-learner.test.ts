import { DeviceId, LearnerId, ok } from '@parley/domain';
import { expect, it } from 'vitest';
import { users, waitingReports } from '../store/index.ts';
import { adoptAccount } from '../sync/account/adopt-account.ts';
import type { Sync } from '../sync/index.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import { LATE_DELIVERY } from '../test-kit/test-catalogue.ts';
import { createPracticeReports } from './practice-reports.ts';

it('never sends a report in the name of a learner who signed in later', async () => {
  const store = await openTestStore();
  const { userId } = store.identity();
  // Reports of an account with an address stay with that account.
  store.db.update(users).set({ email: 'ada@example.com' }).run();
  for (const text of ['the first', 'the second']) {
    const id = store.newId();
    const report = { id, at: store.clock.now().toISOString(), practiceId: LATE_DELIVERY, node: null, line: null, text };
    store.db.insert(waitingReports).values({ id, userId, report }).run();
  }
  let requests = 0;
  const request = async () => {
    requests += 1;
    const [otherId, deviceId] = [LearnerId.parse(store.newId()), DeviceId.parse(store.newId())];
    adoptAccount(store, { userId: otherId, deviceId, isRegistered: true });
    return ok(undefined);
  };
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  await createPracticeReports({ store, sync: { request } as unknown as Sync, logger }).sendWaiting();
  expect(requests).toBe(1);
  store.close();
});
