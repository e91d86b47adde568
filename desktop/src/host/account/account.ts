/** The learner's account on this device: sign-in and sign-out, account state, devices and deletion. */
import {
  type AccountDevice,
  type AccountState,
  AccountView,
  type DeviceWipes,
  SignInRequestId,
  type SyncStatus,
} from '@parley/contract';
import { type DeviceId, type LiveAccess, liveAccessOf, ok, type PlanSnapshot } from '@parley/domain';
import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { HostResult, HostFailure } from '../result/index.ts';
import type { ServerClient } from '../server/index.ts';
import { knownAccount, prices, products, type Store } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';
import { toAccountDevices } from './account-devices.ts';

export interface Account {
  /** Asks the server. Without a reply, returns the last known state. */
  state(): Promise<AccountState>;
  /**
   * Uses the last known state. A refusal is checked with the server again, because access may have been granted since.
   */
  modelCoachAccess(): Promise<LiveAccess>;
  /** The last known plan; null if the server sells no plans. */
  plan(): PlanSnapshot | null;
  requestSignIn(email: string): Promise<HostResult<{ isNetworkLimited: boolean; isMailWritten: boolean }>>;
  signIn(proof: { email: string; code: string }): Promise<HostResult<AccountState>>;
  signInByLink(link: string): Promise<HostResult<AccountState>>;
  emailOfSignInLink(link: string): Promise<HostResult<{ email: string }>>;
  signOut(): Promise<HostResult<AccountState>>;
  requestAccess(): Promise<HostResult<AccountState>>;
  requestConfirmation(): Promise<HostResult<{ isMailWritten: boolean }>>;
  confirm(code: string): Promise<HostResult<void>>;
  requestDeletion(): Promise<HostResult<AccountState>>;
  withdrawDeletion(): Promise<HostResult<AccountState>>;
  createLinkCode(): Promise<HostResult<{ code: string; expiresAt: Date }>>;
  join(code: string): Promise<HostResult<SyncStatus>>;
  devices(): Promise<HostResult<AccountDevice[]>>;
  revokeDevice(deviceId: DeviceId): Promise<HostResult<AccountDevice[]>>;
  deviceWipes(): Promise<DeviceWipes | null>;
  wipeDevice(deviceId: DeviceId): Promise<HostResult<DeviceWipes>>;
}

export interface AccountParts {
  store: Store;
  sync: Sync;
  hasServer: () => boolean;
  /** The language of the interface; null until a window has reported it. */
  language: () => string | null;
  /** Called when the server has signed this device out. */
  onSignedOut?: () => void;
}

