/**
 * Language models on the server's own machine. They are offered only to a learner on that same machine and receive no data before the
 * learner agrees; the device then names its choice with each request to a coach.
 */
import { z } from 'zod';

/** Local model servers. Their addresses are fixed, so a device can never make the server connect to another one. */
export const LOCAL_PROVIDERS = ['ollama', 'lm_studio'] as const;
export type LocalProvider = (typeof LOCAL_PROVIDERS)[number];

export const LocalModel = z.strictObject({ provider: z.enum(LOCAL_PROVIDERS), model: z.string().min(1).max(200) });
export type LocalModel = z.infer<typeof LocalModel>;

export const LocalModels = z.strictObject({
  /** True when this server can offer local models: it runs on the learner's machine and no coach is configured. */
  isPossible: z.boolean(),
  coaches: z.array(LocalModel).max(200),
  /** Models that can transcribe speech. */
  transcribers: z.array(LocalModel).max(200),
});
export type LocalModels = z.infer<typeof LocalModels>;

/** The local models that the learner has agreed to use; null for none. */
export interface LocalModelChoice {
  coach: LocalModel | null;
  transcriber: LocalModel | null;
}

export const LOCAL_PARTS = ['coach', 'transcriber'] as const;
export type LocalPart = (typeof LOCAL_PARTS)[number];

/** The request header that carries the choice. */
export const LOCAL_MODELS_HEADER = 'parley-local-models';

/** Null when nothing was chosen. */
export function formatLocalModelChoice(choice: LocalModelChoice): string | null {
  const params = new URLSearchParams();
  for (const part of LOCAL_PARTS) {
    const model = choice[part];
    if (model !== null) params.set(part, `${model.provider}/${model.model}`);
  }
  return params.size === 0 ? null : params.toString();
}

/** An unreadable value counts as no choice. */
export function parseLocalModelChoice(header: string | undefined): LocalModelChoice {
  const params = new URLSearchParams(header ?? '');
  const read = (part: LocalPart): LocalModel | null => {
    const [provider, ...model] = (params.get(part) ?? '').split('/');
    return LocalModel.safeParse({ provider, model: model.join('/') }).data ?? null;
  };
  return { coach: read('coach'), transcriber: read('transcriber') };
}
