/** Looks for language models on this machine, at the addresses where Ollama and LM Studio listen, and nowhere else. */
import type { LocalModel, LocalProvider } from '@parley/contract';
import { z } from 'zod';

/** Where each provider listens unless it is told otherwise. Only this machine: a name could lead elsewhere. */
export const LOCAL_ADDRESSES: Readonly<Record<LocalProvider, string>> = {
  ollama: 'http://127.0.0.1:11434',
  lm_studio: 'http://127.0.0.1:1234',
};

/** Nothing listens there, or it answers at once. */
const ANSWERS_WITHIN_MS = 700;
const MOST_MODELS = 100;
const MOST_ANSWER_BYTES = 1_000_000;

const Tags = z
  .object({ models: z.array(z.object({ name: z.string() })) })
  .transform(({ models }) => models.map(({ name }) => name));
const Listed = z
  .object({ data: z.array(z.object({ id: z.string() })) })
  .transform(({ data }) => data.map(({ id }) => id));

const LISTS: Readonly<Record<LocalProvider, { path: string; names: z.ZodType<string[]> }>> = {
  ollama: { path: '/api/tags', names: Tags },
  lm_studio: { path: '/v1/models', names: Listed },
};

/** They turn words into numbers, and say nothing. */
const EMBEDS = /embed|\bbge\b|minilm|rerank/i;
const TRANSCRIBES = /whisper|transcri|parakeet|canary|voxtral|\basr\b/i;
const TRANSCRIPTION_PATH = '/v1/audio/transcriptions';

export interface FoundModels {
  coaches: LocalModel[];
  transcribers: LocalModel[];
}

export interface FindOptions {
  addresses?: Readonly<Record<LocalProvider, string>>;
  answersWithinMs?: number;
}

export async function findLocalModels(options: FindOptions = {}): Promise<FoundModels> {
  const { addresses = LOCAL_ADDRESSES, answersWithinMs = ANSWERS_WITHIN_MS } = options;
  const found = await Promise.all([
    lookAt('ollama', addresses.ollama, answersWithinMs),
    lookAt('lm_studio', addresses.lm_studio, answersWithinMs),
  ]);
  return {
    coaches: found.flatMap(({ coaches }) => coaches),
    transcribers: found.flatMap(({ transcribers }) => transcribers),
  };
}

async function lookAt(provider: LocalProvider, address: string, withinMs: number): Promise<FoundModels> {
  const { path, names } = LISTS[provider];
  const listed = names.safeParse(await readJson(new URL(path, address), withinMs));
  if (!listed.success) return { coaches: [], transcribers: [] };
  const models = listed.data
    .filter((model) => model.length > 0 && model.length <= 200 && !EMBEDS.test(model))
    .slice(0, MOST_MODELS)
    .map((model) => ({ provider, model }));
  const ears = models.filter(({ model }) => TRANSCRIBES.test(model));
  return {
    coaches: models.filter((model) => !ears.includes(model)),
    transcribers: ears.length > 0 && (await takesSound(address, withinMs)) ? ears : [],
  };
}

async function readJson(url: URL, withinMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(withinMs) });
    const text = response.ok ? await response.text() : '';
    return text.length > MOST_ANSWER_BYTES ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Asked without any sound, a server that transcribes says what is missing; another does not know the path. */
async function takesSound(address: string, withinMs: number): Promise<boolean> {
  try {
    const url = new URL(TRANSCRIPTION_PATH, address);
    const response = await fetch(url, { method: 'POST', redirect: 'error', signal: AbortSignal.timeout(withinMs) });
    await response.body?.cancel();
    return response.status === 400 || response.status === 415 || response.status === 422;
  } catch {
    return false;
  }
}
