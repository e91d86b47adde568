/** Listening to what was recorded: a guided learner for the replies that are expected, a live one for whatever they say. */
import type { HeardTurn } from '@parley/contract';
import type { SessionId } from '@parley/domain';
import type { Catalogue } from '../catalogue/index.ts';
import type { CloudCoach } from '../coach/index.ts';
import { readPcm16, type Recording } from '../recordings/index.ts';
import { candidateTexts } from './guide.ts';
import { hearTurn, type Recognition, toHeardTurn, type TurnHearing } from './hear-turn.ts';
import { sceneOf } from './scene.ts';
import type { Session } from './session-rows.ts';
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
  /** What waits to be sent; a recording that a crash cut off is listened to now. */
  waitingTurn(session: Session): Promise<HeardTurn | null>;
  /** With their next words the learner moves the session here from another device. */
  takeOver(sessionId: SessionId): void;
}

export function createListening(parts: ListeningParts): Listening {
  const { catalogue, coach, recordings } = parts;
  const hearings = new Map<string, Promise<HeardTurn>>();
  const takingOver = new Set<SessionId>();

  function expectedTexts(session: Session): string[] {
    const scene = isLive(session) ? null : sceneOf(catalogue, session);
    return scene === null ? [] : candidateTexts(scene);
  }

  function recognitionOf(session: Session, recording: Recording, candidates: readonly string[]): Recognition {
    if (!isLive(session)) return { type: 'candidates', candidates };
    return {
      type: 'anything',
      listen: async () => {
        const pcm = await readPcm16(recordings, recording);
        return coach.listen({ sessionId: session.id, pcm, takeOver: takingOver.delete(session.id) });
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
      .finally(() => hearings.delete(key));
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
      if (recording.outcome === null) return hear(session, recording, null);
      return toHeardTurn(recording, recording, expectedTexts(session));
    },
    takeOver: (sessionId) => void takingOver.add(sessionId),
  };
}
