/** The port for finding language models on the server's own machine. */
import type { LocalModel } from '@parley/contract';

export interface DiscoveredModels {
  coaches: LocalModel[];
  transcribers: LocalModel[];
}
