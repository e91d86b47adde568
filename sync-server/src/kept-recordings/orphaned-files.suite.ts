/**
 * Files to which no row refers: after a restore of the database, they may belong to copies that devices announce again.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerDevice, startServer, type TestServer } from '../../test-kit/server.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { serverState } from '../db/tables.ts';
import { createFolderStorage } from '../integrations/folder-storage/index.ts';
import { renewScopeEpoch, renewServerEpoch } from '../sync/restore/epoch.ts';
import { createKeptRecordings } from './index.ts';

const DAY_MS = 24 * 3_600_000;

/** `open` gives each server its own database. */
export function orphanedFilesSuite(open: () => Promise<DatabaseConnection>): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-orphans-'));
  const storage = createFolderStorage(folder);
  let server: TestServer;
  const at = (days: number) =>
    createKeptRecordings({ db: server.database.db, now: () => new Date(Date.now() + days * DAY_MS), storage });

  async function putOrphan(): Promise<string> {
    const name = `recordings/00/${randomUUID()}`;
    await storage.put(name, Readable.from([Buffer.from('orphan')]), { bytes: 6, mediaType: 'audio/ogg' });
    return name;
  }

  beforeAll(async () => {
    server = await startServer(await open());
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await at(200).cleanUp();
  });

  it('files that a restored database does not know stay for a month', async () => {
    const lost = await putOrphan();
    await server.database.db.transaction(renewServerEpoch);
    expect(await at(29).cleanUp()).toMatchObject({ orphans: 0 });
    expect(await storage.stat(lost)).not.toBeNull();
    expect(await at(31).cleanUp()).toMatchObject({ orphans: 1 });
    expect(await storage.stat(lost)).toBeNull();
  });

  describe('a device that knows more than the server', () => {
    let userId: string;
    const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
    /** Sets when the server last recorded that it was restored. */
    const claimed = (state: { first: number | null; latest: number }) =>
      server.database.db.update(serverState).set({
        restoreClaimedAt: state.first === null ? null : daysAgo(state.first),
        restoredAt: daysAgo(state.latest),
      });
    beforeEach(async () => {
      ({ userId } = await registerDevice(server));
      await putOrphan();
    });

    it.each([
      ['after a claim that was false', { first: 10, latest: 10 }],
      ['after a restore that the server noticed', { first: null, latest: 10 }],
      ['once claims without end have been over for a month', { first: 122, latest: 32 }],
    ])('makes files stay for a month %s', async (_when, state) => {
      await claimed(state);
      await renewScopeEpoch(server.database.db, userId);
      expect(await at(29).cleanUp()).toMatchObject({ orphans: 0 });
      expect(await at(31).cleanUp()).toMatchObject({ orphans: 1 });
    });

    it.each([
      ['for three months', { first: 91, latest: 1 }],
      ['again at once', { first: 120, latest: 30 }],
    ])('does not make files stay for longer when such claims came %s', async (_when, state) => {
      await claimed(state);
      await renewScopeEpoch(server.database.db, userId);
      expect(await at(2).cleanUp()).toMatchObject({ orphans: 1 });
    });
  });
}
