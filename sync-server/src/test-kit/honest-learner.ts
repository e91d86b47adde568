/** A learner who only practises while others attack: their rows, their pushes and their secrets must come out unharmed. */
import type { Mutation } from '@parley/contract';
import { expect } from 'vitest';
import { type CatalogueIds, catalogueIds, pushSession } from './rows.ts';
import { registerDevice, type TestDevice, type TestServer } from './server.ts';
import { StreamedCopy, type StreamedRow } from './streamed.ts';

export const LEARNERS_WORDS = 'what the learner said in confidence';

export interface HonestLearner {
  device: TestDevice;
  ids: CatalogueIds;
  sessionId: string;
  change: Mutation;
  /** All that the learner has, as it was before the attacks. */
  before: readonly StreamedRow[];
  isUnharmed: () => Promise<void>;
}

export async function anHonestLearner(server: TestServer): Promise<HonestLearner> {
  const device = await registerDevice(server);
  const ids = await catalogueIds(device);
  const { rowId, change } = await pushSession(server, device, ids, LEARNERS_WORDS);
  const { cursors } = new StreamedCopy().take((await device.stream()).pages);
  const fromNothing = { catalogue: cursors.catalogue, user: 0, older: null };
  const rows = async (): Promise<StreamedRow[]> =>
    new StreamedCopy().take((await device.stream(fromNothing)).pages).sorted();
  const learner: HonestLearner = {
    device,
    ids,
    sessionId: rowId,
    change,
    before: await rows(),
    async isUnharmed() {
      expect(await rows()).toEqual(learner.before);
      const { outcomes } = await device.push(change);
      expect(outcomes).toMatchObject([{ status: 'duplicate' }]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  };
  return learner;
}

/** Every answer stands in the log, and neither words nor tokens do. */
export function expectDiscreetLog(server: TestServer, devices: readonly TestDevice[]): void {
  const log = server.log();
  expect(log).toContain('"statusCode":');
  expect(log).not.toContain('"statusCode":500');
  expect(log).not.toContain(LEARNERS_WORDS);
  for (const { token } of devices) expect(log).not.toContain(token.split('.')[1]);
}
