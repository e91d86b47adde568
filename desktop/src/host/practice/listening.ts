/** Listening to what was recorded: a guided learner for the replies that are expected, a live one for whatever they say. */
import type { HeardTurn } from '@parley/contract';
import { ok, type SessionId, type TurnId } from '@parley/domain';
import { failed } from '../answer/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { CloudCoach } from '../coach/index.ts';
import { readPcm16, type Recording } from '../recordings/index.ts';
import { candidateTexts } from './guide.ts';
import { hearTurn, type Recognition, toHeardTurn, type TurnHearing } from './hear-turn.ts';
import { sceneOf } from './scene.ts';
import type { Session } from './session-rows.ts';
import { createSpokenTurns } from './spoken-turns.ts';
import { isLive } from './whose-turn.ts';

export interface ListeningParts extends TurnHearing {
  catalogue: Catalogue;
  coach: CloudCoach;
}

export interface Listening {
  /** What a guided learner may say here; a live one may say anything. */
  expectedTexts(session: Session): string[];
  /** Listens once, however often it is asked to while it does; `text` is the learner's own word for what they said. */
  hear(session: Session, recording: Recording, text: string | null): Promise<HeardTurn>;
  /** What waits to be sent; a recording that was interrupted is listened to now. */
  waitingTurn(session: Session): Promise<HeardTurn | null>;
  /** What still waited when the session ended; silence is not worth showing. */
  unsentTurns(session: Session): HeardTurn[];
  /** A turn begins: a live one may be listened to while it is spoken. */
  begin(session: Session, turnId: TurnId): void;
  /** A chunk of it that is stored. */
  follow(turnId: TurnId, chunk: { seq: number; pcm: Uint8Array }): void;
  /** A turn that is still spoken is listened to later, when its recording is asked for. */
  letGo(sessionId: SessionId): void;
  /** A turn was taken back. */
  drop(sessionId: SessionId): void;
  /** With their next words the learner moves the session here from another device. */
  takeOver(sessionId: SessionId): void;
}

export function createListening(parts: ListeningParts): Listening {
  const { catalogue, coach, recordings } = parts;
  const hearings = new Map<string, Promise<HeardTurn>>();
  const takingOver = new Set<SessionId>();
  const spoken = createSpokenTurns(coach);

  function expectedTexts(session: Session): string[] {
    const scene = isLive(session) ? null : sceneOf(catalogue, session);
    return scene === null ? [] : candidateTexts(scene);
  }

  function recognitionOf(session: Session, recording: Recording, candidates: readonly string[]): Recognition {
    if (!isLive(session)) return { type: 'candidates', candidates };
    return {
      type: 'anything',
      listen: async () => {
        const understood = await spoken.end(recording);
        if (understood === 'unwanted') return failed('turn.not_found');
        if (understood !== null) {
          takingOver.delete(session.id);
          return ok(understood);
        }
        const pcm = await readPcm16(recordings, recording);
        if (!pcm.ok) return pcm;
        return coach.listen({ sessionId: session.id, pcm: pcm.value, takeOver: takingOver.delete(session.id) });
      },
    };
  }

  function hear(session: Session, recording: Recording, text: string | null): Promise<HeardTurn> {
    const key = `${recording.turnId} ${text ?? ''}`;
    const underWay = hearings.get(key);
    if (underWay !== undefined) return underWay;
    const candidates = expectedTexts(session);
    const recognition = recognitionOf(session, recording, candidates);
    const hearing = hearTurn(parts, { recording, recognition, text })
      .then((outcome) => toHeardTurn(recording, outcome, candidates))
      .finally(() => {
        hearings.delete(key);
        spoken.forget(recording);
      });
    hearings.set(key, hearing);
    return hearing;
  }

  return {
    expectedTexts,
    hear,
    async waitingTurn(session) {
      if (session.status !== 'in_progress') return null;
      const recording = recordings.waiting(session.id);
      if (recording === null) return null;
      const heard =
        recording.outcome === null
          ? await hear(session, recording, null)
          : toHeardTurn(recording, recording, expectedTexts(session));
      // A learner who had said nothing yet has lost nothing.
      return recording.isInterrupted && heard.status === 'unusable' && heard.reason === 'silent' ? null : heard;
    },
    unsentTurns: (session) =>
      recordings
        .unsent(session.id)
        .filter(({ unusableReason }) => unusableReason !== 'silent')
        .map((recording) => toHeardTurn(recording, recording, [])),
    begin(session, turnId) {
      if (isLive(session)) spoken.begin({ sessionId: session.id, turnId, takeOver: takingOver.has(session.id) });
    },
    follow: spoken.hear,
    letGo: spoken.letGo,
    drop: spoken.drop,
    takeOver: (sessionId) => void takingOver.add(sessionId),
  };
}
