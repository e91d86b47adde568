/** Spoken turns on this device: appended to disk as they are spoken, indexed in the database, recovered after a crash. */
import { MAX_CHUNK_BYTES, MAX_TURN_MS, PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import { ok, RecordingId, type SessionId, TurnId } from '@parley/domain';
import { and, asc, eq, inArray, type SQL } from 'drizzle-orm';
import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, failed } from '../answer/index.ts';
import { isDiskFull, recordings, type Store } from '../store/index.ts';
import { createGrowingWav, type GrowingWav, recoverWav } from './wav-file.ts';

export type Recording = typeof recordings.$inferSelect;

export interface Recordings {
  begin(sessionId: SessionId): Answer<{ turnId: TurnId; recordingId: RecordingId }>;
  append(chunk: { turnId: TurnId; seq: number; pcm: Uint8Array }): Answer<{ nextSeq: number }>;
  /** Ends a recording that is being spoken: from here on it waits to be sent. */
  close(turnId: TurnId, hintLevel: number): Answer<Recording>;
  /** Ends a recording whose window has gone: what was said until then waits to be sent. Null when there is none, or next to nothing in it. */
  interrupt(which: { sessionId: SessionId; turnId?: TurnId }): Recording | null;
  waiting(sessionId: SessionId): Recording | null;
  /** Stores what came of listening to it. */
  note(
    recordingId: string,
    heard: Partial<Pick<Recording, 'outcome' | 'text' | 'failure' | 'unusableReason' | 'hint' | 'assessment'>>,
  ): void;
  markSent(recordingId: string): void;
  setAside(sessionId: SessionId): void;
  /** The session is over: what waits in it stays with it. */
  keepUnsent(sessionId: SessionId): void;
  /** What was still waiting when its session ended, oldest first. */
  unsent(sessionId: SessionId): Recording[];
  /** Forgets what was set aside, or all of it. */
  remove(sessionId: SessionId, states: readonly Recording['state'][]): void;
  readWav(recordingId: RecordingId): Promise<Answer<Uint8Array>>;
  closeFiles(): void;
}

interface OpenRecording {
  recordingId: string;
  sessionId: string;
  wav: GrowingWav;
  nextSeq: number;
}

const MAX_SAMPLES = (MAX_TURN_MS / 1000) * PCM_SAMPLE_RATE_HZ;
/** A word takes longer than this. */
const MIN_INTERRUPTED_SAMPLES = 0.3 * PCM_SAMPLE_RATE_HZ;

/** What becomes of a recording that was never finished. */
const afterInterruption = (sampleCount: number): Pick<Recording, 'sampleCount' | 'state' | 'isInterrupted'> => ({
  sampleCount,
  state: sampleCount < MIN_INTERRUPTED_SAMPLES ? 'set_aside' : 'waiting',
  isInterrupted: true,
});

