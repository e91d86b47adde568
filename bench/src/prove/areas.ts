/** The areas of the product whose promises are measured; each module is loaded only when its area is. */
import type { ProductPromise } from './promise.ts';

export const AREAS: Record<string, () => Promise<{ promises: readonly ProductPromise[] }>> = {
  accounts: () => import('./accounts.ts'),
  attack: () => import('./attack.ts'),
  coach: () => import('./coach.ts'),
  installed: () => import('./installed.ts'),
  interface: () => import('./interface.ts'),
  learning: () => import('./learning.ts'),
  practice: () => import('./practice.ts'),
  school: () => import('./school.ts'),
  services: () => import('./services.ts'),
  site: () => import('./site.ts'),
  speech: () => import('./speech.ts'),
  sync: () => import('./sync.ts'),
};
