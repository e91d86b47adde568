/** Streaming recognition: reports how far the learner has got in an expected text while they speak. */
import type { SpeechProgress } from '@parley/contract';
import type { TurnId } from '@parley/domain';
import { decodePcm16 } from '@parley/speech';
import type { Logger } from '../logger.ts';
import type { SpeechScorer } from './speech-scorer.ts';

export interface StreamingRecognition {
  /** Starts recognition of a turn against these texts. */
  begin(turnId: TurnId, texts: readonly string[]): void;
  /** Accepts 16-bit PCM, with `seq` counting from 0, ignores repeated chunks, and returns the latest progress. */
  pushAudio(turnId: TurnId, chunk: { seq: number; pcm: Uint8Array }): SpeechProgress | null;
  end(turnId: TurnId): void;
}

interface ActiveTurn {
  nextSeq: number;
  push: (pcm: Float32Array) => void;
  latest: SpeechProgress | null;
  close: () => void;
}

export function createStreamingRecognition({
  scorer,
  logger,
}: {
  scorer: SpeechScorer;
  logger: Logger;
}): StreamingRecognition {
  const activeByTurnId = new Map<TurnId, ActiveTurn>();
  return {
    begin(turnId, texts) {
      if (texts.length === 0) return;
      const recognition = scorer.startRecognition(texts);
      const active: ActiveTurn = {
        nextSeq: 0,
        latest: null,
        close: () => recognition.close(),
        push: (pcm) => {
          recognition.push(pcm).then(
            (progress) => {
              const text = progress === null ? undefined : texts[progress.text];
              active.latest =
                progress === null || text === undefined ? null : { text, said: progress.spokenCharacters };
            },
            (error: unknown) => {
              // The turn is still scored when it ends; only the progress display stops.
              if (!activeByTurnId.delete(turnId)) return;
              recognition.close();
              logger.warn({ err: error, turnId }, 'streaming_recognition_failed');
            },
          );
        },
      };
      activeByTurnId.set(turnId, active);
    },
    pushAudio(turnId, { seq, pcm }) {
      const followed = activeByTurnId.get(turnId);
      if (followed === undefined) return null;
      if (seq === followed.nextSeq) {
        followed.nextSeq += 1;
        followed.push(decodePcm16(pcm));
      }
      return followed.latest;
    },
    end(turnId) {
      activeByTurnId.get(turnId)?.close();
      activeByTurnId.delete(turnId);
    },
  };
}
