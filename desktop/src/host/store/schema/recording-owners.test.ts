import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { aDataFolder, openHost } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
const [HERE, AWAY] = ['019aa000-0000-7000-8000-00000000000a', '019aa000-0000-7000-8000-00000000000b'];
const DRILLS = '00000000-0000-7000-8000-0000000d1115';

/** Creates a data folder of a version in which recordings had no owner. */
function aFolderWithoutOwners(): string {
  const dataDir = aDataFolder();
  const migrationsFolder = join(aDataFolder(), 'migrations');
  cpSync(MIGRATIONS, migrationsFolder, { recursive: true });
  const journalFile = join(migrationsFolder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { idx: number }[] };
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.filter(({ idx }) => idx < 7) }));
  const sqlite = new Database(join(dataDir, 'parley.sqlite'));
  migrate(drizzle(sqlite), { migrationsFolder });
  const rows = (table: string, values: Record<string, unknown>): void => {
    const names = Object.keys(values);
    sqlite
      .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`)
      .run(values);
  };
  const ids = (id: string) => ({ id, created_at: 0, updated_at: 0, sync_version: 0 });
  sqlite.pragma('foreign_keys = OFF');
  const { id: _id, ...times } = ids('');
  rows('users', {
    ...times,
    user_id: HERE,
    has_access: 0,
    is_admin: 0,
    email_notifications: 1,
    has_seen_onboarding: 0,
    not_yet_practiced_email_sent: 0,
    plan_upgrade_reminder_email_sent: 0,
    access_link_not_received_email_sent: 0,
    not_logged_in_after_access_email_sent: 0,
  });
  rows('sync_state', {
    id: 1,
    user_id: HERE,
    device_id: '019aa000-0000-7000-8000-0000000000dd',
    is_registered: 0,
    user_cursor: 0,
    catalogue_cursor: 0,
    next_device_seq: 1,
  });
  practice(sqlite, 'session-here', HERE);
  const recording = (recording_id: string, session_id: string): void =>
    rows('recordings', {
      recording_id,
      session_id,
      turn_id: `turn-${recording_id}`,
      file_name: `${recording_id}.wav`,
      state: 'sent',
      sample_count: 1,
      next_seq: 1,
      hint_level: 0,
      created_at: 0,
    });
  recording('in-session', 'session-here');
  recording('of-another-account', 'session-away');
  recording('in-drill', DRILLS);
  rows('drill_attempts', { recording_id: 'in-drill', turn_id: 'turn-in-drill', text: 'ship', created_at: 0 });
  rows('rejected_changes', {
    id: 'refused',
    table_name: 'users',
    row_id: HERE,
    code: 'not_yours',
    fields: '{}',
    at: 0,
  });
  sqlite.close();
  return dataDir;
}

function practice(sqlite: Database.Database, id: string, userId: string): void {
  const given: Record<string, unknown> = { id, user_id: userId, entire_conversation: '[]', completed_objectives: '[]' };
  const columns = sqlite.pragma('table_info(practice_history)') as { name: string; type: string; notnull: number }[];
  const needed = columns.filter(({ name, notnull }) => notnull === 1 || name in given);
  const values = needed.map(({ name, type }) => given[name] ?? (type.toUpperCase() === 'TEXT' ? 'x' : 0));
  const names = needed.map(({ name }) => name);
  sqlite
    .prepare(`INSERT INTO practice_history (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    .run(values);
}

it('old recordings are assigned to their known speaker only', async () => {
  const dataDir = aFolderWithoutOwners();
  await (await openHost({ dataDir })).host.close();
  inDatabase(dataDir, (sqlite) => {
    const owners = (table: string, key: string) =>
      Object.fromEntries(
        (
          sqlite.prepare(`SELECT ${key} AS id, user_id AS owner FROM ${table}`).all() as { id: string; owner: string }[]
        ).map(({ id, owner }) => [id, owner]),
      );
    const known = { 'in-session': HERE, 'in-drill': HERE };
    expect(owners('recordings', 'recording_id')).toEqual({ ...known, 'of-another-account': null });
    expect(owners('drill_attempts', 'recording_id')).toEqual({ 'in-drill': HERE });
    expect(owners('rejected_changes', 'id')).toEqual({ refused: HERE });
    // The other account signs in again and its session is pulled.
    sqlite.pragma('foreign_keys = OFF');
    practice(sqlite, 'session-away', AWAY);
    expect(owners('recordings', 'recording_id')).toEqual({ ...known, 'of-another-account': AWAY });
  });
});
