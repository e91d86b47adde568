/** Builds the features with which admins write content. */
import { isFreeLocation } from '@parley/contract';
import {
  createAuthoring,
  createContentChanges,
  createCoursePacks,
  createDraftPractice,
  createPostPreviews,
  createPracticeTexts,
  createTryPractice,
} from '../authoring/index.ts';
import { bundledStarter } from '../catalogue/index.ts';
import { type AiServices, createMeteredModel } from '../coach/index.ts';
import type { Database } from '../db/client.ts';
import type { Ledger } from '../metering/index.ts';

export interface AuthoringFeatureParts {
  db: Database;
  now: () => Date;
  /** The public address of the server. */
  origin: string;
  onCatalogueChanged: (version: number) => void;
  coach: AiServices['coach'];
  ledger: Ledger;
}

export function createAuthoringFeatures({ db, now, origin, onCatalogueChanged, coach, ledger }: AuthoringFeatureParts) {
  const starterById = new Map<string, ReturnType<typeof bundledStarter>['contents'][number]>();
  const changes = createContentChanges({
    db,
    now,
    onCatalogueChanged,
    starterOf: (id) => {
      if (starterById.size === 0) for (const content of bundledStarter().contents) starterById.set(content.id, content);
      return starterById.get(id);
    },
  });
  return {
    authoring: createAuthoring({ db, now, changes }),
    postPreviews: createPostPreviews({ db, now, origin, changes }),
    packs: createCoursePacks({ db, now, changes }),
    tryPractice: createTryPractice({ db, now }),
    practiceTexts: createPracticeTexts({ db }),
    draftPractice: createDraftPractice({
      modelFor: (userId) =>
        coach === null
          ? null
          : createMeteredModel(coach.model, {
              ledger,
              newId: () => crypto.randomUUID(),
              userId,
              sessionId: null,
              isFree: isFreeLocation(coach.where),
            }),
    }),
  };
}
