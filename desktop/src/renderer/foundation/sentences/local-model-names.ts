/** The display names of local models and their providers. */
import type { LocalModel, LocalProvider } from '@parley/contract';

export const PROVIDER_NAMES: Record<LocalProvider, string> = { ollama: 'Ollama', lm_studio: 'LM Studio' };

/** Drops Ollama's default tag and LM Studio's vendor prefix, which mean nothing to a learner. */
export const shortModelName = ({ model }: Pick<LocalModel, 'model'>): string =>
  model.replace(/:latest$/, '').replace(/^.*\//, '') || model;
