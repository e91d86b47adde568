/** Saying one thing and hearing at once how it was: recorded, scored and kept as a practice's turns are. */
import type { AudioAppended, Drill, DrillAttempt } from '@parley/contract';
import { type Assessment, ok, RecordingId, SessionId, TurnId } from '@parley/domain';
import { and, desc, eq, isNotNull, type SQL } from 'drizzle-orm';
import type { Logger } from '../logger.ts';
import { type Answer, failed } from '../answer/index.ts';
import { readSamples, type Recordings } from '../recordings/index.ts';
import { storeWordList } from '../review/index.ts';
import type { LiveFollowing, SpeechScorer } from '../scorer/index.ts';
import { drillAttempts, type Store } from '../store/index.ts';

export interface Drills {
  list(): Promise<Drill[]>;
  attempts(of: { text: string }): DrillAttempt[];
  begin(wish: { text: string; other: string | null }): Answer<{ turnId: TurnId; recordingId: RecordingId }>;
  appendAudio(chunk: { turnId: TurnId; seq: number; pcm: Blob }): Promise<Answer<AudioAppended>>;
  finish(at: { turnId: TurnId }): Promise<Answer<DrillAttempt>>;
}

/** Recordings of drills belong to no session: they are kept under this name. */
const DRILLS = SessionId.parse('00000000-0000-7000-8000-0000000d1115');
const ATTEMPTS_SHOWN = 20;
/** Natural log units by which one word of a pair must fit better than the other; see the model card. */
const TOLD_APART_FROM = 1;

type Attempt = typeof drillAttempts.$inferSelect;

export interface DrillParts {
  store: Store;
  recordings: Recordings;
  scorer: SpeechScorer;
  following: LiveFollowing;
  logger: Logger;
}

export function createDrills({ store, recordings, scorer, following, logger }: DrillParts): Drills {
  const { db } = store;
  const finishing = new Map<TurnId, Promise<Answer<DrillAttempt>>>();
  const change = (recordingId: string, values: Partial<Attempt>): void => {
    db.update(drillAttempts).set(values).where(eq(drillAttempts.recordingId, recordingId)).run();
    store.touch('drill_attempts');
  };
  /** Of the learner who is here now: others may have used this computer before. */
  const isOwn = (): SQL => eq(drillAttempts.userId, store.identity().userId);
  const find = (turnId: TurnId): Attempt | undefined =>
    db
      .select()
      .from(drillAttempts)
      .where(and(isOwn(), eq(drillAttempts.turnId, turnId)))
      .get();

  async function score(attempt: Attempt): Promise<Answer<DrillAttempt>> {
    try {
      const pcm = await readSamples(recordings, attempt);
      const assessment = await scorer.assess({ pcm, text: attempt.text });
      const heard = assessment.unusable === undefined ? await tellApart(pcm, attempt) : null;
      store.transaction(() => {
        change(attempt.recordingId, { assessment, heard });
        recordings.markSent(attempt.recordingId);
        // Scoring takes a moment in which somebody else may have signed in: their list is not of these words.
        const isStillOwn = find(TurnId.parse(attempt.turnId)) !== undefined;
        if (assessment.unusable === undefined && isStillOwn) storeWordList(store, [assessment]);
      });
      return ok(toAttempt(attempt, { assessment, heard }));
    } catch (error) {
      logger.error({ err: error, recordingId: attempt.recordingId }, 'a drill could not be scored');
      return failed('scoring.failed');
    }
  }

  async function tellApart(pcm: Float32Array, { text, other }: Attempt): Promise<'text' | 'other' | null> {
    if (other === null) return null;
    const { fits } = await scorer.rank({ pcm, texts: [text, other] });
    const [own, rival] = fits;
    if (typeof own !== 'number' || typeof rival !== 'number' || Math.abs(own - rival) < TOLD_APART_FROM) return null;
    return own > rival ? 'text' : 'other';
  }

  return {
    async list() {
      const { DRILLS: bundled } = await import('@parley/catalogue/drills');
      return [...bundled];
    },
    attempts: ({ text }) =>
      db
        .select()
        .from(drillAttempts)
        .where(and(isOwn(), eq(drillAttempts.text, text), isNotNull(drillAttempts.assessment)))
        .orderBy(desc(drillAttempts.createdAt))
        .limit(ATTEMPTS_SHOWN)
        .all()
        .flatMap((attempt) =>
          attempt.assessment === null
            ? []
            : [toAttempt(attempt, { assessment: attempt.assessment, heard: attempt.heard })],
        ),
    begin({ text, other }) {
      const begun = recordings.begin(DRILLS);
      if (!begun.ok) return begun;
      store.transaction(() => {
        const { userId } = store.identity();
        const attempt = { ...begun.value, userId, text, other, createdAt: store.clock.now() };
        db.insert(drillAttempts).values(attempt).run();
        store.touch('drill_attempts');
      });
      following.begin(begun.value.turnId, [text]);
      return begun;
    },
    async appendAudio({ turnId, seq, pcm }) {
      const bytes = new Uint8Array(await pcm.arrayBuffer());
      const appended = recordings.append({ turnId, seq, pcm: bytes });
      return appended.ok ? ok({ ...appended.value, following: following.hear(turnId, { seq, pcm: bytes }) }) : appended;
    },
    async finish({ turnId }) {
      const attempt = find(turnId);
      if (attempt === undefined) return failed('turn.not_found');
      // Asked again, a scored attempt answers as it did: the first answer may have been lost on its way.
      if (attempt.assessment !== null)
        return ok(toAttempt(attempt, { assessment: attempt.assessment, heard: attempt.heard }));
      const underWay = finishing.get(turnId);
      if (underWay !== undefined) return underWay;
      following.end(turnId);
      const recording = recordings.close(turnId, 0);
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
