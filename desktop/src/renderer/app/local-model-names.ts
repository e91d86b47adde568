/** Models on this computer, as a learner calls them. */
import type { LocalModel, LocalProvider } from '@parley/contract';

export const PROVIDER_NAMES: Record<LocalProvider, string> = { ollama: 'Ollama', lm_studio: 'LM Studio' };

/** Ollama names the usual variant of a model, and LM Studio its maker; neither is said. */
export const shortName = ({ model }: Pick<LocalModel, 'model'>): string =>
  model.replace(/:latest$/, '').replace(/^.*\//, '') || model;
