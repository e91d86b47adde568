/** Where a voice is in what it is expected to say, told while it speaks and never waited for. */
import type { Following } from '@parley/contract';
import type { TurnId } from '@parley/domain';
import { decodePcm16 } from '@parley/speech';
import type { Logger } from '../logger.ts';
import type { SpeechScorer } from './speech-scorer.ts';

export interface LiveFollowing {
  /** From now on this turn's sound is followed through one of these texts. */
  begin(turnId: TurnId, texts: readonly string[]): void;
  /** Takes a chunk of 16-bit PCM, `seq` counting from 0, a repeated one only once; answers with what is known so far. */
  hear(turnId: TurnId, chunk: { seq: number; pcm: Uint8Array }): Following | null;
  end(turnId: TurnId): void;
}

interface Followed {
  nextSeq: number;
  push: (pcm: Float32Array) => void;
  latest: Following | null;
  close: () => void;
}

export function createLiveFollowing({ scorer, logger }: { scorer: SpeechScorer; logger: Logger }): LiveFollowing {
  const followedByTurn = new Map<TurnId, Followed>();
  return {
    begin(turnId, texts) {
      if (texts.length === 0) return;
      const listening = scorer.listen(texts);
      const followed: Followed = {
        nextSeq: 0,
        latest: null,
        close: () => listening.close(),
        push: (pcm) => {
          listening.push(pcm).then(
            (following) => {
              const text = following === null ? undefined : texts[following.text];
              followed.latest = following === null || text === undefined ? null : { text, said: following.said };
            },
            (error: unknown) => {
              // The turn is scored all the same when it is over; only the light goes out.
              if (followedByTurn.delete(turnId)) logger.warn({ err: error, turnId }, 'a voice could not be followed');
            },
          );
        },
      };
      followedByTurn.set(turnId, followed);
    },
    hear(turnId, { seq, pcm }) {
      const followed = followedByTurn.get(turnId);
      if (followed === undefined) return null;
      if (seq === followed.nextSeq) {
        followed.nextSeq += 1;
        followed.push(decodePcm16(pcm));
      }
      return followed.latest;
    },
    end(turnId) {
      followedByTurn.get(turnId)?.close();
      followedByTurn.delete(turnId);
    },
  };
}
