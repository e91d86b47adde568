/** Finds language models on this machine at the default addresses of Ollama and LM Studio. */
import type { DiscoveredModels } from '../../ports/local-models.ts';
import type { LocalProvider } from '@parley/contract';
import { z } from 'zod';

/** Default address of each provider. Only loopback addresses are allowed, because a name could lead to another machine. */
export const LOCAL_ADDRESSES: Readonly<Record<LocalProvider, string>> = {
  ollama: 'http://127.0.0.1:11434',
  lm_studio: 'http://127.0.0.1:1234',
};

/** A closed port refuses at once and a running server answers quickly, so a short limit is enough. */
const TIMEOUT_MS = 700;
const MAX_MODELS = 100;
const MAX_RESPONSE_CHARACTERS = 1_000_000;

const Tags = z
  .object({ models: z.array(z.object({ name: z.string() })) })
  .transform(({ models }) => models.map(({ name }) => name));
const ModelList = z
  .object({ data: z.array(z.object({ id: z.string() })) })
  .transform(({ data }) => data.map(({ id }) => id));

const MODEL_LIST_ENDPOINTS: Readonly<Record<LocalProvider, { path: string; names: z.ZodType<string[]> }>> = {
  ollama: { path: '/api/tags', names: Tags },
  lm_studio: { path: '/v1/models', names: ModelList },
};

/** Embedding models do not produce text. */
const EMBEDDING_MODEL = /embed|\bbge\b|minilm|rerank/i;
const TRANSCRIPTION_MODEL = /whisper|transcri|parakeet|canary|voxtral|\basr\b/i;
const TRANSCRIPTION_PATH = '/v1/audio/transcriptions';

export interface FindLocalModelsOptions {
  addresses?: Readonly<Record<LocalProvider, string>>;
  timeoutMs?: number;
}

export async function findLocalModels(options: FindLocalModelsOptions = {}): Promise<DiscoveredModels> {
  const { addresses = LOCAL_ADDRESSES, timeoutMs = TIMEOUT_MS } = options;
  const found = await Promise.all([
    probeProvider('ollama', addresses.ollama, timeoutMs),
    probeProvider('lm_studio', addresses.lm_studio, timeoutMs),
  ]);
  return {
    coaches: found.flatMap(({ coaches }) => coaches),
    transcribers: found.flatMap(({ transcribers }) => transcribers),
  };
}

async function probeProvider(provider: LocalProvider, address: string, limitMs: number): Promise<DiscoveredModels> {
  const { path, names } = MODEL_LIST_ENDPOINTS[provider];
  const listed = names.safeParse(await readJson(new URL(path, address), limitMs));
  if (!listed.success) return { coaches: [], transcribers: [] };
  const models = listed.data
    .filter((model) => model.length > 0 && model.length <= 200 && !EMBEDDING_MODEL.test(model))
    .slice(0, MAX_MODELS)
    .map((model) => ({ provider, model }));
  const speechModels = models.filter(({ model }) => TRANSCRIPTION_MODEL.test(model));
  return {
    coaches: models.filter((model) => !speechModels.includes(model)),
    transcribers: speechModels.length > 0 && (await supportsTranscription(address, limitMs)) ? speechModels : [],
  };
}

async function readJson(url: URL, limitMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(limitMs) });
    const text = response.ok ? await response.text() : '';
    return text.length > MAX_RESPONSE_CHARACTERS ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Sends a request without audio: a server that can transcribe names the missing field; any other does not know the
 * path.
 */
async function supportsTranscription(address: string, limitMs: number): Promise<boolean> {
  try {
    const url = new URL(TRANSCRIPTION_PATH, address);
    const response = await fetch(url, { method: 'POST', redirect: 'error', signal: AbortSignal.timeout(limitMs) });
    await response.body?.cancel();
    return response.status === 400 || response.status === 415 || response.status === 422;
  } catch {
    return false;
  }
}
