/** Drills: one text that is recorded, assessed immediately, and stored like the turns of a practice. */
import type { AppendAudioResult, Drill, DrillAttempt } from '@parley/contract';
import { type Assessment, ok, RecordingId, TurnId } from '@parley/domain';
import { canBeSaid } from '@parley/speech';
import { and, desc, eq, isNotNull, type SQL } from 'drizzle-orm';
import type { Logger } from '../logger.ts';
import { type HostResult, failed } from '../result/index.ts';
import { DRILL_SESSION_ID, readSamples, type Recordings } from '../recordings/index.ts';
import { recordUtterances } from '../review/index.ts';
import type { StreamingRecognition, SpeechScorer } from '../scorer/index.ts';
import { drillAttempts, type Store } from '../store/index.ts';

interface DrillRequest {
  text: string;
  other: string | null;
  source: 'drill' | 'review' | 'shadowing';
  /** If true, the text must not leave this device. */
  isOwnText: boolean;
}

export interface Drills {
  list(): Promise<Drill[]>;
  attempts(of: { text: string }): DrillAttempt[];
  check(of: { text: string }): HostResult<void>;
  /** `windowGone` aborts when the recording window loses its connection. */
  begin(request: DrillRequest, windowGone?: AbortSignal): HostResult<{ turnId: TurnId; recordingId: RecordingId }>;
  appendAudio(chunk: { turnId: TurnId; seq: number; pcm: Blob }): Promise<HostResult<AppendAudioResult>>;
  finish(at: { turnId: TurnId }): Promise<HostResult<DrillAttempt>>;
}

const ATTEMPTS_SHOWN = 20;

type Attempt = typeof drillAttempts.$inferSelect;

export interface DrillParts {
  store: Store;
  recordings: Recordings;
  scorer: SpeechScorer;
  streamingRecognition: StreamingRecognition;
  logger: Logger;
}

