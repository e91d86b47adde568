/** Live turns that are listened to while they are spoken. The recording on the device stays the truth: what differs from it is not used. */
import type { SessionId, TurnId } from '@parley/domain';
import type { CloudCoach, SpokenTurn, Understood } from '../coach/index.ts';
import type { Recording } from '../recordings/index.ts';

export interface SpokenTurns {
  /** One turn a session: the one before is not wanted any more. */
  begin(turn: { sessionId: SessionId; turnId: TurnId; takeOver: boolean }): void;
  /** A chunk that is stored; one that comes again is not heard again. */
  hear(turnId: TurnId, chunk: { seq: number; pcm: Uint8Array }): void;
  /** What was understood; null where nobody listened along, or not to just this. */
  end(recording: Recording): Promise<Understood | 'unwanted' | null>;
  /** A turn that is still spoken is listened to later, from its recording. */
  letGo(sessionId: string): void;
  /** The turn was taken back. */
  drop(sessionId: string): void;
  /** It was listened to, or there was nothing in it. */
  forget(recording: Recording): void;
}

interface Spoken {
  turnId: TurnId;
  turn: SpokenTurn;
  nextSeq: number;
  bytes: number;
  hasEnded: boolean;
  isUnwanted: boolean;
}

const BYTES_A_SAMPLE = 2;

export function createSpokenTurns(coach: Pick<CloudCoach, 'listenAlong'>): SpokenTurns {
  const bySession = new Map<string, Spoken>();

  function remove(sessionId: string): void {
    bySession.get(sessionId)?.turn.drop();
    bySession.delete(sessionId);
  }

  function drop(sessionId: string): void {
    const spoken = bySession.get(sessionId);
    if (spoken !== undefined) spoken.isUnwanted = true;
    remove(sessionId);
  }

  return {
    begin({ sessionId, turnId, takeOver }) {
      drop(sessionId);
      const turn = coach.listenAlong({ sessionId, takeOver });
      bySession.set(sessionId, { turnId, turn, nextSeq: 0, bytes: 0, hasEnded: false, isUnwanted: false });
    },

    hear(turnId, { seq, pcm }) {
      const spoken = [...bySession.values()].find((one) => one.turnId === turnId);
      if (spoken?.nextSeq !== seq) return;
      spoken.nextSeq += 1;
      spoken.bytes += pcm.byteLength;
      spoken.turn.add(pcm);
    },

    async end({ sessionId, turnId, sampleCount }) {
      const spoken = bySession.get(sessionId);
      if (spoken?.turnId !== turnId) return null;
      spoken.hasEnded = true;
      if (spoken.bytes !== sampleCount * BYTES_A_SAMPLE) spoken.turn.drop();
      const understood = await spoken.turn.end();
      return spoken.isUnwanted ? 'unwanted' : understood;
    },

    letGo(sessionId) {
      if (bySession.get(sessionId)?.hasEnded === false) remove(sessionId);
    },
    drop,
    forget({ sessionId, turnId }) {
      if (bySession.get(sessionId)?.turnId === turnId) remove(sessionId);
    },
  };
}
