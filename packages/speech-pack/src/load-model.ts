/**
 * Loads a speech pack's model into transformers.js, which runs it on onnxruntime-web, without native code or network
 * access.
 */
import type { AutomaticSpeechRecognitionPipeline, LogitsProcessorList, Tensor } from '@huggingface/transformers';
import * as onnxRuntime from 'onnxruntime-web/wasm';
import type { SpeechPackManifest } from './manifest.ts';
import { joinTranscripts, type TokenStep, type Transcript, wordsOf } from './transcript.ts';
import { splitAtQuiet } from './split-at-quiet.ts';

export interface Model {
  /** `pcm` is 16 kHz mono in -1..1. */
  transcribe: (pcm: Float32Array) => Promise<Transcript>;
}

/** Creates a processor that changes nothing. */
type ObserveLogits = (onLogits: (logits: Float32Array) => void) => LogitsProcessorList;

const SAMPLE_RATE_HZ = 16_000;
/** Speech has fewer tokens per second than this; a model that repeats itself is stopped. */
const MAX_TOKENS_PER_SECOND = 8;
const MIN_TOKENS = 12;
const CONSIDERED = 4;
/** The library requests files below this name. */
const ROOT = 'pack/';
const MODEL = 'model';

/** Rejects if the files are not those of a transcription model. */
export async function loadModel(
  { precision }: Pick<SpeechPackManifest, 'precision'>,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<Model> {
  // The library uses the runtime that it finds here instead of its native one.
  Object.assign(globalThis, { [Symbol.for('onnxruntime')]: onnxRuntime });
  const {
    env,
    pipeline,
    LogitsProcessor,
    LogitsProcessorList: ProcessorList,
  } = await import('@huggingface/transformers');
  // The library has pointed the runtime to an address of its own, but the WebAssembly is next to the runtime.
  delete onnxRuntime.env.wasm.wasmPaths;
  onnxRuntime.env.wasm.numThreads = 1;
  Object.assign(env, {
    allowRemoteModels: false,
    localModelPath: ROOT,
    remoteHost: ROOT,
    remotePathTemplate: '{model}/',
    useBrowserCache: false,
    useFSCache: false,
    useWasmCache: false,
    useCustomCache: true,
    customCache: {
      match: (path: string) => {
        const content = files.get(path.slice(`${ROOT}${MODEL}/`.length));
        return Promise.resolve(content === undefined ? undefined : new Response(new Uint8Array(content)));
      },
      put: () => Promise.resolve(),
    },
    fetch: () => Promise.reject(new Error('a speech pack loads nothing from a network')),
  });
  const recognise = await pipeline('automatic-speech-recognition', MODEL, {
    dtype: precision,
    // The device names are those of the native runtime; the session options name the one that is used.
    device: 'auto',
    session_options: { executionProviders: ['wasm'] },
  });
  const { dictionary } = await import('cmu-pronouncing-dictionary');
  const isWord = (word: string): boolean => Object.hasOwn(dictionary, word.replaceAll('’', "'"));
  const observeLogits: ObserveLogits = (onLogits) => {
    const processors = new ProcessorList();
    const observer = new (class extends LogitsProcessor {
      override _call(_tokens: unknown, logits: Tensor): Tensor {
        onLogits(logits.data as Float32Array);
        return logits;
      }
    })();
    processors.push(observer);
    return processors;
  };
  return {
    async transcribe(pcm) {
      const parts: Transcript[] = [];
      for (const part of splitAtQuiet(pcm))
        parts.push(await transcribePart(recognise, part, { isWord, observeLogits }));
      return joinTranscripts(parts);
    },
  };
}

async function transcribePart(
  recognise: AutomaticSpeechRecognitionPipeline,
  pcm: Float32Array,
  { isWord, observeLogits }: { isWord: (word: string) => boolean; observeLogits: ObserveLogits },
): Promise<Transcript> {
  const steps: TokenStep[] = [];
  await recognise(pcm, {
    max_new_tokens: MIN_TOKENS + Math.ceil((pcm.length / SAMPLE_RATE_HZ) * MAX_TOKENS_PER_SECOND),
    ...(isMultilingual(recognise) ? { language: 'en', task: 'transcribe' } : {}),
    // It decodes greedily, so it takes the most probable token.
    logits_processor: observeLogits((logits) => steps.push(mostProbable(logits))),
  });
  return wordsOf(steps, {
    isWord,
    decode: (tokens) =>
      tokens.length === 0 ? '' : recognise.tokenizer.decode([...tokens], { skip_special_tokens: true }),
  });
}

function isMultilingual({ model }: AutomaticSpeechRecognitionPipeline): boolean {
  const { generation_config: config } = model as unknown as { generation_config: { is_multilingual?: boolean } | null };
  return config?.is_multilingual === true;
}

/** The most probable token of one step and the next ones. Forbidden logits are -Infinity. */
function mostProbable(logits: Float32Array): TokenStep {
  const best: { token: number; logit: number }[] = [];
  let max = -Infinity;
  for (const [token, logit] of logits.entries()) {
    max = Math.max(max, logit);
    if (best.length === CONSIDERED + 1 && logit <= (best.at(-1)?.logit ?? -Infinity)) continue;
    best.push({ token, logit });
    best.sort((one, other) => other.logit - one.logit);
    best.length = Math.min(best.length, CONSIDERED + 1);
  }
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - max);
  const considered = best.map(({ token, logit }) => ({ token, probability: Math.exp(logit - max) / total }));
  const [taken, ...others] = considered;
  if (taken === undefined) throw new Error('the model returned no logits');
  return { ...taken, others };
}
