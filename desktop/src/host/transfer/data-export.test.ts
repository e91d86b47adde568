import { unzipSync } from 'fflate';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { inDatabase } from '../test-kit/read-database.ts';
import { aDevice, aLearner, exportOf, importInto, closeDevices, rowsOf } from '../test-kit/transfer-devices.ts';

afterEach(closeDevices);

/** Adds copies of the learner's last attempt at a word. */
const addAttempts = (dataDir: string, count: number): void =>
  inDatabase(dataDir, (sqlite) => {
    sqlite.exec('CREATE TEMP TABLE copy AS SELECT * FROM word_attempts LIMIT 1');
    const setId = sqlite.prepare('UPDATE copy SET id = ?');
    const insert = sqlite.prepare('INSERT INTO word_attempts SELECT * FROM copy');
    sqlite.transaction(() => {
      for (let index = 0; index < count; index += 1) {
        setId.run(crypto.randomUUID());
        insert.run();
      }
    })();
  });

describe('an export', () => {
  it('holds every row once, as JSON and as CSV', async () => {
    const learner = await aLearner();
    addAttempts(learner.dataDir, 1_000);
    const ids = inDatabase(learner.dataDir, (sqlite) =>
      sqlite.prepare<[], string>('SELECT id FROM word_attempts ORDER BY id').pluck().all(),
    );
    const entries = unzipSync(await exportOf(learner));
    const rows = rowsOf(entries['data/word_attempts.json']);
    expect(rows.map(({ id }) => String(id)).toSorted()).toEqual(ids);
    const [head = '', ...lines] = new TextDecoder().decode(entries['data/word_attempts.csv']).trim().split('\r\n');
    expect(head.split(',')).toEqual(Object.keys(rows[0] ?? {}));
    expect(lines).toHaveLength(ids.length);
    // Without this byte order mark, Excel assumes the system's own encoding.
    expect([...(entries['data/word_attempts.csv'] ?? [])].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
    const next = await aDevice();
    expect(await importInto(next, await exportOf(learner))).toMatchObject({ words: ids.length });
  });

  it('is a snapshot, whatever changes while it is written', async () => {
    const learner = await aLearner();
    const before = inDatabase(learner.dataDir, (sqlite) => sqlite.prepare('SELECT 1 FROM word_attempts').all().length);
    let isExported = false;
    const exported = learner.ask.account.exportAll().finally(() => (isExported = true));
    let added = 0;
    while (!isExported) {
      addAttempts(learner.dataDir, 300);
      added += 300;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const entries = unzipSync(new Uint8Array(readFileSync((await exported).file)));
    const held = rowsOf(entries['data/word_attempts.json']).length;
    const lines = new TextDecoder().decode(entries['data/word_attempts.csv']).trim().split('\r\n').length - 1;
    expect(held).toBe(lines);
    expect(held).toBeLessThan(before + added);
  });

  it('continues when a recording is removed during the export', async () => {
    const learner = await aLearner();
    addAttempts(learner.dataDir, 2_000);
    const exported = learner.ask.account.exportAll();
    const exports = join(learner.dataDir, 'exports');
    const isBegun = (): boolean =>
      existsSync(exports) && readdirSync(exports).some((name) => statSync(join(exports, name)).size > 0);
    while (!isBegun()) await new Promise((resolve) => setImmediate(resolve));
    const folder = join(learner.dataDir, 'recordings');
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    const entries = unzipSync(new Uint8Array(readFileSync((await exported).file)));
    expect(entries).toHaveProperty(['data/recordings.json']);
  });

  it('leaves no file behind when it fails at its start', async () => {
    const learner = await aLearner();
    const database = join(learner.dataDir, 'parley.sqlite');
    // The app has the file open and continues, but an export cannot open it again.
    renameSync(database, `${database}.away`);
    await expect(learner.ask.account.exportAll()).rejects.toThrow();
    renameSync(`${database}.away`, database);
    expect(readdirSync(join(learner.dataDir, 'exports'))).toEqual([]);
  });

  it('leaves no file behind when the app was killed while writing it', async () => {
    const killed = await aLearner();
    const whole = (await killed.ask.account.exportAll()).file;
    await closeDevices();
    writeFileSync(`${whole.replace('.zip', '-2.zip')}.new`, 'half an export');
    const next = await aDevice({ dataDir: killed.dataDir });
    expect(readdirSync(join(next.dataDir, 'exports'))).toEqual([basename(whole)]);
  });

  it('leaves no file behind when a recording cannot be read, and succeeds afterwards', async () => {
    const learner = await aLearner();
    const fileName = inDatabase(learner.dataDir, (sqlite) =>
      sqlite.prepare<[], string>('SELECT file_name FROM recordings LIMIT 1').pluck().get(),
    );
    const recording = join(learner.dataDir, 'recordings', fileName ?? '');
    // A folder can be opened, but not read as a file.
    renameSync(recording, `${recording}.away`);
    mkdirSync(recording);
    await expect(learner.ask.account.exportAll()).rejects.toThrow();
    expect(readdirSync(join(learner.dataDir, 'exports'))).toEqual([]);
    rmdirSync(recording);
    renameSync(`${recording}.away`, recording);
    expect(unzipSync(await exportOf(learner))).toHaveProperty(['READ ME.txt']);
  });
});
