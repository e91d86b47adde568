/** The dependencies of session completion. */
import type { Catalogue } from '../../catalogue/index.ts';
import type { CoachClient } from '../../coach/index.ts';
import type { Logger } from '../../logger.ts';
import type { Recordings } from '../../recordings/index.ts';
import type { SpeechScorer } from '../../scorer/index.ts';
import type { Store } from '../../store/index.ts';

export interface CompletionParts {
  store: Store;
  catalogue: Catalogue;
  recordings: Recordings;
  scorer: SpeechScorer;
  coach: CoachClient;
  chance: () => number;
  logger: Logger;
}
