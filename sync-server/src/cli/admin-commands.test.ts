import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newUserRow } from '../account/account-rows.ts';
import { readConfig } from '../compose/config/read-config.ts';
import { secondFactors } from '../db/school-tables.ts';
import { auditLog, tables } from '../db/tables.ts';
import { createServerFolder, type ServerFolder } from '../../test-kit/server-folder.ts';
import { withDatabase } from './command.ts';

// Each command opens the database in a process of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const EMAIL = 'lost-phone@parley.example';
let folder: ServerFolder;
beforeAll(async () => {
  folder = await createServerFolder();
});
afterAll(() => folder.remove());

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'test',
  NODE_NO_WARNINGS: '1',
  DATA_DIR: folder.dir,
});

const removeAuthenticator = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [MAIN, 'admin', 'remove-authenticator', ...args],
      { env: environment(), timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

describe('parley-server admin remove-authenticator', () => {
  it('removes the app of the account with this address only, once', { tags: ['slow'] }, async () => {
    const [lost, other] = [LearnerId.parse(randomUUID()), LearnerId.parse(randomUUID())];
    const config = readConfig(environment());
    const now = new Date();
    await withDatabase(config, async ({ db }) => {
      await db.insert(tables.users).values([
        { ...newUserRow(lost, now), email: EMAIL, isAdmin: true },
        { ...newUserRow(other, now), email: 'other@parley.example', isAdmin: true },
      ]);
      await db
        .insert(secondFactors)
        .values([lost, other].map((userId) => ({ userId, sealedSecret: 'sealed', createdAt: now, confirmedAt: now })));
    });

    expect(await removeAuthenticator('nobody@parley.example')).toMatchObject({
      code: 1,
      stderr: 'No account signs in with nobody@parley.example.\n',
    });
    expect(await removeAuthenticator(` ${EMAIL.toUpperCase()}`)).toEqual({
      code: 0,
      stdout: `The authenticator app of ${EMAIL} was removed. Its owner can set up another one in the panel.\n`,
      stderr: '',
    });
    expect(await removeAuthenticator(EMAIL)).toMatchObject({
      code: 0,
      stdout: `${EMAIL} has no authenticator app.\n`,
    });
    expect((await removeAuthenticator()).stderr).toContain("missing required argument 'address'");

    await withDatabase(config, async ({ db }) => {
      expect(await db.select({ userId: secondFactors.userId }).from(secondFactors)).toEqual([{ userId: other }]);
      expect(await db.select().from(auditLog).where(eq(auditLog.act, 'second_factor_removed'))).toMatchObject([
        { subjectId: lost, actorId: null, reason: 'operator' },
      ]);
    });
  });
});
