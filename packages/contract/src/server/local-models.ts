/**
 * Language models that a server finds on its own machine. They are offered only to a learner on that same machine, and get nothing before the
 * learner has agreed: then the learner's device names its choice with each call to a coach.
 */
import { z } from 'zod';

/** Who serves models on a learner's computer: their addresses there are fixed, so a device never names one. */
export const LOCAL_PROVIDERS = ['ollama', 'lm_studio'] as const;
export type LocalProvider = (typeof LOCAL_PROVIDERS)[number];

export const LocalModel = z.strictObject({ provider: z.enum(LOCAL_PROVIDERS), model: z.string().min(1).max(200) });
export type LocalModel = z.infer<typeof LocalModel>;

export const LocalModels = z.strictObject({
  /** Whether this server offers any to whoever asks: both are on one machine, and nobody has configured a coach. */
  isPossible: z.boolean(),
  coaches: z.array(LocalModel).max(200),
  /** Who can write down what is said. */
  transcribers: z.array(LocalModel).max(200),
});
export type LocalModels = z.infer<typeof LocalModels>;

/** What a learner has agreed to; null: nothing. */
export interface LocalChoice {
  coach: LocalModel | null;
  transcriber: LocalModel | null;
}

export const LOCAL_PARTS = ['coach', 'transcriber'] as const;
export type LocalPart = (typeof LOCAL_PARTS)[number];

/** The header in which a device names the choice. */
export const LOCAL_CHOICE_HEADER = 'parley-local-models';

/** Null where nothing was chosen. */
export function writeLocalChoice(choice: LocalChoice): string | null {
  const named = new URLSearchParams();
  for (const part of LOCAL_PARTS) {
    const model = choice[part];
    if (model !== null) named.set(part, `${model.provider}/${model.model}`);
  }
  return named.size === 0 ? null : named.toString();
}

/** What cannot be read was not chosen. */
export function readLocalChoice(header: string | undefined): LocalChoice {
  const named = new URLSearchParams(header ?? '');
  const read = (part: LocalPart): LocalModel | null => {
    const [provider, ...model] = (named.get(part) ?? '').split('/');
    return LocalModel.safeParse({ provider, model: model.join('/') }).data ?? null;
  };
  return { coach: read('coach'), transcriber: read('transcriber') };
}
