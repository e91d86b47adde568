/** What the host needs of a scorer, whoever is behind it: the on-device one in its worker, or another. */
import type { Assessment } from '@parley/domain';
import type { Following, Listening } from '@parley/speech';

export interface SpeechScorer {
  /** Shown in Settings. */
  readonly name: string;
  /** `pcm` is 16 kHz mono in -1..1. Audio that cannot be scored is an `unusable` assessment; a throw means that scoring itself failed. */
  assess(speech: { pcm: Float32Array; text: string }): Promise<Assessment>;
  /** Which of the texts was said; `best` is null when none was. Fits are comparable natural log-likelihoods a phone. */
  rank(speech: {
    pcm: Float32Array;
    texts: readonly string[];
  }): Promise<{ best: number | null; fits: readonly (number | null)[] }>;
  /** Follows a voice that is still speaking through one of these texts. */
  listen(texts: readonly string[]): Listening;
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
    listen: (texts) => {
      const listening = scorer().then((opened) => opened.listen(texts));
      listening.catch(() => undefined);
      return {
        push: async (pcm): Promise<Following | null> => (await listening).push(pcm),
        close: () => void listening.then((opened) => opened.close()).catch(() => undefined),
      };
    },
    close: async () => {
      if (opening !== null) await (await opening).close();
    },
  };
}