export function createDrills({ store, recordings, scorer, streamingRecognition, logger }: DrillParts): Drills {
  const { db } = store;
  removeSetAside();
  /**
   * Turns whose text may be synced. After a restart the set is empty, so that a learner's own text cannot leave the
   * device.
   */
  const turnsOfSharedText = new Set<string>();
  const finishing = new Map<TurnId, Promise<HostResult<DrillAttempt>>>();
  /** Only one drill is recorded at a time. */
  let openTurn: { turnId: TurnId; finished: AbortController } | null = null;
  const updateAttempt = (recordingId: string, values: Partial<Attempt>): void => {
    db.update(drillAttempts).set(values).where(eq(drillAttempts.recordingId, recordingId)).run();
    store.markChanged('drill_attempts');
  };
  /** Restricts a query to the signed-in account, because several learners may share this computer. */
  const belongsToLearner = (): SQL => eq(drillAttempts.userId, store.identity().userId);
  const find = (turnId: TurnId): Attempt | undefined =>
    db
      .select()
      .from(drillAttempts)
      .where(and(belongsToLearner(), eq(drillAttempts.turnId, turnId)))
      .get();

  /**
   * Recordings that were cut off, and then replaced by another one, are never shown again. Those of a practice are
   * removed when it ends, but drills have no end. At the start, none of them is still being scored.
   */
  function removeSetAside(): void {
    try {
      recordings.remove(DRILL_SESSION_ID, ['set_aside']);
    } catch (error) {
      logger.warn({ err: error }, 'replaced_drill_recordings_not_removed');
    }
  }

  async function score(attempt: Attempt): Promise<HostResult<DrillAttempt>> {
    try {
      const pcm = await readSamples(recordings, attempt);
      const assessment = await scorer.assess({ pcm, text: attempt.text, other: attempt.other ?? undefined });
      const heard = assessment.unusable === undefined ? await recognisePairWord(pcm, attempt) : null;
      store.transaction(() => {
        updateAttempt(attempt.recordingId, { assessment, heard });
        recordings.markAsSent(attempt.recordingId);
        // Another account may have signed in during scoring, and these words must not go into its word list.
        const isSameLearner = find(TurnId.parse(attempt.turnId)) !== undefined;
        const text = turnsOfSharedText.has(attempt.turnId) ? attempt.text : null;
        if (isSameLearner)
          recordUtterances(store, [{ ...attempt, at: store.clock.now().toISOString(), text, assessment }], {
            source: attempt.source ?? 'drill',
            sessionId: null,
          });
      });
      turnsOfSharedText.delete(attempt.turnId);
      return ok(toAttempt(attempt, { assessment, heard }));
    } catch (error) {
      logger.error({ err: error, recordingId: attempt.recordingId }, 'drill_scoring_failed');
      return failed('scoring.failed');
    }
  }

  function stopFollowing(): void {
    if (openTurn === null) return;
    const { turnId, finished } = openTurn;
    openTurn = null;
    finished.abort();
    streamingRecognition.end(turnId);
  }

  /** Tracks a turn until it is finished, is replaced or loses its window. */
  function follow({ turnId, text }: { turnId: TurnId; text: string }, windowGone: AbortSignal | undefined): void {
    stopFollowing();
    const finished = new AbortController();
    openTurn = { turnId, finished };
    streamingRecognition.begin(turnId, [text]);
    const onWindowClosed = (): void => {
      try {
        stopFollowing();
        recordings.interrupt({ sessionId: DRILL_SESSION_ID, turnId });
      } catch (error) {
        // After a failure such as a full disk, the recording is recovered at the next start.
        logger.error({ err: error, turnId }, 'interrupted_recording_not_closed');
      }
    };
    if (windowGone?.aborted === true) onWindowClosed();
    else windowGone?.addEventListener('abort', onWindowClosed, { once: true, signal: finished.signal });
  }

  const recognisePairWord = async (pcm: Float32Array, { text, other }: Attempt): Promise<Attempt['heard']> =>
    other === null ? null : scorer.compare({ pcm, text, other });

  const check = (text: string): HostResult<void> => (canBeSaid(text) ? ok(undefined) : failed('text.no_pronunciation'));

  return {
    check: ({ text }) => check(text),
    async list() {
      const { DRILLS: bundled } = await import('@parley/catalogue/drills');
      return [...bundled];
    },
    attempts: ({ text }) =>
      db
        .select()
        .from(drillAttempts)
        .where(and(belongsToLearner(), eq(drillAttempts.text, text), isNotNull(drillAttempts.assessment)))
        .orderBy(desc(drillAttempts.createdAt))
        .limit(ATTEMPTS_SHOWN)
        .all()
        .flatMap((attempt) =>
          attempt.assessment === null
            ? []
            : [toAttempt(attempt, { assessment: attempt.assessment, heard: attempt.heard })],
        ),
    begin({ text, other, source, isOwnText }, windowGone) {
      const checked = isOwnText ? check(text) : ok(undefined);
      if (!checked.ok) return checked;
      const begun = recordings.begin(DRILL_SESSION_ID);
      if (!begun.ok) return begun;
      store.transaction(() => {
        const { userId } = store.identity();
        const attempt = { ...begun.value, userId, text, other, source, createdAt: store.clock.now() };
        db.insert(drillAttempts).values(attempt).run();
        store.markChanged('drill_attempts');
      });
      if (!isOwnText) turnsOfSharedText.add(begun.value.turnId);
      follow({ turnId: begun.value.turnId, text }, windowGone);
      return begun;
    },
    async appendAudio({ turnId, seq, pcm }) {
      const bytes = new Uint8Array(await pcm.arrayBuffer());
      const appended = recordings.append({ turnId, seq, pcm: bytes });
      return appended.ok
        ? ok({ ...appended.value, progress: streamingRecognition.pushAudio(turnId, { seq, pcm: bytes }) })
        : appended;
    },
    async finish({ turnId }) {
      const attempt = find(turnId);
      if (attempt === undefined) return failed('turn.not_found');
      // A repeated request returns the stored result, because the first response may have been lost.
      if (attempt.assessment !== null)
        return ok(toAttempt(attempt, { assessment: attempt.assessment, heard: attempt.heard }));
      const inProgress = finishing.get(turnId);
      if (inProgress !== undefined) return inProgress;
      const recording = recordings.close(turnId, 0);
      if (openTurn?.turnId === turnId) stopFollowing();
      if (!recording.ok) return recording;
      const finished = score(attempt).finally(() => finishing.delete(turnId));
      finishing.set(turnId, finished);
      return finished;
    },
  };
}

const toAttempt = (
  { recordingId, text, other, createdAt }: Attempt,
  { assessment, heard }: { assessment: Assessment; heard: Attempt['heard'] },
): DrillAttempt => ({
  recordingId: RecordingId.parse(recordingId),
  text,
  other,
  assessment,
  heard,
  at: createdAt,
});
