/** The port for a speech scorer, implemented by the on-device worker and by test scorers. */
import type { Assessment } from '@parley/domain';
import type { Draft, RecognitionProgress, RecognitionStream } from '@parley/speech';

export interface SpeechScorer {
  /** The name of the model, shown in Settings. */
  readonly name: string;
  /**
   * `pcm` is 16 kHz mono in -1..1. Audio that cannot be scored returns an `unusable` assessment; an exception means
   * that scoring failed. `other` is the text with which this one must not be confused; a learner who says it is scored
   * too.
   */
  assess(speech: { pcm: Float32Array; text: string; other?: string | undefined }): Promise<Assessment>;
  /** Decides which of two texts that differ in one sound was said; null when neither is clearly more likely. */
  compare(speech: { pcm: Float32Array; text: string; other: string }): Promise<'text' | 'other' | null>;
  /**
   * Finds which text was said; `best` is null if none fits. Fits are natural log-likelihoods per phone and can be
   * compared.
   */
  rank(speech: {
    pcm: Float32Array;
    texts: readonly string[];
  }): Promise<{ best: number | null; fits: readonly (number | null)[] }>;
  /** Drafts a transcript. `texts` are the replies that the practice expects; their words are expected more than others. */
  transcribe(speech: { pcm: Float32Array; texts: readonly string[] }): Promise<Draft>;
  /** Recognises one of these texts while the learner speaks. */
  startRecognition(texts: readonly string[]): RecognitionStream;
  close(): Promise<void>;
}

/** Locations of the scorer's worker and model in a packaged app. */
export interface ScorerFiles {
  workerFile?: URL;
  modelDir?: string;
}

/** Creates the bundled scorer. The model is loaded with the first utterance, so that it does not delay startup. */
export function createDeviceScorer(files: ScorerFiles = {}): SpeechScorer {
  let loading: Promise<Awaited<ReturnType<typeof open>>> | null = null;
  const open = async () => {
    const { createWorkerScorer } = await import('@parley/speech/worker');
    return createWorkerScorer(files);
  };
  const scorer = () => {
    loading ??= open().catch((error: unknown) => {
      // The next utterance loads the model again.
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    name: 'on this device',
    assess: async (speech) => (await scorer()).assess(speech),
    compare: async (speech) => (await scorer()).compare(speech),
    rank: async (speech) => (await scorer()).rank(speech),
    transcribe: async (speech) => (await scorer()).transcribe(speech),
    startRecognition: (texts) => {
      const listening = scorer().then((opened) => opened.startRecognition(texts));
      listening.catch(() => undefined);
      return {
        push: async (pcm): Promise<RecognitionProgress | null> => (await listening).push(pcm),
        close: () => void listening.then((opened) => opened.close()).catch(() => undefined),
      };
    },
    close: async () => {
      if (loading !== null) await (await loading).close();
    },
  };
}
