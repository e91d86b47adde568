/** Upgrades a protocol 2 data folder that was in the middle of restoring rows to a server. */
import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { sql } from 'drizzle-orm';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createDevices, untilSynced, typeTurns, sessionIdsOf, userIdOf } from '../../test-kit/devices.ts';
import { COACH } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, aDataFolder, type OpenHost } from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../../test-kit/read-database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../store/migrations', import.meta.url));
/** The migration that introduced turn rows and epochs. */
const PROTOCOL_3 = 14;

const clock = aClock();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeAll(async () => {
  server = await startServer({ now: clock.now });
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

const turnsOf = async ({ ask }: OpenHost, sessionId: string): Promise<string[]> =>
  (await ask.practice.session({ sessionId })).turns.map(({ text }) => text);

/** Rewrites the database with the tables of protocol 2 and the data that they could hold. */
function downgradeToProtocol2(dataDir: string): void {
  const migrationsFolder = join(aDataFolder(), 'migrations');
  cpSync(MIGRATIONS, migrationsFolder, { recursive: true });
  const journalFile = join(migrationsFolder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { idx: number }[] };
  const entries = journal.entries.filter(({ idx }) => idx < PROTOCOL_3);
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries }));
  const file = join(dataDir, 'parley.sqlite');
  inDatabase(dataDir, (sqlite) => sqlite.pragma('wal_checkpoint(TRUNCATE)'));
  renameSync(file, `${file}.new`);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  const old = new Database(file);
  migrate(drizzle(old), { migrationsFolder });
  old.pragma('foreign_keys = OFF');
  old.prepare('ATTACH ? AS new').run(`${file}.new`);
  const tables = old
    .prepare<[], string>(
      "SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%drizzle%' AND name NOT LIKE 'spoken_words%'",
    )
    .pluck()
    .all();
  for (const table of tables) {
    const columns = (schema: string): string[] =>
      (old.pragma(`${schema}.table_info(${table})`) as { name: string }[]).map(({ name }) => `"${name}"`);
    const known = new Set(columns('new'));
    const shared = columns('main').filter((name) => known.has(name));
    if (shared.length > 0)
      old.exec(`INSERT INTO main.${table} (${shared.join()}) SELECT ${shared.join()} FROM new.${table}`);
  }
  old.exec('DETACH new');
  old.close();
  rmSync(`${file}.new`);
}

it('restores everything the server lost and sends unsent work once', async () => {
  const one = await devices.open();
  const known = await typeTurns(one, 'bananas that the server kept');
  await one.ask.settings.updateProfile({ firstName: 'Ana', jobTitle: 'Planner', agentId: COACH });
  await untilSynced(one);
  clock.pass(60_000);
  const [lost, lostAgain] = [await typeTurns(one, 'bananas that it lost'), await typeTurns(one, 'bananas lost twice')];
  await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
  await untilSynced(one);
  server.fail = 'sync.offline';
  const unsent = await typeTurns(one, 'bananas that were never sent');
  await one.ask.practice.sendTyped({ sessionId: known, text: 'more bananas', hintLevel: 0 });
  await one.ask.settings.updateProfile({ lastName: 'Novak' });
  const sessions = [known, lost, lostAgain, unsent];
  const turns = await Promise.all(sessions.map((id) => turnsOf(one, id)));
  const waiting = readOutbox(one.dataDir).length;
  const user = userIdOf(one);
  await devices.close(one);

  downgradeToProtocol2(one.dataDir);
  inDatabase(one.dataDir, (sqlite) => {
    // One row arrived before the server was restored once more, and one change was in transit.
    sqlite.exec("UPDATE sync_state SET resync = 'lost', user_cursor = 4, older_cursor = 3");
    sqlite.exec(
      "UPDATE outbox SET state = 'sent', device_seq = 90 WHERE position = (SELECT min(position) FROM outbox)",
    );
    const seen = sqlite.prepare(
      "INSERT INTO resync_seen (table_name, row_id, version) VALUES ('practice_history', ?, 3)",
    );
    seen.run(lostAgain);
  });
  const rows = sql.join(
    [lost, lostAgain].map((id) => sql`${id}`),
    sql`, `,
  );
  await server.execute(sql`delete from ai_conversations where session_id in (${rows})`);
  await server.execute(sql`delete from practice_history where id in (${rows})`);
  // Rows written by an older server have no field times.
  await server.execute(
    sql`update users set job_title = 'Planner', field_clocks = '{}', sync_version = 1, updated_at = updated_at - interval '1 minute' where user_id = ${user}`,
  );
  await server.execute(sql`update practice_history set field_clocks = '{}' where user_id = ${user}`);
  await server.execute(sql`update sync_scopes set version = 2 where scope = ${`user:${user}`}`);
  await server.execute(sql`update devices set last_seq = 2 where user_id = ${user}`);
  await server.execute(sql`update server_state set epoch = ${crypto.randomUUID()}`);
  server.fail = null;

  const updated = await devices.open({ dataDir: one.dataDir });
  expect(waiting).toBeGreaterThan(0);
  await untilSynced(updated);
  const two = await devices.openJoined(updated);
  for (const device of [updated, two]) {
    expect(await sessionIdsOf(device)).toEqual(sessions.toSorted());
    expect(await Promise.all(sessions.map((id) => turnsOf(device, id)))).toEqual(turns);
    const { profile } = await device.ask.settings.read();
    expect(profile).toMatchObject({ firstName: 'Ana', lastName: 'Novak', jobTitle: 'Nurse', agentId: COACH });
  }
});

it('does not revert changes of another device from before the restore', async () => {
  const one = await devices.open();
  await one.ask.settings.updateProfile({ firstName: 'Ana', jobTitle: 'Planner' });
  await untilSynced(one);
  const user = userIdOf(one);
  await devices.close(one);
  downgradeToProtocol2(one.dataDir);
  inDatabase(one.dataDir, (sqlite) => sqlite.exec("UPDATE sync_state SET resync = 'lost', user_cursor = 1"));
  await server.execute(
    sql`update users set job_title = 'Nurse', field_clocks = '{}', updated_at = updated_at + interval '1 minute' where user_id = ${user}`,
  );
  await server.execute(sql`update server_state set epoch = ${crypto.randomUUID()}`);
  const updated = await devices.open({ dataDir: one.dataDir });
  await untilSynced(updated);
  expect((await updated.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', jobTitle: 'Nurse' });
  const [row] = await server.read(sql`select job_title from users where user_id = ${user}`);
  expect(row).toEqual({ job_title: 'Nurse' });
});
