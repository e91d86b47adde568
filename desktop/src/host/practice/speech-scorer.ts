/** What a practice needs of a scorer, whoever is behind it: the on-device one in its worker, or another. */
import type { Assessment } from '@parley/domain';

export interface SpeechScorer {
  /** Shown in Settings. */
  readonly name: string;
  /** `pcm` is 16 kHz mono in -1..1. Audio that cannot be scored is an `unusable` assessment; a throw means that scoring itself failed. */
  assess(speech: { pcm: Float32Array; text: string }): Promise<Assessment>;
  /** Which of the texts was said; `best` is null when none was. */
  rank(speech: { pcm: Float32Array; texts: readonly string[] }): Promise<{ best: number | null }>;
  close(): Promise<void>;
}

/** Where a packaged app has put the scorer's thread and its model. */
export interface ScorerFiles {
  workerFile?: URL;
  modelDir?: string;
}

/** The bundled scorer in its worker. The model is read with the first utterance, so that a start never waits for it. */
export function createDeviceScorer(files: ScorerFiles = {}): SpeechScorer {
  let opening: Promise<Awaited<ReturnType<typeof open>>> | null = null;
  const open = async () => {
    const { createWorkerScorer } = await import('@parley/speech/worker');
    return createWorkerScorer(files);
  };
  const scorer = () => {
    opening ??= open().catch((error: unknown) => {
      // The next utterance tries again.
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    name: 'on this device',
    assess: async (speech) => (await scorer()).assess(speech),
    rank: async (speech) => (await scorer()).rank(speech),
    close: async () => {
      if (opening !== null) await (await opening).close();
    },
  };
}
