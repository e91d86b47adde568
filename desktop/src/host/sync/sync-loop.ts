/** One loop that pushes, pulls and waits; being offline is a state of it and blocks nothing. */
import type { DeviceCredentials, Poke, RejectedChange, SyncStatus } from '@parley/contract';
import { DeviceId, ok } from '@parley/domain';
import { type Answer, failed, type HostFailure } from '../answer/index.ts';
import type { Logger } from '../logger.ts';
import { type Store, syncState, writeBack } from '../store/index.ts';
import { adoptAccount, isRegistered } from './adopt-account.ts';
import { createRowWriter } from './apply-rows.ts';
import { backoffMs, longestWaitMs } from './backoff.ts';
import { createPokeListener } from './poke-listener.ts';
import { pullPages, readCursors } from './pull-pages.ts';
import { probeServer, pushBatch, verifySequence, waitingCount } from './push-changes.ts';
import { createBatchSize } from './batch-size.ts';
import { quarantineFirst } from './quarantine.ts';
import { mustPullFirst } from './resync.ts';
import { unreadCount } from './unread-rows.ts';
import { recover } from './recover.ts';
import { ensureRegistered, type NewDevice, registerAgain, type ThisDevice } from './register-device.ts';
import { dismissRejected, hasWorthAnotherTry, listRejected, rejectedCount, retryWhenRoom } from './rejected-list.ts';
import { connectToServer, failureOf, type ServerClient, type ServerConnection } from './server-client.ts';
import { readCredentials, type TokenVault, writeCredentials } from './token-vault.ts';

export interface SyncOptions {
  store: Store;
  /** Null: this device keeps everything to itself. */
  serverUrl: string | null;
  vault: TokenVault;
  chance: () => number;
  logger: Logger;
  device: ThisDevice;
}

export interface Sync {
  status(): SyncStatus;
  onStatus(listener: (status: SyncStatus) => void): () => void;
  /** Starts the triggers: now, at each change here, at each word from the server, and every few minutes. */
  start(): void;
  /** Pushes and pulls now; resolves when that is done, whatever came of it. */
  run(): Promise<SyncStatus>;
  rejected(): RejectedChange[];
  dismissRejected(id: string): void;
  /** Asks the server as this device, once it is known there. */
  ask<Value>(call: (client: ServerClient) => Promise<Value>): Promise<Answer<Value>>;
  /** Moves this device to the account that lets it in: what is nobody's along with it, another's is put away. */
  moveTo(
    enter: (client: ServerClient, device: NewDevice) => Promise<DeviceCredentials>,
    /** `isSameOwner`: of the address that this device's account has already. */
    options?: { isSameOwner?: boolean },
  ): Promise<Answer<SyncStatus>>;
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

const PULL_EVERY_MS = 4 * 60_000;
/** Jitter may draw next to nothing; a server in trouble is not asked again at once. */
const SHORTEST_WAIT_MS = 250;
const OUTDATED_RETRY_MS = 60_000;
const TRY_FOR_ROOM_EVERY_MS = 3_600_000;

export function createSync(options: SyncOptions): Sync {
  const { store, vault, logger, chance, device } = options;
  const listeners = new Set<(status: SyncStatus) => void>();
  const server =
    options.serverUrl === null
      ? null
      : connectToServer(options.serverUrl, async () => (await readCredentials(vault))?.token ?? null);
  const longestMs = options.serverUrl === null ? 0 : longestWaitMs(options.serverUrl);
  const writer = createRowWriter({ store, logger });
  const batchSize = createBatchSize();
  const pokes =
    server === null
      ? null
      : createPokeListener({
          client: server.client,
          chance,
          longestMs,
          onPoke: meetPoke,
          onBreak: () => askSoon(backoffMs(1, { chance, longestMs })),
        });
  let state: SyncStatus['state'] = server === null ? 'no_server' : 'idle';
  let failures = 0;
  let underWay: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isClosed = false;
  /** Where the server last said that the scopes stand. */
  let poked: Poke = { user: 0, catalogue: 0 };
  let mustPull = true;
  let mustWriteBack = false;
  let isSequenceKnown = false;
  let nextPullMs = 0;
  let nextRoomTryMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let stopListening: (() => void) | null = null;

  const status = (): SyncStatus => ({
    state,
    waiting: waitingCount(store),
    rejected: rejectedCount(store),
    unread: unreadCount(store),
    lastSyncedAt: store.db.select({ at: syncState.lastSyncedAt }).from(syncState).get()?.at ?? null,
  });

  function enter(next: SyncStatus['state']): void {
    state = next;
    if (isClosed) return;
    const current = status();
    for (const listener of listeners) listener(current);
  }

  /** One at a time: a round, a move to another account. */
  function exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = underWay.then(work);
    underWay = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  function schedule(afterMs: number): void {
    if (isClosed || server === null || stopListening === null) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void exclusively(runOnce), afterMs);
    timer.unref();
  }

