/**
 * Keeps copies of recordings on the server if the learner has agreed, and plays recordings from other devices. Nothing
 * is sent before the learner agrees.
 */
import { type ErrorCode, MAX_RECORDING_MS, type RecordingKeepingView, type RecordingPlace } from '@parley/contract';
import { ok, RecordingId } from '@parley/domain';
import { wavHeader } from '@parley/speech';
import { createOpusThread, type OpusThread } from '@parley/speech/opus/worker';
import type { Logger } from '../logger.ts';
import type { Recordings } from '../recordings/index.ts';
import { failed, type HostFailure, type HostResult } from '../result/index.ts';
import { connectToServer, OtherRecordingError, readCredentials, toFailure, type TokenVault } from '../server/index.ts';
import { isDiskFullError, type Store } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';
import { createCopyCache } from './copy-cache.ts';
import { fetchCopies } from './fetch-copies.ts';
import {
  applyKeeping,
  type CopyRow,
  countCopies,
  countToSend,
  findCopy,
  hasRoomAgain,
  listCopies,
  readKeepingRow,
  setFailure,
  writeKeepingRow,
} from './keeping-state.ts';
import { type LearnerConnection, refreshList, syncPendingChoice } from './refresh-list.ts';
import { removeUploadsOfDeleted, sendNext } from './send-recording.ts';
import { createTransferLoop } from './transfer-loop.ts';

interface KeepingChoice {
  isOn: boolean;
  deleteAll: boolean;
}

