/** `parley-server doctor`: checks what a server needs, one line each, and says what to do about each failure. */
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Config } from '../../compose/config/config.ts';
import type { Database } from '../../db/client.ts';
import { describeDatabaseFailure } from '../../db/database-failure.ts';
import { DataFolderInUse } from '../../db/embedded/lock-data-folder.ts';
import { type MigrationState, readMigrationState } from '../../db/pending-migrations.ts';
import { mails } from '../../db/mail-tables.ts';
import { tables } from '../../db/tables.ts';
import { createServerIdReader } from '../../http/routes/server-id.ts';
import { actAsOwner } from '../act-as-owner.ts';
import { checkFolders } from './check-folders.ts';
import { checkBucket } from './check-bucket.ts';
import { checkConnections } from './check-connections.ts';
import { checkMailServer } from './check-mail-server.ts';
import { checkPublicAddress } from './check-public-address.ts';
import { CommandFailure, type Finding, hasDatabase, type Output, pluralize, withDatabase } from '../command.ts';

const MAX_CLOCK_DIFFERENCE_MS = 60_000;
const MIN_NODE_MAJOR = 24;

const Clock = z.array(z.object({ now: z.coerce.date() }));

export async function runDoctor(config: Config, output: Output): Promise<void> {
  const findings = [
    checkNode(),
    ...checkFoldersAsOwner(config),
    ...(await checkDatabase(config)),
    ...(await checkMailServer(config)),
    ...(await checkBucket(config.media)),
  ];
  for (const { name, isGood, text } of findings) output.print(`${isGood ? 'ok  ' : 'FAIL'}  ${name}: ${text}`);
  const failures = findings.filter(({ isGood }) => !isGood).length;
  if (failures > 0) throw new CommandFailure(`${pluralize(failures, 'check')} failed.`);
  output.print(
    `All checks passed${hasDatabase(config) ? '' : ', but there is no database yet'}. Run parley-server check-services to test the services.`,
  );
}

/** Checks the folders as their owner, because root may write everywhere, which says nothing about the server's user. */
function checkFoldersAsOwner(config: Config): Finding[] {
  const actAsSelf = actAsOwner(config);
  try {
    return checkFolders(config);
  } finally {
    actAsSelf();
  }
}

function checkNode(): Finding {
  const isGood = Number(process.versions.node.split('.')[0]) >= MIN_NODE_MAJOR;
  return { name: 'Node', isGood, text: isGood ? process.versions.node : `${process.versions.node}: install Node 24.` };
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!hasDatabase(config))
    return [
      {
        name: 'database',
        // A new server is checked before its first start.
        isGood: true,
        text: `none yet in ${config.dataDir}; the first start creates it, so correct DATA_DIR if there should be one`,
      },
    ];
  try {
    return await withDatabase(config, async ({ db }) => {
      const state = await readMigrationState(db);
      return [
        checkMigrations(state),
        await checkClock(db, state),
        ...(config.databaseUrl === null ? [] : [await checkConnections(db)]),
        ...(state.pending.length > 0
          ? []
          : [
              await checkMail(db),
              await checkAdmins(db, config),
              ...(await checkPublicAddress(config, await createServerIdReader(db)())),
            ]),
      ];
    });
  } catch (error) {
    const reason = error instanceof DataFolderInUse ? error.message : describeDatabaseFailure(error)?.reason;
    if (reason === undefined) throw error;
    return [{ name: 'database', isGood: false, text: reason }];
  }
}

function checkMigrations({ pending, isNewerThanServer }: MigrationState): Finding {
  if (isNewerThanServer)
    return {
      name: 'database',
      isGood: false,
      text: 'a newer version of the server has migrated it: update the server.',
    };
  const text =
    pending.length === 0
      ? 'reachable and up to date'
      : `reachable; the next start runs ${pluralize(pending.length, 'migration')}`;
  return { name: 'database', isGood: true, text };
}

/** An embedded database uses this machine's clock, so the clock is also compared with a time that has certainly passed. */
async function checkClock(db: Database, { newestAt }: MigrationState): Promise<Finding> {
  const now = new Date();
  if (newestAt > now)
    return {
      name: 'clock',
      isGood: false,
      text: `it is ${now.toISOString()} here, before this version of the server was made: set the clock, and run NTP.`,
    };
  const { rows } = (await db.execute(sql`select now() as now`)) as { rows: unknown[] };
  const differenceMs = Math.abs((Clock.parse(rows)[0]?.now.getTime() ?? 0) - Date.now());
  return differenceMs <= MAX_CLOCK_DIFFERENCE_MS
    ? { name: 'clock', isGood: true, text: 'agrees with the database' }
    : {
        name: 'clock',
        isGood: false,
        text: `differs from the database by ${Math.round(differenceMs / 1_000)} s: run NTP on both.`,
      };
}

async function checkMail(db: Database): Promise<Finding> {
  const waiting = await db.$count(mails, eq(mails.state, 'queued'));
  return {
    name: 'mail',
    isGood: true,
    text: waiting === 0 ? 'nothing is waiting' : `${pluralize(waiting, 'e-mail')} queued`,
  };
}

async function checkAdmins(db: Database, config: Config): Promise<Finding> {
  const admins = await db.$count(tables.users, sql`${tables.users.isAdmin} and ${tables.users.deletedAt} is null`);
  return admins > 0 || config.adminEmails.length > 0
    ? {
        name: 'admins',
        isGood: true,
        text: admins > 0 ? pluralize(admins, 'admin') : 'those in ADMIN_EMAILS, once they sign in',
      }
    : { name: 'admins', isGood: false, text: 'none: set ADMIN_EMAILS, or run parley-server admin grant ADDRESS.' };
}