export function createAccount({ store, sync, hasServer, language, onSignedOut }: AccountParts): Account {
  const { db, clock } = store;

  /** A sign-in code is valid only with the id of the request that sent it, so the id of each request is kept. */
  const requestIdByEmail = new Map<string, string>();

  const readKnownAccount = () =>
    db.select().from(knownAccount).where(eq(knownAccount.userId, store.identity().userId)).get() ?? null;

  function readValidAccount(): AccountState['known'] {
    const row = hasServer() ? readKnownAccount() : null;
    // An older version stored fewer fields. Such a row counts as unknown.
    const account = AccountView.safeParse(row?.account);
    return row === null || !account.success ? null : { account: account.data, at: row.at };
  }

  /** Returns the last known state without asking the server. */
  function lastKnownState(): AccountState {
    const known = readValidAccount();
    const isSignedOut = hasServer() && (readKnownAccount()?.isSignedOut ?? false);
    const access = known && { ...known.account, isTaken: known.account.accessTaken !== null, confirmedAt: known.at };
    return {
      known,
      isFresh: false,
      hasServer: hasServer(),
      isSignedOut,
      liveAccess: liveAccessOf(access, { isSignedOut, now: clock.now() }),
    };
  }

  /** Prices that are no longer sold are hidden by the server. Plans are sold by recurring prices only. */
  const sellsPlans = (): boolean =>
    db
      .select({ id: prices.id })
      .from(prices)
      .innerJoin(products, eq(products.id, prices.productId))
      .where(
        and(
          isNull(prices.deletedAt),
          isNull(products.deletedAt),
          eq(products.active, true),
          eq(prices.pricingType, 'recurring'),
        ),
      )
      .get() !== undefined;

  function recordSignedOut(): void {
    if (readKnownAccount()?.isSignedOut !== false) return;
    store.transaction(() => {
      db.update(knownAccount).set({ isSignedOut: true }).where(eq(knownAccount.userId, store.identity().userId)).run();
      store.markChanged('known_account');
    });
    onSignedOut?.();
  }

  /**
   * The address of a former account tells whose work is still parked here. An account without an address leaves no work
   * behind, because its rows have moved along.
   */
  function storeKnownAccount(account: AccountView): AccountState {
    const { userId } = store.identity();
    const at = clock.now();
    store.transaction(() => {
      db.delete(knownAccount)
        .where(or(eq(knownAccount.userId, userId), sql`${knownAccount.account} ->> 'email' is null`))
        .run();
      db.insert(knownAccount).values({ userId, account, at }).run();
      store.markChanged('known_account');
    });
    return { ...lastKnownState(), isFresh: true };
  }

  async function askForAccount(
    call: (client: ServerClient) => Promise<AccountView>,
  ): Promise<HostResult<AccountState>> {
    let { userId } = store.identity();
    const answer = await sync.request((client) => {
      // If the device had to register before the first request, the learner may have a new id.
      ({ userId } = store.identity());
      return call(client);
    });
    // Another learner may have signed in meanwhile.
    if (store.identity().userId !== userId) return answer.ok ? ok(lastKnownState()) : answer;
    if (answer.ok) return ok(storeKnownAccount(answer.value));
    if (isSignedOutFailure(answer.error)) recordSignedOut();
    return answer;
  }

  async function state(): Promise<AccountState> {
    if (!hasServer()) return lastKnownState();
    const now = await askForAccount((client) =>
      client.account.view({ timeZone: store.timeZone() }, { context: { language: language() } }),
    );
    return now.ok ? now.value : lastKnownState();
  }

  /** Adopts an account. Rows without an account move along; the rows of another account are parked for that account. */
  async function finishSignIn(switching: Promise<HostResult<SyncStatus>>): Promise<HostResult<AccountState>> {
    const moved = await switching;
    return moved.ok ? ok(await state()) : moved;
  }

  return {
    state,
    async modelCoachAccess() {
      const { liveAccess } = lastKnownState();
      return liveAccess === 'granted' ? liveAccess : (await state()).liveAccess;
    },
    plan() {
      const { known, isSignedOut } = lastKnownState();
      if (known === null || !sellsPlans()) return null;
      const { plan } = known.account;
      // A plan that only newer apps know is not the free one, and no section is locked that it may include.
      if (!isSignedOut && plan === 'other') return null;
      return { plan: isSignedOut || plan === 'other' ? 'FREE' : plan, confirmedAt: known.at };
    },
    requestSignIn: async (email) => {
      const requestId = requestIdByEmail.get(email);
      const asked = await sync.request((client) =>
        client.account.requestSignIn(
          { email, ...(requestId === undefined ? {} : { requestId }) },
          { context: { language: language() } },
        ),
      );
      if (!asked.ok) return asked;
      // Older servers return no request id and do not need one.
      const given = SignInRequestId.safeParse(asked.value.requestId);
      if (given.success) requestIdByEmail.set(email, given.data);
      return ok({
        isNetworkLimited: asked.value.isNetworkLimited === true,
        isMailWritten: asked.value.isMailWritten === true,
      });
    },
    signIn: (proof) =>
      finishSignIn(
        sync.switchAccount(
          async (client, device) => {
            const requestId = requestIdByEmail.get(proof.email);
            const named = requestId === undefined ? {} : { requestId };
            const { credentials } = await client.account.signIn({
              ...proof,
              ...named,
              ...device,
              timeZone: store.timeZone(),
            });
            return credentials;
          },
          { email: proof.email },
        ),
      ),
    signInByLink: async (link) => {
      const linkOwner = await sync.request((client) => client.account.whoseLink({ link }));
      if (!linkOwner.ok) return linkOwner;
      return finishSignIn(
        sync.switchAccount(
          async (client, device) => {
            const { credentials } = await client.account.signInByLink({ link, ...device, timeZone: store.timeZone() });
            return credentials;
          },
          { email: linkOwner.value.email },
        ),
      );
    },
    emailOfSignInLink: (link) => sync.request((client) => client.account.whoseLink({ link })),
    signOut: async () => {
      // Pending changes are pushed first, so that signing out leaves nothing unsent if the server is reachable.
      await sync.run();
      const signedOut = await sync.request((client) => client.account.signOut({}));
      if (!signedOut.ok) return signedOut;
      recordSignedOut();
      await sync.run();
      return ok(lastKnownState());
    },
    requestAccess: () => askForAccount((client) => client.account.requestAccess({})),
    requestConfirmation: async () => {
      const asked = await sync.request((client) => client.account.requestConfirmation({}));
      return asked.ok ? ok({ isMailWritten: asked.value.isMailWritten === true }) : asked;
    },
    confirm: async (code) => toVoid(await sync.request((client) => client.account.confirm({ code }))),
    requestDeletion: () => askForAccount((client) => client.account.requestDeletion({})),
    withdrawDeletion: () => askForAccount((client) => client.account.withdrawDeletion({})),
    createLinkCode: async () => {
      const created = await sync.request((client) => client.devices.createLinkCode({}));
      return created.ok ? ok({ code: created.value.code, expiresAt: new Date(created.value.expiresAt) }) : created;
    },
    join: (code) => sync.switchAccount((client, device) => client.devices.join({ code, ...device })),
    devices: async () => toAccountDevices(await sync.request((client) => client.devices.list({}))),
    revokeDevice: async (deviceId) =>
      toAccountDevices(await sync.request((client) => client.devices.revoke({ deviceId }))),
    deviceWipes: async () => {
      const wipes = await sync.request((client) => client.devices.wipes({}));
      return wipes.ok ? wipes.value : null;
    },
    wipeDevice: (deviceId) => sync.request((client) => client.devices.wipe({ deviceId })),
  };
}

const toVoid = (answer: HostResult<unknown>): HostResult<void> => (answer.ok ? ok(undefined) : answer);

const isSignedOutFailure = ({ code }: HostFailure): boolean =>
  code === 'auth.required' || code === 'auth.device_revoked';