export function openRecordings(store: Store): Recordings {
  const { db } = store;
  const folder = join(store.dataDir, 'recordings');
  mkdirSync(folder, { recursive: true });
  const openByTurn = new Map<string, OpenRecording>();
  const fileOf = (recording: Pick<Recording, 'fileName'>): string => join(folder, recording.fileName);
  const change = (recordingId: string, values: Partial<Recording>): void =>
    store.transaction(() => {
      db.update(recordings).set(values).where(eq(recordings.recordingId, recordingId)).run();
      store.touch('recordings');
    });

  /** Of the learner who is here now: others may have used this computer before. */
  const isOwn = (): SQL => eq(recordings.userId, store.identity().userId);

  recoverAfterCrash();

  /** Whoever's they are. */
  function recoverAfterCrash(): void {
    for (const cutOff of db.select().from(recordings).where(eq(recordings.state, 'recording')).all()) {
      const { sampleCount } = recoverWav(fileOf(cutOff));
      change(cutOff.recordingId, afterInterruption(sampleCount));
    }
  }

  /** A recording that its speaker left: what was said is kept, but no longer waited for. */
  const abandon = (sessionId: string): void => leave(sessionId, () => 'set_aside');

  function leave(sessionId: string, stateOf: (recording: Recording) => Recording['state']): void {
    for (const [turnId, open] of openByTurn) {
      if (open.sessionId !== sessionId) continue;
      openByTurn.delete(turnId);
      const { sampleCount } = open.wav.close();
      change(open.recordingId, { sampleCount, nextSeq: open.nextSeq });
    }
    store.transaction(() => {
      for (const recording of inStates(sessionId, ['recording', 'waiting']))
        change(recording.recordingId, { state: stateOf(recording) });
    });
  }

  return {
    begin(sessionId) {
      const recordingId = RecordingId.parse(store.newId());
      const turnId = TurnId.parse(store.newId());
      const fileName = `${recordingId}.wav`;
      try {
        const wav = createGrowingWav(join(folder, fileName), () => store.clock.now().getTime());
        // Only now that there is room for another does the one before give way.
        abandon(sessionId);
        openByTurn.set(turnId, { recordingId, sessionId, wav, nextSeq: 0 });
      } catch (error) {
        if (isDiskFull(error)) return failed('storage.full');
        throw error;
      }
      store.transaction(() => {
        db.insert(recordings)
          .values({
            recordingId,
            userId: store.identity().userId,
            sessionId,
            turnId,
            fileName,
            state: 'recording',
            sampleCount: 0,
            nextSeq: 0,
            hintLevel: 0,
            createdAt: store.clock.now(),
          })
          .run();
        store.touch('recordings');
      });
      return ok({ turnId, recordingId });
    },

    append({ turnId, seq, pcm }) {
      const open = openByTurn.get(turnId);
      if (open === undefined) return failed(isKnown(turnId) ? 'turn.not_ready' : 'turn.not_found');
      if (seq < open.nextSeq) return ok({ nextSeq: open.nextSeq });
      if (seq > open.nextSeq) return failed('audio.gap', { detail: String(open.nextSeq) });
      if (pcm.byteLength > MAX_CHUNK_BYTES) return failed('request.too_large', { field: 'pcm' });
      if (pcm.byteLength % 2 !== 0) return failed('audio.invalid', { field: 'pcm' });
      // The chunk that crosses the limit is still kept whole.
      if (open.wav.sampleCount() >= MAX_SAMPLES) return failed('turn.too_long');
      try {
        open.wav.append(pcm);
      } catch (error) {
        if (isDiskFull(error)) return failed('storage.full');
        throw error;
      }
      open.nextSeq += 1;
      return ok({ nextSeq: open.nextSeq });
    },

    close(turnId, hintLevel) {
      const open = openByTurn.get(turnId);
      if (open !== undefined) {
        openByTurn.delete(turnId);
        const { sampleCount } = open.wav.close();
        change(open.recordingId, { sampleCount, nextSeq: open.nextSeq, hintLevel, state: 'waiting' });
      }
      const recording = db
        .select()
        .from(recordings)
        .where(and(isOwn(), eq(recordings.turnId, turnId)))
        .get();
      if (recording === undefined) return failed('turn.not_found');
      return recording.state === 'waiting' ? ok(recording) : failed('turn.not_ready');
    },

    interrupt({ sessionId, turnId }) {
      const wasOpen = closeOpen((open, of) => open.sessionId === sessionId && (turnId ?? of) === of);
      return wasOpen ? findWaiting(sessionId) : null;
    },

    waiting: findWaiting,

    note: (recordingId, heard) => change(recordingId, heard),
    markSent: (recordingId) => change(recordingId, { state: 'sent' }),
    setAside: abandon,
    // In silence nobody said anything that could be lost.
    keepUnsent: (sessionId) =>
      leave(sessionId, ({ sampleCount, unusableReason }) =>
        sampleCount === 0 || unusableReason === 'silent' ? 'set_aside' : 'unsent',
      ),
    unsent: (sessionId) => inStates(sessionId, ['unsent']),

    remove(sessionId, states) {
      abandon(sessionId);
      const rows = inStates(sessionId, states);
      store.transaction(() => {
        db.delete(recordings)
          .where(and(isOwn(), eq(recordings.sessionId, sessionId), inArray(recordings.state, [...states])))
          .run();
        store.touch('recordings');
      });
      for (const recording of rows) rmSync(fileOf(recording), { force: true });
    },

    async readWav(recordingId) {
      const recording = db
        .select()
        .from(recordings)
        .where(and(isOwn(), eq(recordings.recordingId, recordingId)))
        .get();
      if (recording === undefined) return failed('recording.not_found');
      try {
        return ok(await readFile(fileOf(recording)));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          return failed('recording.file_missing');
        throw error;
      }
    },

    closeFiles() {
      closeOpen(() => true);
    },
  };

  /** True when there was one. */
  function closeOpen(isMeant: (open: OpenRecording, turnId: string) => boolean): boolean {
    const meant = [...openByTurn].filter(([turnId, open]) => isMeant(open, turnId));
    for (const [turnId, open] of meant) {
      openByTurn.delete(turnId);
      const { sampleCount } = open.wav.close();
      change(open.recordingId, { ...afterInterruption(sampleCount), nextSeq: open.nextSeq });
    }
    return meant.length > 0;
  }

  function findWaiting(sessionId: SessionId): Recording | null {
    const waiting = db
      .select()
      .from(recordings)
      .where(and(isOwn(), eq(recordings.sessionId, sessionId), eq(recordings.state, 'waiting')))
      .get();
    return waiting ?? null;
  }

  function inStates(sessionId: string, states: readonly Recording['state'][]): Recording[] {
    return db
      .select()
      .from(recordings)
      .where(and(isOwn(), eq(recordings.sessionId, sessionId), inArray(recordings.state, [...states])))
      .orderBy(asc(recordings.createdAt))
      .all();
  }

  function isKnown(turnId: string): boolean {
    return db.select().from(recordings).where(eq(recordings.turnId, turnId)).get() !== undefined;
  }
}