export interface KeptRecordings {
  keeping(): RecordingKeepingView;
  /**
   * Agreeing requires the server. Switching off takes effect at once, and the server is informed as soon as possible.
   */
  choose(choice: KeepingChoice): Promise<HostResult<RecordingKeepingView>>;
  place(recordingId: RecordingId): RecordingPlace;
  /** Returns the WAV, from the original or from the copy. */
  readWav(recordingId: RecordingId): Promise<HostResult<Uint8Array>>;
  /**
   * The copies of recordings that are not on this device, for an export. A copy that is currently unavailable is null.
   */
  listForExport(): Promise<{ recordingId: string; read: () => Promise<Uint8Array | null> }[]>;
  /**
   * Downloads the copies that are not on this device, before its work moves to another account. Returns why that failed, or null when all
   * are here or can never be fetched.
   */
  fetchAll(): Promise<HostFailure | null>;
  removeSession(sessionId: string): void;
  /** Removes what is left of deleted recordings: encoded files to send, and unfinished downloads. */
  removeFilesOfDeleted(): void;
  start(): void;
  changeServer(url: string | null): void;
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

export interface KeptRecordingOptions {
  workerFile?: URL | undefined;
  /** Size limit of the cache for other devices' recordings. */
  cacheBytes?: number;
  /** How long it must be silent before recordings are sent. */
  quietMs?: number;
}

export interface KeptRecordingParts {
  store: Store;
  recordings: Recordings;
  sync: Pick<Sync, 'status' | 'request'>;
  vault: TokenVault;
  chance: () => number;
  logger: Logger;
  serverUrl: string | null;
  options?: KeptRecordingOptions | undefined;
}

/** Enough for twenty-four hours of speech. */
const CACHE_BYTES = 256 * 1_048_576;
const QUIET_MS = 30_000;
/** Tables that change during a practice. */
const CONVERSATION_TABLES: ReadonlySet<string> = new Set(['recordings', 'ai_conversations', 'drill_attempts']);
/** These are not bugs: the learner or the server has made a decision, or the network is unavailable. */
const EXPECTED_FAILURES: ReadonlySet<string> = new Set([
  'recordings.full',
  'access.required',
  'access.taken',
  'storage.full',
]);

/** The list names a copy that is unavailable: its file is gone, or a restored server does not know it. */
const MISSING_COPY_CODES: ReadonlySet<string> = new Set(['recording.file_missing', 'recording.not_found']);

const pendingChoiceOf = ({ deleteAll }: KeepingChoice): 'off_and_delete' | 'off' =>
  deleteAll ? 'off_and_delete' : 'off';

export function createKeptRecordings(parts: KeptRecordingParts): KeptRecordings {
  const { store, recordings, sync, vault, chance, logger, options = {} } = parts;
  const codec: OpusThread = createOpusThread({ workerFile: options.workerFile });
  const cache = createCopyCache(store, { maxBytes: options.cacheBytes ?? CACHE_BYTES });
  let serverUrl = parts.serverUrl;
  let current: LearnerConnection | null = null;

  /** A connection that is bound to this learner, so that a recording never gets into the account that signs in next. */
  function connect(): LearnerConnection | null {
    const { userId } = store.identity();
    if (serverUrl === null) return null;
    if (current?.userId === userId) return current;
    current?.connection.cancelAll();
    const connection = connectToServer(serverUrl, async () => {
      const credentials = await readCredentials(vault);
      return credentials?.userId === userId ? credentials.token : null;
    });
    current = { userId, connection };
    return current;
  }

  /** By learner. A response to an earlier choice is outdated. */
  const latestChoices = new Map<string, KeepingChoice>();
  function tellPendingChoice(server: LearnerConnection, signal?: AbortSignal): Promise<void> {
    const choice = latestChoices.get(server.userId);
    return syncPendingChoice(store, server, { signal, isLatest: () => latestChoices.get(server.userId) === choice });
  }

  const isSignedIn = async (userId: string): Promise<boolean> => (await readCredentials(vault))?.userId === userId;

  let isListed = false;
  /** Whether something was sent that the list does not contain yet. */
  let mustCount = false;
  async function work(signal: AbortSignal): Promise<boolean> {
    const server = connect();
    if (server === null || !(await isSignedIn(server.userId))) return false;
    await tellPendingChoice(server, signal);
    if (!isListed) await refreshList(store, server, signal);
    isListed = true;
    const { isOn, failure } = readKeepingRow(store, server.userId);
    const isFull = failure === 'recordings.full' && !hasRoomAgain(store, server.userId);
    const hasSent = isOn && !isFull && (await sendNext({ store, recordings, codec }, { ...server, signal }));
    if (hasSent) {
      mustCount = true;
      return true;
    }
    // The list contains the learner's choice for all devices, and how much space the copies take.
    if (mustCount) await refreshList(store, server, signal);
    mustCount = false;
    if (!isFull) setFailure(store, server.userId, null);
    isListed = false;
    return false;
  }

  const loop = createTransferLoop({
    work,
    chance,
    quietMs: options.quietMs ?? QUIET_MS,
    isRecording: () => recordings.isRecording(),
    syncStatus: () => sync.status(),
    onFailure(error) {
      isListed = false;
      const { userId } = store.identity();
      const { code } = isDiskFullError(error) ? { code: 'storage.full' as const } : toFailure(error);
      // The next list shows whether the learner has switched copies off on another device, or a restored server has
      // forgotten the choice.
      if (code === 'recordings.off') return current?.connection.retryAfterMs() ?? 0;
      if (EXPECTED_FAILURES.has(code)) setFailure(store, userId, code);
      else if (code === 'internal') logger.error({ err: error }, 'recording_not_sent');
      return current?.connection.retryAfterMs() ?? 0;
    },
  });
  const unsubscribe = store.changes.subscribe((changed) => {
    if (changed.some((table) => CONVERSATION_TABLES.has(table))) loop.pauseForConversation();
  });

  function keeping(): RecordingKeepingView {
    const { userId } = store.identity();
    const { isOn, pendingChoice, usedBytes, quotaBytes, failure } = readKeepingRow(store, userId);
    const isOnHere = isOn && pendingChoice === null;
    return {
      isPossible: serverUrl !== null && sync.status().state !== 'signed_out',
      isOn: isOnHere,
      isDeleting: pendingChoice === 'off_and_delete',
      kept: countCopies(store, userId),
      waiting: isOnHere ? countToSend(store, userId) : 0,
      usedBytes,
      quotaBytes,
      failure,
    };
  }

  async function choose(choice: KeepingChoice): Promise<HostResult<RecordingKeepingView>> {
    const { userId } = store.identity();
    latestChoices.set(userId, choice);
    if (choice.isOn) {
      const agreed = await sync.request((client) => client.recordings.keep({ isOn: true }));
      const latest = latestChoices.get(userId) ?? choice;
      if (!latest.isOn) {
        // The server may have received the later choice first, so it is sent again.
        writeKeepingRow(store, userId, { pendingChoice: pendingChoiceOf(latest) });
        loop.wake();
        return agreed.ok ? ok(keeping()) : agreed;
      }
      if (!agreed.ok) return agreed;
      writeKeepingRow(store, userId, { pendingChoice: null, failure: null });
      applyKeeping(store, userId, agreed.value, { isLatest: true });
    } else {
      writeKeepingRow(store, userId, {
        isOn: false,
        pendingChoice: pendingChoiceOf(choice),
        failure: null,
      });
      const server = connect();
      // The loop repeats a failed request until the server has accepted it.
      if (server !== null)
        await tellPendingChoice(server)
          .then(() => refreshList(store, server))
          .catch(() => undefined);
    }
    isListed = false;
    loop.wake();
    return ok(keeping());
  }

  /** Returns null when the server does not have it either. */
  async function findOnServer(recordingId: string): Promise<CopyRow | null> {
    const server = connect();
    const known = findCopy(store, store.identity().userId, recordingId);
    if (known?.isOnServer === true || server === null) return known;
    await refreshList(store, server);
    return findCopy(store, server.userId, recordingId);
  }

  async function readOpus(recordingId: string, { mayTrim = true } = {}): Promise<HostResult<Uint8Array>> {
    const { userId } = store.identity();
    const known = findCopy(store, userId, recordingId);
    const cached = known === null ? null : await cache.read(known);
    if (cached !== null) return ok(cached);
    try {
      const copy = await findOnServer(recordingId);
      const server = connect();
      if (copy?.isOnServer !== true || server === null) return failed('recording.not_found');
      const id = RecordingId.parse(recordingId);
      const signal = new AbortController().signal;
      let reason: ErrorCode = 'recording.file_missing';
      const content = await cache
        .download(copy, (offset) =>
          server.connection.readRecording({ recordingId: id, sha256: copy.sha256, offset }, signal),
        )
        .catch((error: unknown) => {
          const { code } = toFailure(error);
          if (!(error instanceof OtherRecordingError) && !MISSING_COPY_CODES.has(code)) throw error;
          if (code === 'recording.not_found') reason = code;
          return null;
        });
      if (content !== null) {
        // Another device may have had the copies deleted, and then those in the cache are the only ones left.
        if (mayTrim && cache.isOverLimit()) await refreshList(store, server).then(cache.trim, () => undefined);
        return ok(content);
      }
      // The server compares the copy with its hash and forgets a damaged one; a device that has the recording sends it again.
      await server.connection.client.recordings.verify({ recordingId: id });
      // A server that was restored, or is older than this app, may not say that its list starts over.
      writeKeepingRow(store, server.userId, { generation: null, listedUntil: 0 });
      await refreshList(store, server);
      return failed(reason);
    } catch (error) {
      if (isDiskFullError(error)) return failed('storage.full');
      const failure = toFailure(error);
      if (failure.code === 'internal') throw error;
      return failed(failure.code);
    }
  }

  async function readWav(recordingId: RecordingId): Promise<HostResult<Uint8Array>> {
    const original = await recordings.readWav(recordingId);
    if (original.ok) return original;
    const opus = await readOpus(recordingId);
    // The original's error says where the recording is. The copy's is returned if the learner can do something about it.
    if (!opus.ok) return opus.error.code === 'recording.not_found' ? original : opus;
    const pcm = await codec.decode(new Uint8Array(opus.value), { maxMs: MAX_RECORDING_MS });
    if (!pcm.ok) return failed('recording.file_missing');
    return ok(Buffer.concat([wavHeader(pcm.value.byteLength), pcm.value]));
  }

  return {
    keeping,
    choose,
    readWav,
    place(recordingId) {
      if (recordings.has(recordingId)) return 'original';
      const copy = findCopy(store, store.identity().userId, recordingId);
      if (copy === null) return 'elsewhere';
      return copy.playedAt !== null || (copy.isOnServer && serverUrl !== null) ? 'copy' : 'elsewhere';
    },
    async listForExport() {
      const server = connect();
      // Without the server, the cached copies are exported.
      if (server !== null && (await isSignedIn(server.userId))) await refreshList(store, server).catch(() => undefined);
      return listCopies(store, store.identity().userId)
        .filter(({ recordingId }) => !recordings.has(RecordingId.parse(recordingId)))
        .map(({ recordingId }) => ({
          recordingId,
          read: async () => {
            const opus = await readOpus(recordingId);
            return opus.ok ? opus.value : null;
          },
        }));
    },
    async fetchAll() {
      const server = connect();
      if (server === null || !(await isSignedIn(server.userId))) return null;
      const { userId } = server;
      return fetchCopies({
        store,
        logger,
        listMissing: async () => {
          await refreshList(store, server);
          return listCopies(store, userId).filter(
            (copy) => copy.playedAt === null && !recordings.has(RecordingId.parse(copy.recordingId)),
          );
        },
        fetch: ({ recordingId }) => readOpus(recordingId, { mayTrim: false }),
      });
    },
    removeSession: (sessionId) => cache.removeSession(sessionId),
    removeFilesOfDeleted() {
      removeUploadsOfDeleted(store);
      cache.removeUnlistedParts();
    },
    start: () => loop.wake(),
    changeServer(url) {
      serverUrl = url;
      current?.connection.cancelAll();
      current = null;
      isListed = false;
      loop.wake();
    },
    whenIdle: () => loop.whenIdle(),
    async close() {
      unsubscribe();
      current?.connection.cancelAll();
      await loop.close();
      await codec.close();
    },
  };
}
