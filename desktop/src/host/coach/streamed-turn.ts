/**
 * A turn that is streamed to the assessor while the learner speaks, so that its assessment is ready soon after it ends.
 */
import type { TranscribedSpeech } from './transcribed-speech.ts';

export interface StreamedTurn {
  /** 16-bit mono PCM at 16 kHz. */
  add(pcm: Uint8Array): void;
  /**
   * Ends the audio. Resolves to `null` if streaming failed for any reason; the caller then sends the complete
   * recording.
   */
  end(): Promise<TranscribedSpeech | null>;
  /** Cancels the turn. */
  cancel(): void;
}

/** Queues audio until `send` starts to read it. */
export function openStreamedTurn(
  send: (sound: ReadableStream<Uint8Array>, signal: AbortSignal) => Promise<TranscribedSpeech | null>,
): StreamedTurn {
  const cancellation = new AbortController();
  let audioController: ReadableStreamDefaultController<Uint8Array> | null = null;
  const audio = new ReadableStream<Uint8Array>({
    start: (controller) => {
      audioController = controller;
    },
    cancel: () => {
      audioController = null;
    },
  });
  const result = send(audio, cancellation.signal).catch(() => null);

  const close = (): void => {
    audioController?.close();
    audioController = null;
  };
  const drop = (): void => {
    close();
    cancellation.abort();
  };
  return {
    add: (pcm) => audioController?.enqueue(pcm),
    end: async () => {
      // Nothing has been sent yet, so sending the complete recording takes no longer and avoids a second attempt.
      if (!audio.locked) {
        drop();
        return null;
      }
      close();
      return result;
    },
    cancel: drop,
  };
}