  const retry = (afterMs: number): void => schedule(Math.max(SHORTEST_WAIT_MS, afterMs));

  /** A full round, for when something may have been missed. */
  function askSoon(afterMs: number): void {
    mustPull = true;
    if (!isRunning) retry(afterMs);
  }

  function isBehind(): boolean {
    const { user, catalogue } = readCursors(store);
    return poked.user > user || poked.catalogue > catalogue;
  }

  function meetPoke(poke: Poke): void {
    poked = poke;
    // A server that speaks again ends the wait for it.
    if (!isRunning && (state === 'offline' || state === 'backing_off' || isBehind())) schedule(0);
  }

  async function round(connection: ServerConnection): Promise<void> {
    await ensureRegistered(connection.client, { store, vault, device });
    const isFull = mustPull;
    if (mustPullFirst(store)) {
      enter('pulling');
      await pull(connection);
    }
    // Where nothing else is to be sent, only this tells that the server was updated.
    if (isFull && hasWorthAnotherTry(store)) await probeServer(store, connection);
    if (performance.now() >= nextRoomTryMs) {
      // A larger plan makes room, and so does what other devices delete.
      retryWhenRoom(store);
      nextRoomTryMs = performance.now() + TRY_FOR_ROOM_EVERY_MS;
    }
    if (waitingCount(store) > 0) {
      enter('pushing');
      if (!isSequenceKnown) await verifySequence(store, connection);
      isSequenceKnown = true;
    }
    while (!isClosed) {
      const pushed = await batchSize.during(
        (limit) => pushBatch({ store, logger, server: connection, writer }, limit),
        () => quarantineFirst({ store, logger, server: connection }),
      );
      if (pushed === 'sent_and_behind') mustPull = true;
      if (pushed === 'nothing') break;
    }
    if (mustPull || isBehind() || performance.now() >= nextPullMs) {
      enter('pulling');
      await pull(connection);
      mustWriteBack = true;
      // Though the server tells when there is something: a word of it may have been lost.
      nextPullMs = performance.now() + PULL_EVERY_MS * (0.75 + 0.5 * chance());
    }
    store.db.update(syncState).set({ lastSyncedAt: store.clock.now() }).run();
    pokes?.start();
  }

  async function pull(connection: ServerConnection): Promise<void> {
    mustPull = false;
    try {
      for (;;) {
        const account = await pullPages({ store, logger, writer }, { server: connection, isClosed: () => isClosed });
        if (account === null) return;
        adoptAccount(store, { userId: account, deviceId: store.identity().deviceId, isRegistered: true });
      }
    } catch (error) {
      mustPull = true;
      throw error;
    }
  }

  async function runOnce(): Promise<void> {
    if (server === null || isClosed) return;
    isRunning = true;
    try {
      await round(server);
      failures = 0;
      enter('idle');
      const hasMore = waitingCount(store) > 0 || isBehind();
      if (!hasMore && mustWriteBack) setImmediate(writeBackPulled);
      schedule(hasMore ? 0 : nextPullMs - performance.now());
    } catch (error) {
      if (isClosed) return;
      const failure = await withAnotherRegistration(server, failureOf(error));
      if (failure.code === 'internal') logger.error({ err: error }, 'sync failed');
      else if (failure.code !== 'sync.offline')
        logger.warn({ code: failure.code, detail: failure.detail }, 'sync stopped');
      meet(failure);
    } finally {
      isRunning = false;
    }
  }

