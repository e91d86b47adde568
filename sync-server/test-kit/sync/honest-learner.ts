/** An honest learner whose rows, pushes and secrets must survive attacks unharmed. */
import type { Mutation } from '@parley/contract';
import { expect } from 'vitest';
import { type CatalogueIds, catalogueIds, pushSession } from './rows.ts';
import { registerDevice, type TestDevice, type TestServer } from '../server.ts';
import { LocalCopy, type SyncedRow } from './sync-stream.ts';

export const CONFIDENTIAL_TEXT = 'what the learner said in confidence';

export interface HonestLearner {
  device: TestDevice;
  ids: CatalogueIds;
  sessionId: string;
  change: Mutation;
  /** All of the learner's rows before the attacks. */
  before: readonly SyncedRow[];
  expectUnharmed: () => Promise<void>;
}

export async function anHonestLearner(server: TestServer): Promise<HonestLearner> {
  const device = await registerDevice(server);
  const ids = await catalogueIds(device);
  const { rowId, change } = await pushSession(server, device, ids, CONFIDENTIAL_TEXT);
  const { cursors } = new LocalCopy().apply((await device.stream()).pages);
  const fromNothing = { catalogue: cursors.catalogue, user: 0, older: null };
  const rows = async (): Promise<SyncedRow[]> =>
    new LocalCopy().apply((await device.stream(fromNothing)).pages).sorted();
  const learner: HonestLearner = {
    device,
    ids,
    sessionId: rowId,
    change,
    before: await rows(),
    async expectUnharmed() {
      expect(await rows()).toEqual(learner.before);
      const { outcomes } = await device.push(change);
      expect(outcomes).toMatchObject([{ status: 'duplicate' }]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  };
  return learner;
}

/** Checks that the log contains every response but no learner's words and no tokens. */
export function expectNoSecretsInLog(server: TestServer, devices: readonly TestDevice[]): void {
  const log = server.log();
  expect(log).toContain('"statusCode":');
  expect(log).not.toContain('"statusCode":500');
  expect(log).not.toContain(CONFIDENTIAL_TEXT);
  for (const { token } of devices) expect(log).not.toContain(token.split('.')[1]);
}
