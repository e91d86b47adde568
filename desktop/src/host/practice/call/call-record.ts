/** What is kept of a call: every turn in its session's row as soon as it is known, and its score when it was had. */
import type { SessionView } from '@parley/contract';
import {
  type CoachTurn,
  type LearnerTurn,
  type ObjectiveId,
  ofFreeSpeech,
  type SessionId,
  TurnId,
} from '@parley/domain';
import type { Logger } from '../../logger.ts';
import { readSamples, type Recordings } from '../../recordings/index.ts';
import type { SpeechScorer } from '../../scorer/index.ts';
import { type Store, updateRow } from '../../store/index.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { findOpen } from '../open-session.ts';
import { hintLevelOf } from '../opened-hints.ts';
import { coachTurn } from '../scene.ts';
import { findSession, isWordless, type Session, storeTurns, updateTurns } from '../session-rows.ts';
import { toSessionView } from '../session-view.ts';
import type { SpokenTurn } from './turn-cutter.ts';

export interface RecordParts {
  store: Store;
  catalogue: Catalogue;
  recordings: Recordings;
  scorer: SpeechScorer;
  logger: Logger;
}

export interface CallRecord {
  /** Null when the session is over, or gone: another window, or another device, has ended it. */
  session(): Session | null;
  view(): SessionView | null;
  coachSaid(text: string, kind: CoachTurn['kind']): void;
  /** `text`: null while nobody can write it down. `spoken`: null where the disk had no room for the sound. */
  learnerSaid(text: string | null, spoken: SpokenTurn | null): TurnId | null;
  /** The words of a turn that had none. */
  wrote(turnId: TurnId, text: string): void;
  proved(turnId: TurnId, proof: { objectiveId: ObjectiveId; words: string }): void;
  /** Resolves when the turn's score is stored, or will be had at the end. */
  score(turnId: TurnId): Promise<void>;
  whenScored(): Promise<void>;
}

export function createCallRecord(parts: RecordParts, sessionId: SessionId): CallRecord {
  const { store, recordings, scorer, logger } = parts;
  let scoring: Promise<void> = Promise.resolve();

  const session = (): Session | null => {
    const open = findOpen(store, sessionId);
    return open.ok ? open.value : null;
  };
  const inSession = (change: (session: Session) => void): void =>
    store.transaction(() => {
      const current = session();
      if (current !== null) change(current);
    });

  async function scoreNow(turnId: TurnId): Promise<void> {
    const turn = session()?.entireConversation.find((said) => said.turnId === turnId);
    if (turn?.role !== 'learner' || isWordless(turn) || turn.recordingId === null || turn.assessment !== null) return;
    const pcm = await readSamples(recordings, { recordingId: turn.recordingId });
    const assessment = ofFreeSpeech(await scorer.assess({ pcm, text: turn.text }));
    inSession((current) =>
      updateTurns(
        store,
        current,
        current.entireConversation.map((said) =>
          said.turnId === turnId && said.role === 'learner' ? { ...said, assessment } : said,
        ),
      ),
    );
  }

  return {
    session,
    view() {
      const found = findSession(store, sessionId);
      return found.ok ? toSessionView(parts, found.value, null) : null;
    },
    coachSaid: (text, kind) =>
      inSession((current) => storeTurns(store, current, [coachTurn(store, { text, node: null, kind })])),
    learnerSaid(text, spoken) {
      const turn: LearnerTurn = {
        role: 'learner',
        turnId: spoken?.turnId ?? TurnId.parse(store.newId()),
        at: store.clock.now().toISOString(),
        text: text ?? '',
        mode: 'voice',
        recordingId: spoken?.recordingId ?? null,
        node: null,
        fitted: true,
        assessment: null,
        hintLevel: 0,
      };
      let isStored = false;
      inSession((current) => {
        storeTurns(store, current, [{ ...turn, hintLevel: hintLevelOf(store, current) }]);
        if (spoken !== null) recordings.markSent(spoken.recordingId);
        isStored = true;
      });
      return isStored ? turn.turnId : null;
    },
    wrote: (turnId, text) =>
      inSession((current) => {
        const entireConversation = current.entireConversation.map((said) =>
          said.turnId === turnId && isWordless(said) ? { ...said, text } : said,
        );
        updateTurns(store, current, entireConversation);
      }),
    proved: (turnId, { objectiveId, words }) =>
      inSession(({ completedObjectives }) => {
        if (completedObjectives.some((done) => done.objectiveId === objectiveId)) return;
        updateRow(store, 'practiceHistory', sessionId, {
          completedObjectives: [...completedObjectives, { objectiveId, words, turnId }],
        });
      }),
    score(turnId) {
      scoring = scoring
        .then(() => scoreNow(turnId))
        .catch((error: unknown) => logger.warn({ err: error, turnId }, 'a turn of a call could not be scored yet'));
      return scoring;
    },
    whenScored: () => scoring,
  };
}
