/** An attacker with an account of their own beside an honest learner: after every test the learner is unharmed and the log discreet. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { anHonestLearner, expectDiscreetLog, type HonestLearner } from './honest-learner.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from './server.ts';

/** Names under which JavaScript keeps what all objects share. */
export const POLLUTING: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export interface AttackScene {
  server: TestServer;
  honest: HonestLearner;
  /** Another in each test. */
  attacker: TestDevice;
}

/** For the suite that calls this: empty until its tests begin, closed when they are over. */
export function setUpAttackScene(open: () => Promise<DatabaseConnection>): AttackScene {
  const scene = {} as AttackScene;
  beforeAll(async () => {
    scene.server = await startServer(await open(), { withCatalogue: true, logLevel: 'trace' });
    scene.honest = await anHonestLearner(scene.server);
  });
  beforeEach(async () => {
    // A call that is refused whole leaves a gap behind in what a device counts.
    scene.attacker = await registerDevice(scene.server);
  });
  afterEach(async () => {
    await scene.honest.isUnharmed();
    expectDiscreetLog(scene.server, [scene.honest.device, scene.attacker]);
  });
  afterAll(() => scene.server.close());
  return scene;
}
