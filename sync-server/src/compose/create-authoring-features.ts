/** Builds the features with which admins write content. */
import type { LanguageModel } from '@parley/coach/model';
import { isFreeLocation } from '@parley/contract';
import {
  createAuthoring,
  createContentChanges,
  createCoursePacks,
  createDraftPractice,
  createPostPreviews,
  createPracticeTexts,
  createSpeakSample,
  createTryCoach,
  createTryPractice,
} from '../authoring/index.ts';
import { bundledStarter } from '../catalogue/index.ts';
import { type AiServices, createMeteredModel, createMeteredVoice } from '../coach/index.ts';
import type { Database } from '../db/client.ts';
import { createMediaTransfer, createPictures, type Media } from '../media/index.ts';
import type { Ledger } from '../metering/index.ts';
import type { MediaOptions } from './app-options.ts';

export interface AuthoringFeatureParts {
  db: Database;
  now: () => Date;
  /** The public address of the server. */
  origin: string;
  onCatalogueChanged: (version: number) => void;
  services: Pick<AiServices, 'coach' | 'voice'>;
  ledger: Ledger;
  newId: () => string;
  media: Media;
  mediaOptions: MediaOptions;
}

/** The part of the features that the command line needs too. */
export function createContentFeatures({
  db,
  now,
  onCatalogueChanged,
  media,
  mediaOptions,
}: Pick<AuthoringFeatureParts, 'db' | 'now' | 'onCatalogueChanged' | 'media' | 'mediaOptions'>) {
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
  const transfer = createMediaTransfer({ db, now, ...mediaOptions });
  const pictures = createPictures({ db, now, ...mediaOptions });
  return {
    changes,
    pictures,
    packs: createCoursePacks({ db, now, changes, transfer, pictures, mediaUsage: media.usage }),
  };
}

export function createAuthoringFeatures(parts: AuthoringFeatureParts) {
  const { db, now, origin, services, ledger, newId } = parts;
  const { changes, packs, pictures } = createContentFeatures(parts);
  const { coach, voice } = services;
  const modelFor = (userId: string): LanguageModel | null =>
    coach === null
      ? null
      : createMeteredModel(coach.model, {
          ledger,
          newId,
          userId,
          sessionId: null,
          isFree: isFreeLocation(coach.where),
        });
  return {
    authoring: createAuthoring({ db, now, changes }),
    packs,
    pictures,
    postPreviews: createPostPreviews({ db, now, origin, changes }),
    tryPractice: createTryPractice({ db, now }),
    tryCoach: createTryCoach({ modelFor, now }),
    speakSample: createSpeakSample(voice === null ? null : createMeteredVoice(voice, { ledger, newId })),
    practiceTexts: createPracticeTexts({ db }),
    draftPractice: createDraftPractice({ modelFor }),
  };
}
