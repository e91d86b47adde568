/**
 * Stores recordings on this device: appended to files during speech, indexed in the database, and recovered after a
 * crash.
 */
import { MAX_CHUNK_BYTES, MAX_TURN_MS, PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import { ok, RecordingId, type SessionId, TurnId } from '@parley/domain';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import { type HostResult, failed } from '../result/index.ts';
import { isDiskFullError, type Store } from '../store/index.ts';
import { createFileAdopter } from './adopt-files.ts';
import { createRecordingRows, type Recording } from './recording-rows.ts';
import { BYTES_PER_SAMPLE, createGrowingWav, type GrowingWav, recoverWav } from './wav-file.ts';

export type { Recording } from './recording-rows.ts';

export interface Recordings {
  /**
   * Begins a recording with the audio so far, up to the longest turn and its last chunk. The session's previous recording is set aside,
   * and kept as it is when this fails.
   */
  begin(sessionId: SessionId, audioSoFar?: Uint8Array): HostResult<{ turnId: TurnId; recordingId: RecordingId }>;
  append(chunk: { turnId: TurnId; seq: number; pcm: Uint8Array }): HostResult<{ nextSeq: number }>;
  /** Ends a recording; it then waits to be sent. */
  close(turnId: TurnId, hintLevel: number): HostResult<Recording>;
  /**
   * Ends a recording whose window has gone; it then waits to be sent. Returns null if there is none or it is almost
   * empty.
   */
  interrupt(which: { sessionId: SessionId; turnId?: TurnId }): Recording | null;
  waitingRecording(sessionId: SessionId): Recording | null;
  /** Stores the outcome of the assessment. */
  storeOutcome(
    recordingId: string,
    heard: Partial<
      Pick<Recording, 'outcome' | 'text' | 'words' | 'failure' | 'unusableReason' | 'hint' | 'assessment'>
    >,
  ): void;
  markAsSent(recordingId: string): void;
  discardWaiting(sessionId: SessionId): void;
  /** Keeps waiting recordings with their session when it ends. */
  keepWaitingAsUnsent(sessionId: SessionId): void;
  /** Returns the recordings that were still waiting when their session ended, oldest first. */
  listUnsent(sessionId: SessionId): Recording[];
  /** Deletes the recordings in the given states. */
  remove(sessionId: SessionId, states: readonly Recording['state'][]): void;
  readWav(recordingId: RecordingId): Promise<HostResult<Uint8Array>>;
  /** Whether a recording is being made at this moment. */
  isRecording(): boolean;
  /** Whether the file is on this device. */
  has(recordingId: RecordingId): boolean;
  /** Whether this device made the recording, even if its file is lost. */
  wasMadeHere(recordingId: RecordingId): boolean;
  /**
   * Call this at startup, and with `isUpToDate` after a pull, which may have brought turns whose recordings are here
   * but were lost from a damaged database.
   */
  adoptFiles(options: { isUpToDate: boolean }): void;
  /** Throws if a recording could not be finished; it is recovered at the next start. */
  closeFiles(): void;
}

interface OpenRecording {
  recordingId: string;
  sessionId: string;
  wav: GrowingWav;
  nextSeq: number;
}

const MAX_SAMPLES = (MAX_TURN_MS / 1000) * PCM_SAMPLE_RATE_HZ;
/** Even a single spoken word is longer than this. */
const MIN_INTERRUPTED_SAMPLES = 0.3 * PCM_SAMPLE_RATE_HZ;

/** Returns the state of a recording that was never finished. */
const afterInterruption = (sampleCount: number): Pick<Recording, 'sampleCount' | 'state' | 'isInterrupted'> => ({
  sampleCount,
  state: sampleCount < MIN_INTERRUPTED_SAMPLES ? 'set_aside' : 'waiting',
  isInterrupted: true,
});

export function openRecordings(store: Store, logger: Logger): Recordings {
  const folder = join(store.dataDir, 'recordings');
  mkdirSync(folder, { recursive: true });
  const openByTurnId = new Map<string, OpenRecording>();
  const fileOf = (recording: Pick<Recording, 'fileName'>): string => join(folder, recording.fileName);
  const rows = createRecordingRows(store);

  recoverAfterCrash();
  const files = createFileAdopter(store, { folder, logger });

  /** Recovers interrupted recordings of all accounts. One whose file cannot be opened is recovered at a later start. */
  function recoverAfterCrash(): void {
    for (const interrupted of rows.listInterrupted()) {
      const recovered = tryRecover(interrupted);
      if (recovered !== null) setInterrupted(interrupted, recovered);
    }
  }

  function setInterrupted({ recordingId }: Recording, { sampleCount }: { sampleCount: number }): void {
    rows.update(recordingId, afterInterruption(sampleCount));
  }

  function tryRecover(interrupted: Recording): { sampleCount: number } | null {
    try {
      return recoverWav(fileOf(interrupted));
    } catch (error) {
      logger.warn({ err: error }, 'recording_not_recovered');
      return null;
    }
  }

  /** Keeps a recording that no longer waits to be sent. */
  const discardOpenAndWaiting = (sessionId: string): void => closeAndSetState(sessionId, () => 'set_aside');

  /** A handle is forgotten only after the end of its recording is stored, so that a full disk loses nothing. */
  function closeAndSetState(sessionId: string, stateOf: (recording: Recording) => Recording['state']): void {
    const matching = [...openByTurnId].filter(([, open]) => open.sessionId === sessionId);
    for (const [, { wav }] of matching) wav.close();
    store.transaction(() => {
      for (const [, { recordingId, wav, nextSeq }] of matching)
        rows.update(recordingId, { sampleCount: wav.sampleCount(), nextSeq });
      for (const recording of rows.listInStates(sessionId, ['recording', 'waiting'])) {
        const { sampleCount } = isOrphaned(recording) ? recoverWav(fileOf(recording)) : recording;
        rows.update(recording.recordingId, { sampleCount, state: stateOf({ ...recording, sampleCount }) });
      }
    });
    for (const [turnId] of matching) openByTurnId.delete(turnId);
  }

  /** Whether a recording was closed, but the transaction that stored its end was rolled back. */
  const isOrphaned = ({ state, turnId }: Recording): boolean => state === 'recording' && !openByTurnId.has(turnId);

  return {
    begin(sessionId, audioSoFar = new Uint8Array()) {
      const recordingId = RecordingId.parse(store.newId());
      const turnId = TurnId.parse(store.newId());
      const fileName = `${recordingId}.wav`;
      let wav: GrowingWav | null = null;
      try {
        wav = createGrowingWav(fileOf({ fileName }), () => store.clock.now().getTime());
        wav.append(audioSoFar.subarray(0, MAX_SAMPLES * BYTES_PER_SAMPLE + MAX_CHUNK_BYTES));
        // The previous recording is replaced only after the new one is written, so a full disk does not lose it.
        store.transaction(() => {
          discardOpenAndWaiting(sessionId);
          rows.insert({
            recordingId,
            sessionId,
            turnId,
            fileName,
            state: 'recording',
            sampleCount: 0,
            nextSeq: 0,
            hintLevel: 0,
          });
        });
      } catch (error) {
        wav?.remove();
        if (isDiskFullError(error)) return failed('storage.full');
        throw error;
      }
      openByTurnId.set(turnId, { recordingId, sessionId, wav, nextSeq: 0 });
      return ok({ turnId, recordingId });
    },

    append({ turnId, seq, pcm }) {
      const open = openByTurnId.get(turnId);
      if (open === undefined || open.wav.isClosed()) {
        if (rows.findByTurn(turnId)?.isInterrupted === true) return failed('turn.interrupted');
        return failed(rows.isOfAnyAccount(turnId) ? 'turn.not_ready' : 'turn.not_found');
      }
      if (seq < open.nextSeq) return ok({ nextSeq: open.nextSeq });
      if (seq > open.nextSeq) return failed('audio.gap', { detail: String(open.nextSeq) });
      if (pcm.byteLength > MAX_CHUNK_BYTES) return failed('request.too_large', { field: 'pcm' });
      if (pcm.byteLength % 2 !== 0) return failed('audio.invalid', { field: 'pcm' });
      // The chunk that crosses the limit is still stored completely.
      if (open.wav.sampleCount() >= MAX_SAMPLES) return failed('turn.too_long');
      try {
        open.wav.append(pcm);
      } catch (error) {
        if (isDiskFullError(error)) return failed('storage.full');
        throw error;
      }
      open.nextSeq += 1;
      return ok({ nextSeq: open.nextSeq });
    },

    close(turnId, hintLevel) {
      const open = openByTurnId.get(turnId);
      if (open !== undefined) {
        const { sampleCount } = open.wav.close();
        rows.update(open.recordingId, { sampleCount, nextSeq: open.nextSeq, hintLevel, state: 'waiting' });
        openByTurnId.delete(turnId);
      }
      const recording = rows.findByTurn(turnId);
      if (recording === undefined) return failed('turn.not_found');
      if (isOrphaned(recording)) {
        const ended = { ...recoverWav(fileOf(recording)), hintLevel, state: 'waiting' as const };
        rows.update(recording.recordingId, ended);
        return ok({ ...recording, ...ended });
      }
      return recording.state === 'waiting' ? ok(recording) : failed('turn.not_ready');
    },

    interrupt({ sessionId, turnId }) {
      const wasOpen = closeOpenRecordings((open, of) => open.sessionId === sessionId && (turnId ?? of) === of);
      const orphaned = rows
        .listInStates(sessionId, ['recording'])
        .filter((recording) => isOrphaned(recording) && (turnId ?? recording.turnId) === recording.turnId);
      for (const recording of orphaned) setInterrupted(recording, recoverWav(fileOf(recording)));
      return wasOpen || orphaned.length > 0 ? rows.findWaiting(sessionId) : null;
    },

    waitingRecording: rows.findWaiting,

    storeOutcome: rows.update,
    markAsSent: (recordingId) => rows.update(recordingId, { state: 'sent' }),
    discardWaiting: discardOpenAndWaiting,
    // A recording that counts as silent is kept as well, because a quiet voice may be audible in it.
    keepWaitingAsUnsent: (sessionId) =>
      closeAndSetState(sessionId, ({ sampleCount }) => (sampleCount === 0 ? 'set_aside' : 'unsent')),
    listUnsent: (sessionId) => rows.listInStates(sessionId, ['unsent']),

    remove(sessionId, states) {
      if (states.includes('recording') || states.includes('waiting')) discardOpenAndWaiting(sessionId);
      const removed = rows.listInStates(sessionId, states);
      rows.delete(sessionId, states);
      for (const recording of removed) rmSync(fileOf(recording), { force: true });
    },

    isRecording: () => [...openByTurnId.values()].some(({ wav }) => !wav.isClosed()),

    has(recordingId) {
      const recording = find(recordingId);
      return recording !== undefined && existsSync(fileOf(recording));
    },

    wasMadeHere: (recordingId) => find(recordingId) !== undefined,

    async readWav(recordingId) {
      const recording = find(recordingId);
      if (recording === undefined) return failed('recording.not_found');
      try {
        return ok(await readFile(fileOf(recording)));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          return failed('recording.file_missing');
        throw error;
      }
    },

    adoptFiles: (options) => files.adoptAll(options),

    closeFiles() {
      closeOpenRecordings(() => true);
    },
  };

  /** Returns true if at least one recording was open. Throws the first failure after the other recordings are closed. */
  function closeOpenRecordings(matches: (open: OpenRecording, turnId: string) => boolean): boolean {
    const matching = [...openByTurnId].filter(([turnId, open]) => matches(open, turnId));
    const failures: unknown[] = [];
    for (const [turnId, open] of matching) {
      try {
        const { sampleCount } = open.wav.close();
        rows.update(open.recordingId, { ...afterInterruption(sampleCount), nextSeq: open.nextSeq });
        openByTurnId.delete(turnId);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return matching.length > 0;
  }

  function find(recordingId: string): Recording | undefined {
    return rows.find(recordingId) ?? (files.adopt(recordingId) ? rows.find(recordingId) : undefined);
  }
}
