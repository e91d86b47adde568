/** A response about one account that arrives after another learner has signed in. */
import type { AccountView } from '@parley/contract';
import { DeviceId, LearnerId, ok } from '@parley/domain';
import { expect, it } from 'vitest';
import { failed, type HostResult } from '../result/index.ts';
import type { ServerClient } from '../server/index.ts';
import { users } from '../store/index.ts';
import { adoptAccount } from '../sync/account/adopt-account.ts';
import type { Sync } from '../sync/index.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import { createAccount } from './account.ts';

const ADA: AccountView = {
  email: 'ada@example.com',
  mustBeGranted: false,
  hasAccess: true,
  waitingSince: null,
  accessTaken: null,
  isAdmin: false,
  plan: 'PRO',
  live: null,
  calls: null,
  resetsAt: null,
  subscription: null,
  mayTry: false,
  eraseAt: null,
};

it('keeps a late answer out of the next learner’s account', async () => {
  const store = await openTestStore();
  store.db.update(users).set({ email: ADA.email }).run();
  const { promise: late, resolve } = Promise.withResolvers<HostResult<AccountView>>();
  const answers: Promise<HostResult<AccountView>>[] = [late, Promise.resolve(failed('sync.offline'))];
  const sync = { request: () => answers.shift() } as unknown as Sync;
  const account = createAccount({ store, sync, hasServer: () => true, language: () => null });
  const asked = account.state();
  const [userId, deviceId] = [LearnerId.parse(store.newId()), DeviceId.parse(store.newId())];
  adoptAccount(store, { userId, deviceId, isRegistered: true });
  resolve(ok(ADA));
  await asked;
  expect((await account.state()).known).toBeNull();
  store.close();
});

it('accepts the answer for a learner who gets a new id on registering', async () => {
  const store = await openTestStore();
  const client = { account: { view: async () => ADA } } as unknown as ServerClient;
  const sync = {
    request: async (call: (asked: ServerClient) => Promise<AccountView>) => {
      await Promise.resolve();
      const [userId, deviceId] = [LearnerId.parse(store.newId()), DeviceId.parse(store.newId())];
      adoptAccount(store, { userId, deviceId, isRegistered: true });
      return ok(await call(client));
    },
  } as unknown as Sync;
  const account = createAccount({ store, sync, hasServer: () => true, language: () => null });
  expect(await account.state()).toMatchObject({ isFresh: true, known: { account: ADA } });
  store.close();
});
