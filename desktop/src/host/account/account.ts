/** The learner's account: signing in and out, what the server says of it, its devices, and leaving it for good. */
import { type AccountDevice, type AccountState, AccountView, SignInRequestId, type SyncStatus } from '@parley/contract';
import { type DeviceId, type LiveAccess, liveAccessOf, ok } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Answer, HostFailure } from '../answer/index.ts';
import { knownAccount, type Store } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';
import { toDevices } from './linked-devices.ts';

export interface Account {
  /** Asks the server; without an answer, what it last said. */
  state(): Promise<AccountState>;
  /** By what the server last said; where that was no, it is asked again. */
  liveAccess(): Promise<LiveAccess>;
  requestSignIn(email: string): Promise<Answer<void>>;
  signIn(proof: { email: string; code: string }): Promise<Answer<AccountState>>;
  signInByLink(link: string): Promise<Answer<AccountState>>;
  whoseLink(link: string): Promise<Answer<{ email: string }>>;
  signOut(): Promise<Answer<AccountState>>;
  requestAccess(): Promise<Answer<AccountState>>;
  requestConfirmation(): Promise<Answer<void>>;
  confirm(code: string): Promise<Answer<void>>;
  requestDeletion(): Promise<Answer<AccountState>>;
  withdrawDeletion(): Promise<Answer<AccountState>>;
  createLinkCode(): Promise<Answer<{ code: string; expiresAt: Date }>>;
  join(code: string): Promise<Answer<SyncStatus>>;
  devices(): Promise<Answer<AccountDevice[]>>;
  revokeDevice(deviceId: DeviceId): Promise<Answer<AccountDevice[]>>;
  /** After something that changes what the server says of the account. */
  refreshed(): Promise<AccountState>;
}

export interface AccountParts {
  store: Store;
  sync: Sync;
  hasServer: () => boolean;
  timeZone: string;
}

export function createAccount({ store, sync, hasServer, timeZone }: AccountParts): Account {
  const { db, clock } = store;

  /** A message's code is worth nothing without the request that asked for it, which only this app knows. */
  const requestIdByEmail = new Map<string, string>();

  const readRow = () =>
    db.select().from(knownAccount).where(eq(knownAccount.userId, store.identity().userId)).get() ?? null;

  function readKnown(): AccountState['known'] {
    const row = hasServer() ? readRow() : null;
    // What an older Parley has noted says less than is asked of it now: then it is as if nothing were known.
    const account = AccountView.safeParse(row?.account);
    return row === null || !account.success ? null : { account: account.data, at: row.at };
  }

  /** As it was last told, without asking. */
  function lastKnown(): AccountState {
    const known = readKnown();
    const isSignedOut = hasServer() && (readRow()?.isSignedOut ?? false);
    const access = known && { ...known.account, isTaken: known.account.accessTaken !== null, confirmedAt: known.at };
    return {
      known,
      isFresh: false,
      hasServer: hasServer(),
      isSignedOut,
      liveAccess: liveAccessOf(access, { isSignedOut, now: clock.now() }),
    };
  }

  function noteSignedOut(): void {
    if (readRow()?.isSignedOut !== false) return;
    store.transaction(() => {
      db.update(knownAccount).set({ isSignedOut: true }).run();
      store.touch('known_account');
    });
  }

  /** One account a device: what was known of a former one is forgotten. */
  function remember(account: AccountView): AccountState {
    const { userId } = store.identity();
    const at = clock.now();
    store.transaction(() => {
      db.delete(knownAccount).run();
      db.insert(knownAccount).values({ userId, account, at }).run();
      store.touch('known_account');
    });
    return { ...lastKnown(), isFresh: true };
  }

  const remembered = async (asked: Promise<Answer<AccountView>>): Promise<Answer<AccountState>> => {
    const answer = await asked;
    if (answer.ok) return ok(remember(answer.value));
    if (isSentAway(answer.error)) noteSignedOut();
    return answer;
  };

  async function state(): Promise<AccountState> {
    if (!hasServer()) return lastKnown();
    const now = await remembered(sync.ask((client) => client.account.view({ timeZone })));
    return now.ok ? now.value : lastKnown();
  }

  /** What nobody's account holds moves along; another account's is put away for whoever it belongs to. */
  async function signedIn(moving: Promise<Answer<SyncStatus>>): Promise<Answer<AccountState>> {
    const moved = await moving;
    return moved.ok ? ok(await state()) : moved;
  }

  return {
    state,
    refreshed: state,
    async liveAccess() {
      const { liveAccess } = lastKnown();
      return liveAccess === 'granted' ? liveAccess : (await state()).liveAccess;
    },
    requestSignIn: async (email) => {
      const requestId = requestIdByEmail.get(email);
      const asked = await sync.ask((client) =>
        client.account.requestSignIn({ email, ...(requestId === undefined ? {} : { requestId }) }),
      );
      if (!asked.ok) return asked;
      // A server of before gives none, and wants none.
      const given = SignInRequestId.safeParse(asked.value.requestId);
      if (given.success) requestIdByEmail.set(email, given.data);
      return ok(undefined);
    },
    signIn: (proof) =>
      signedIn(
        sync.moveTo(
          async (client, device) => {
            const requestId = requestIdByEmail.get(proof.email);
            const named = requestId === undefined ? {} : { requestId };
            const { credentials } = await client.account.signIn({ ...proof, ...named, ...device, timeZone });
            return credentials;
          },
          { isSameOwner: proof.email === readRow()?.account.email },
        ),
      ),
    signInByLink: async (link) => {
      const whose = await sync.ask((client) => client.account.whoseLink({ link }));
      if (!whose.ok) return whose;
      return signedIn(
        sync.moveTo(
          async (client, device) => {
            const { credentials } = await client.account.signInByLink({ link, ...device, timeZone });
            return credentials;
          },
          { isSameOwner: whose.value.email === readRow()?.account.email },
        ),
      );
    },
    whoseLink: (link) => sync.ask((client) => client.account.whoseLink({ link })),
    signOut: async () => {
      // Nothing that was made here stays unsent, if the server can be reached at all.
      await sync.run();
      const left = await sync.ask((client) => client.account.signOut({}));
      if (!left.ok) return left;
      noteSignedOut();
      await sync.run();
      return ok(lastKnown());
    },
    requestAccess: () => remembered(sync.ask((client) => client.account.requestAccess({}))),
    requestConfirmation: async () => toDone(await sync.ask((client) => client.account.requestConfirmation({}))),
    confirm: async (code) => toDone(await sync.ask((client) => client.account.confirm({ code }))),
    requestDeletion: () => remembered(sync.ask((client) => client.account.requestDeletion({}))),
    withdrawDeletion: () => remembered(sync.ask((client) => client.account.withdrawDeletion({}))),
    createLinkCode: async () => {
      const created = await sync.ask((client) => client.devices.createLinkCode({}));
      return created.ok ? ok({ code: created.value.code, expiresAt: new Date(created.value.expiresAt) }) : created;
    },
    join: (code) => sync.moveTo((client, device) => client.devices.join({ code, ...device })),
    devices: async () => toDevices(await sync.ask((client) => client.devices.list({}))),
    revokeDevice: async (deviceId) => toDevices(await sync.ask((client) => client.devices.revoke({ deviceId }))),
  };
}

const toDone = (answer: Answer<unknown>): Answer<void> => (answer.ok ? ok(undefined) : answer);

const isSentAway = ({ code }: HostFailure): boolean => code === 'auth.required' || code === 'auth.device_revoked';
