/** What most tests of the twin begin with: one that has plans to sell. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { StripeTwinOptions } from '../index.ts';
import { addPlans, beginTwin, type Begun, type Plans } from './begin.ts';

export interface TwinScene extends Begun {
  plans: Plans;
  /** Closes the twin and begins another in its place. */
  beginAgain: (options: StripeTwinOptions) => Promise<void>;
}

/** For the file that calls this: empty until a test begins, another twin in each, closed after it. */
export function setUpTwin(options: StripeTwinOptions = {}): TwinScene {
  const scene = aScene();
  beforeEach(() => begin(scene, options));
  afterEach(() => scene.twin.close());
  return scene;
}

/** The same, with one twin for all tests of the file. */
export function setUpOneTwin(): TwinScene {
  const scene = aScene();
  beforeAll(() => begin(scene));
  afterAll(() => scene.twin.close());
  return scene;
}

function aScene(): TwinScene {
  const scene = {
    beginAgain: async (options) => {
      await scene.twin.close();
      await begin(scene, options);
    },
  } as TwinScene;
  return scene;
}

async function begin(scene: TwinScene, options?: StripeTwinOptions): Promise<void> {
  const begun = await beginTwin(options);
  Object.assign(scene, begun, { plans: await addPlans(begun.stripe) });
}
