/**
 * Test fixture for attacks on sync: an attacker and an honest learner. After each test, it checks that the learner's
 * data is intact and that the log contains no secrets.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { DatabaseConnection } from '../../src/db/client.ts';
import { anHonestLearner, expectNoSecretsInLog, type HonestLearner } from './honest-learner.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../server.ts';

/** Property names that could pollute a prototype. */
export const PROTOTYPE_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export interface SyncAttackFixture {
  server: TestServer;
  honest: HonestLearner;
  /** New for each test. */
  attacker: TestDevice;
}

/** Call it inside a suite: the server starts before the tests and closes after them. */
export function setUpSyncAttackFixture(open: () => Promise<DatabaseConnection>): SyncAttackFixture {
  const scene = {} as SyncAttackFixture;
  beforeAll(async () => {
    scene.server = await startServer(await open(), { withCatalogue: true, logLevel: 'trace' });
    scene.honest = await anHonestLearner(scene.server);
  });
  beforeEach(async () => {
    // A refused call leaves a gap in the device's sequence numbers, so each test gets a new device.
    scene.attacker = await registerDevice(scene.server);
  });
  afterEach(async () => {
    await scene.honest.expectUnharmed();
    expectNoSecretsInLog(scene.server, [scene.honest.device, scene.attacker]);
  });
  afterAll(() => scene.server.close());
  return scene;
}
