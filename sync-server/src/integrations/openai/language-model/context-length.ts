/**
 * Finds out how many tokens fit into the context of a self-hosted model. Ollama and LM Studio silently cut longer requests. Ollama leaves out the
 * oldest messages first, among them the one that sets the scene, and then the beginning of the rest (server/prompt.go and the runner).
 */
import type { Message } from '@parley/coach/model';
import type { OpenAI } from 'openai';
import { z } from 'zod';
import type { ModelRequest } from './model-request.ts';

/** No server loads a model with less, so for a request that fits into this, the server is not asked. */
const SMALLEST_CONTEXT_TOKENS = 2_048;
/** English has more bytes per token, and other languages have about as many. */
const BYTES_PER_TOKEN = 3.5;
/** Allows for the schema of the response and, per message, for the marks around it. */
const FORMAT_TOKENS = 300;
const MESSAGE_TOKENS = 8;
const TIMEOUT_MS = 3_000;

/** Missing in older versions, and 0 for a model whose context the server does not know. */
const ContextLength = z.number().positive().optional().catch(undefined);
/** The models in memory. */
const OllamaModels = z.object({ models: z.array(z.object({ name: z.string(), context_length: ContextLength })) });
const LmStudioModels = z.object({ data: z.array(z.object({ id: z.string(), loaded_context_length: ContextLength })) });

export interface FitsContext {
  (messages: readonly Message[]): boolean;
}

/** Everything fits into OpenAI's models. If a server does not report its limit, a request counts as fitting until it is rejected. */
export async function readContextLimit(
  { client, model, isSelfHosted }: { client: OpenAI; model: string; isSelfHosted: boolean },
  request: Pick<ModelRequest, 'instructions' | 'messages' | 'maxOutputTokens' | 'signal'>,
): Promise<FitsContext> {
  const tokensOf = (messages: readonly Message[]): number =>
    [request.instructions, ...messages.map(({ text }) => text)].reduce(
      (tokens, text) => tokens + MESSAGE_TOKENS + Buffer.byteLength(text) / BYTES_PER_TOKEN,
      FORMAT_TOKENS + request.maxOutputTokens,
    );
  if (!isSelfHosted || tokensOf(request.messages) <= SMALLEST_CONTEXT_TOKENS) return () => true;
  const contextTokens = await readContextTokens({ client, model }, request.signal);
  return (messages) => contextTokens === null || tokensOf(messages) <= contextTokens;
}

async function readContextTokens(
  { client, model }: { client: OpenAI; model: string },
  signal: AbortSignal,
): Promise<number | null> {
  const read = (path: string): Promise<unknown> =>
    client.get<unknown>(path, { timeout: TIMEOUT_MS, signal }).catch(() => null);
  const ollama = OllamaModels.safeParse(await read('/../api/ps'));
  if (ollama.success) {
    const loaded = ollama.data.models.find(({ name }) => name === model || name === `${model}:latest`);
    return loaded?.context_length ?? null;
  }
  const lmStudio = LmStudioModels.safeParse(await read('/../api/v0/models'));
  return lmStudio.data?.data.find(({ id }) => id === model)?.loaded_context_length ?? null;
}