  /** A server that was restored may have forgotten this device: it registers again, and the next round goes on. */
  async function withAnotherRegistration({ client }: ServerConnection, failure: HostFailure): Promise<HostFailure> {
    if (failure.code !== 'auth.required') return failure;
    try {
      return (await registerAgain(client, { store, vault, device })) ? { code: 'sync.offline' } : failure;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** While nobody waits for it. */
  function writeBackPulled(): void {
    if (isClosed || !mustWriteBack) return;
    mustWriteBack = false;
    writeBack(store.sqlite);
  }

  /** On a full disk it is tried again with the next answer. */
  function recoverFrom(failure: HostFailure): void {
    try {
      if (recover(failure, { store, logger })) mustPull = true;
    } catch (error) {
      logger.error({ err: error, code: failure.code }, 'recovery_failed');
    }
  }

  function meet(failure: HostFailure): void {
    failures += 1;
    const waitMs = Math.max(server?.askedToWaitMs() ?? 0, backoffMs(failures, { chance, longestMs }));
    switch (failure.code) {
      case 'auth.required':
      case 'auth.device_revoked':
      case 'auth.forbidden':
        return enter('signed_out');
      case 'sync.protocol_too_old':
      case 'sync.protocol_too_new':
        enter(failure.code === 'sync.protocol_too_old' ? 'outdated' : 'ahead');
        // Whichever of us was updated too early: the other may be by then.
        return retry(Math.max(waitMs, OUTDATED_RETRY_MS));
      case 'sync.offline':
        enter('offline');
        return retry(waitMs);
      default:
        recoverFrom(failure);
        enter('backing_off');
        return retry(waitMs);
    }
  }

  async function run(): Promise<SyncStatus> {
    await exclusively(async () => {
      mustPull = true;
      await runOnce();
    });
    return status();
  }

  async function callServer<Value>(call: (client: ServerClient) => Promise<Value>): Promise<Answer<Value>> {
    if (server === null) return failed('sync.offline');
    try {
      await ensureRegistered(server.client, { store, vault, device });
      return ok(await call(server.client));
    } catch (error) {
      return { ok: false, error: failureOf(error) };
    }
  }

  /** Beside a first sync, which may take minutes; only a device that is unknown yet must wait its turn. */
  const asRegistered = <Value>(work: () => Promise<Value>): Promise<Value> =>
    isRegistered(store) ? work() : exclusively(work);

  return {
    status,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start() {
      stopListening = store.changes.subscribe(() => {
        if (!isRunning && state === 'idle' && waitingCount(store) > 0) schedule(0);
      });
      if (server !== null) void run();
    },
    run,
    rejected: () => listRejected(store),
    dismissRejected(id) {
      dismissRejected(store, id);
      enter(state);
    },
    ask: (call) => asRegistered(() => callServer(call)),
    moveTo: async (enter, { isSameOwner = false } = {}) => {
      // What was not sent yet goes to the account that it was made in, should that be the same one; and what has not come yet of its history
      // is fetched while this device may: it moves along.
      const { older } = readCursors(store);
      if (waitingCount(store) > 0 || (older ?? null) !== null) await run();
      const moved = await exclusively(async () => {
        const deviceId = DeviceId.parse(store.newId());
        const credentials = await callServer((client) => enter(client, { deviceId, ...device }));
        if (!credentials.ok) return credentials;
        // The token first: should we be killed here, the next start sees that it speaks for another account.
        await writeCredentials(vault, credentials.value);
        adoptAccount(store, { ...credentials.value, isRegistered: true, isNewDevice: true, isSameOwner });
        poked = { user: 0, catalogue: 0 };
        pokes?.start({ again: true });
        failures = 0;
        return credentials;
      });
      return moved.ok ? ok(await run()) : moved;
    },
    async whenIdle() {
      await underWay;
    },
    async close() {
      isClosed = true;
      stopListening?.();
      if (timer !== null) clearTimeout(timer);
      server?.hangUp();
      await underWay;
      await pokes?.close();
    },
  };
}
