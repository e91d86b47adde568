import { zipSync } from 'fflate';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LinkCode } from '@parley/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { voiceLikePcm } from '../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../test-kit/read-database.ts';
import { OTHER_COACH } from '../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import {
  aDevice,
  aLearner,
  changed,
  closeDevices,
  type Device,
  drill,
  exportOf,
  importInto,
  jsonOf,
  NOW,
  practise,
  rowsOf,
  seen,
  send,
  withoutIds,
} from '../test-kit/transfer-devices.ts';

const DAY_MS = 86_400_000;

afterEach(closeDevices);

describe('an export', () => {
  it('is imported on another computer: sessions, words, voice, profile and settings, twice without duplicates', async () => {
    const old = await aLearner();
    const file = await exportOf(old);
    const next = await aDevice();
    const importId = await send(next, file);
    const preview = await next.ask.import.preview({ importId });
    expect(preview).toMatchObject({
      email: null,
      exportedAt: new Date(NOW),
      practices: { inFile: 1, toImport: 1 },
      recordings: { inFile: 2, toImport: 2 },
    });
    expect(preview.words.inFile).toBeGreaterThan(3);
    const result = await next.ask.import.apply({ importId });
    expect(result).toMatchObject({ practices: 1, recordings: 2, damagedRecordings: 0 });
    const before = withoutIds(await seen(old));
    expect(withoutIds(await seen(next))).toEqual(before);
    expect(before.firstName).toBe('Ana');
    const [session] = (await next.ask.history.list({ search: '', offset: 0, limit: 1 })).items;
    if (session === undefined) throw new Error('the session is missing');
    const { session: view } = await next.ask.practice.result({ sessionId: session.sessionId });
    const recordingId = view.turns.flatMap((turn) => (turn.role === 'learner' ? [turn.recordingId] : []))[0];
    if (recordingId === undefined || recordingId === null) throw new Error('the turn has no recording');
    const wav = await next.ask.recordings.read({ recordingId });
    expect(wav.size).toBe(voiceLikePcm(2_000).byteLength + 44);

    const again = await send(next, file);
    expect(await next.ask.import.preview({ importId: again })).toMatchObject({
      practices: { toImport: 0 },
      words: { toImport: 0 },
      recordings: { toImport: 0 },
      others: { toImport: 0 },
    });
    const changes = readOutbox(next.dataDir).length;
    await next.ask.import.apply({ importId: again });
    expect(readOutbox(next.dataDir)).toHaveLength(changes);
    expect(withoutIds(await seen(next))).toEqual(before);
  });

  it('is read however its rows are laid out', async () => {
    const old = await aLearner();
    const next = await aDevice();
    const indented = changed(await exportOf(old), (entries) => {
      for (const [name, content] of Object.entries(entries))
        if (name.endsWith('.json')) entries[name] = new TextEncoder().encode(JSON.stringify(rowsOf(content), null, 2));
    });
    await importInto(next, indented);
    expect(withoutIds(await seen(next))).toEqual(withoutIds(await seen(old)));
  });

  it('may hold more rows than a function takes arguments', { tags: ['slow'], timeout: 300_000 }, async () => {
    const [old, next] = [await aLearner(), await aDevice()];
    const many = changed(await exportOf(old), (entries) => {
      const [row] = rowsOf(entries['data/word_attempts.json']);
      const rows = Array.from({ length: 130_000 }, () => ({ ...row, id: crypto.randomUUID(), phonemes: [] }));
      entries['data/word_attempts.json'] = jsonOf(rows);
    });
    const importId = await send(next, many, 4 * 1_048_576);
    expect(await next.ask.import.preview({ importId })).toMatchObject({
      words: { inFile: 130_000, toImport: 130_000 },
    });
  });

  it.each(['day: not-a-day', 'day: 2026-13-45', 'day: 2026-02-30', 'word: '])(
    'leaves out an attempt that no screen can show, %s, and says so',
    async (given) => {
      const [name = '', value = ''] = given.split(': ');
      const [old, next] = [await aLearner(), await aDevice()];
      const file = changed(await exportOf(old), (entries) => {
        const [first, ...rest] = rowsOf(entries['data/word_attempts.json']);
        entries['data/word_attempts.json'] = jsonOf([{ ...first, [name]: value }, ...rest]);
      });
      const importId = await send(next, file);
      const { words, unusableWords } = await next.ask.import.preview({ importId });
      expect(unusableWords).toBe(1);
      expect(words.toImport).toBe(words.inFile);
      expect(await next.ask.import.apply({ importId })).toMatchObject({ practices: 1, words: words.inFile });
      await expect(next.ask.today.overview()).resolves.toBeDefined();
    },
  );

  it('brings back a recording whose file was lost', async () => {
    const one = await aDevice();
    const { recordingId } = await practise(one);
    const file = await exportOf(one);
    const before = await (await one.ask.recordings.read({ recordingId })).arrayBuffer();
    for (const name of readdirSync(join(one.dataDir, 'recordings'))) rmSync(join(one.dataDir, 'recordings', name));
    await expect(one.ask.recordings.read({ recordingId })).rejects.toMatchObject({ code: 'recording.file_missing' });
    const importId = await send(one, file);
    expect(await one.ask.import.preview({ importId })).toMatchObject({ recordings: { inFile: 1, toImport: 1 } });
    expect(await one.ask.import.apply({ importId })).toMatchObject({ practices: 0, recordings: 1 });
    expect(await (await one.ask.recordings.read({ recordingId })).arrayBuffer()).toEqual(before);
    expect(await one.ask.import.preview({ importId: await send(one, file) })).toMatchObject({
      recordings: { toImport: 0 },
    });
  });

  it('undoes no later change', async () => {
    const one = await aLearner();
    const file = await exportOf(one);
    one.clock.pass(DAY_MS);
    await one.ask.settings.updateProfile({ firstName: 'Anabel', agentId: OTHER_COACH });
    const { items } = await one.ask.history.list({ search: '', offset: 0, limit: 1 });
    await one.ask.history.remove({ sessionId: items[0]?.sessionId ?? '' });
    const before = await seen(one);
    const importId = await send(one, file);
    expect(await one.ask.import.preview({ importId })).toMatchObject({ practices: { toImport: 0 }, deletedHere: 1 });
    await one.ask.import.apply({ importId });
    expect(await seen(one)).toEqual(before);
    expect(before).toMatchObject({ sessions: [], firstName: 'Anabel' });
  });

  it('updates existing rows that are newer in the file', async () => {
    const one = await aLearner();
    const early = await exportOf(one);
    one.clock.pass(DAY_MS);
    await one.ask.settings.updateProfile({ firstName: 'Anabel' });
    await practise(one);
    const late = await exportOf(one);
    const next = await aDevice();
    await importInto(next, early);
    await drill(next, 'really');
    await importInto(next, late);
    const { sessions, firstName, words } = await seen(next);
    expect(sessions).toHaveLength(2);
    expect(firstName).toBe('Anabel');
    expect(words.map(({ word }) => word)).toContain('really');
    // Importing an older export must not revert newer values.
    await importInto(next, early);
    expect((await seen(next)).firstName).toBe('Anabel');
  });
});

describe('a file that cannot be imported', () => {
  let learner: Device;
  let file: Uint8Array<ArrayBuffer>;
  const prepare = async (): Promise<Device> => {
    learner = await aLearner();
    file = await exportOf(learner);
    return aDevice();
  };

  it.each<[string, (of: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>, string]>([
    ['an empty file', () => new Uint8Array(), 'import.not_an_export'],
    ['half a file', (of) => of.slice(0, of.length / 2), 'import.damaged'],
    ['another zip file', () => new Uint8Array(zipSync({ 'holiday.txt': new Uint8Array(9) })), 'import.not_an_export'],
    [
      'a path out of the folder',
      (of) => changed(of, (entries) => void (entries['recordings/../../evil.wav'] = new Uint8Array(9))),
      'import.not_an_export',
    ],
    [
      'a newer format',
      (of) => changed(of, (all) => void (all['data/export.json'] = jsonOf({ product: 'parley', format: 2 }))),
      'import.newer_version',
    ],
    [
      'a table of a newer version',
      (of) => changed(of, (entries) => void (entries['data/dreams.json'] = jsonOf([]))),
      'import.newer_version',
    ],
    [
      'a field of a newer version',
      (of) =>
        changed(of, (entries) => {
          const rows = rowsOf(entries['data/word_attempts.json']);
          entries['data/word_attempts.json'] = jsonOf(rows.map((row) => ({ ...row, mood: 'good' })));
        }),
      'import.newer_version',
    ],
    [
      'a row of another learner',
      (of) =>
        changed(of, (entries) => {
          const rows = rowsOf(entries['data/word_attempts.json']);
          entries['data/word_attempts.json'] = jsonOf(rows.map((row) => ({ ...row, userId: crypto.randomUUID() })));
        }),
      'import.damaged',
    ],
    [
      'an impossible score',
      (of) =>
        changed(of, (entries) => {
          const rows = rowsOf(entries['data/word_attempts.json']);
          entries['data/word_attempts.json'] = jsonOf(rows.map((row) => ({ ...row, accuracy: 900 })));
        }),
      'import.damaged',
    ],
    [
      'conversations that are no conversations, beside a list of missing ones',
      (of) =>
        changed(of, (entries) => {
          entries['MISSING CONVERSATIONS.txt'] = new TextEncoder().encode(crypto.randomUUID());
          entries['data/ai_conversations.json'] = jsonOf([{ sessionId: 5 }]);
        }),
      'import.damaged',
    ],
    [
      'rows that are cut off',
      (of) =>
        changed(of, (entries) => void (entries['data/users.json'] = entries['data/users.json']?.slice(0, 20) ?? null)),
      'import.damaged',
    ],
    [
      'a bomb',
      (of) => changed(of, (entries) => void (entries['data/users.json'] = new Uint8Array(20 * 1_048_576))),
      'import.too_large',
    ],
    [
      'a bomb of rows',
      (of) =>
        changed(of, (entries) => {
          entries['data/word_attempts.json'] = new TextEncoder().encode(`[${'{},'.repeat(1_000_000)}{}]`);
        }),
      'import.too_large',
    ],
    [
      'the export of another account',
      (of) =>
        changed(of, (entries) => {
          const rows = rowsOf(entries['data/users.json']);
          entries['data/users.json'] = jsonOf(rows.map((row) => ({ ...row, email: 'ben@example.com' })));
        }),
      'import.other_learner',
    ],
  ])('is refused with its reason, and changes nothing: %s', async (_what, make, code) => {
    const next = await prepare();
    const before = await seen(next);
    const importId = await send(next, make(file), 4 * 1_048_576);
    await expect(next.ask.import.apply({ importId })).rejects.toMatchObject({ code });
    await expect(next.ask.import.preview({ importId })).rejects.toMatchObject({ code });
    expect(await seen(next)).toEqual(before);
    expect(readdirSync(join(next.dataDir, 'recordings'))).toEqual([]);
    expect(readdirSync(join(next.dataDir, 'imports'))).toEqual([]);
    await expect(next.ask.import.preview({ importId })).rejects.toMatchObject({ code: 'import.not_found' });
  });

  it('is refused at its first bytes when it is not a ZIP file', async () => {
    const next = await prepare();
    const { importId } = await next.ask.import.begin();
    const append = (text: string) => next.ask.import.append({ importId, offset: 0, bytes: new Blob([text]) });
    await expect(append('a diary of mine')).rejects.toMatchObject({ code: 'import.not_an_export' });
    expect(readdirSync(join(next.dataDir, 'imports'))).toEqual([]);
    await expect(append('another diary')).rejects.toMatchObject({ code: 'import.not_found' });
  });

  it('brings everything but a damaged recording, and says so', async () => {
    const next = await prepare();
    const cut = changed(file, (entries) => {
      const [name] = Object.keys(entries).filter((each) => each.endsWith('.wav'));
      if (name !== undefined) entries[name] = entries[name]?.slice(0, 10) ?? null;
    });
    expect(await importInto(next, cut)).toMatchObject({ practices: 1, recordings: 1, damagedRecordings: 1 });
    expect((await seen(next)).sessions).toHaveLength(1);
  });

  it.each([
    ['32 bits per sample', 32, 16_000],
    ['the lowest sample rate of WAV files', 16, 4_000],
    ['a sample rate that no file has', 16, 1],
  ])('leaves out a recording with %s, which is not from this app', async (_what, bitsPerSample, sampleRateHz) => {
    const next = await prepare();
    const foreign = changed(file, (entries) => {
      const [name = ''] = Object.keys(entries).filter((each) => each.endsWith('.wav'));
      const wav = entries[name] ?? new Uint8Array();
      const header = new DataView(wav.buffer, wav.byteOffset);
      header.setUint32(24, sampleRateHz, true);
      header.setUint16(34, bitsPerSample, true);
    });
    expect(await importInto(next, foreign)).toMatchObject({ practices: 1, recordings: 1, damagedRecordings: 1 });
  });

  it('does not announce more than a chunk holds, nor lose one', async () => {
    const { ask } = await prepare();
    const { importId } = await ask.import.begin();
    const chunk = (bytes: Uint8Array<ArrayBuffer>, offset: number) =>
      ask.import.append({ importId, offset, bytes: new Blob([bytes]) });
    expect(await chunk(file.slice(0, 100), 0)).toEqual({ received: 100 });
    expect(await chunk(file.slice(0, 100), 0)).toEqual({ received: 100 });
    await expect(chunk(file.slice(200, 300), 200)).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(chunk(new Uint8Array(4 * 1_048_576 + 1), 100)).rejects.toMatchObject({ code: 'request.too_large' });
  });
});

describe('imported rows', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ now: () => new Date(NOW) });
  });
  afterAll(async () => {
    await closeDevices();
    await server.close();
  });

  it('sync as usual, and reach the learner’s other devices', async () => {
    const old = await aLearner();
    const file = await exportOf(old);
    const laptop = await aDevice({ serverUrl: server.url });
    const phone = await aDevice({ serverUrl: server.url });
    await Promise.all([laptop.host.whenIdle(), phone.host.whenIdle()]);
    await phone.ask.account.join({ code: LinkCode.parse((await laptop.ask.account.createLinkCode()).code) });
    await importInto(laptop, file);
    for (const { ask } of [laptop, phone, laptop])
      await expect.poll(() => ask.sync.run(), { timeout: 20_000 }).toMatchObject({ state: 'idle', waiting: 0 });
    expect(await laptop.ask.sync.rejected()).toEqual([]);
    const [here, there] = [await seen(laptop), await seen(phone)];
    expect(there.words).toEqual(here.words);
    expect(there.sessions).toEqual(here.sessions);
    expect(there.sessions).toHaveLength(1);
    expect(there.progress).toEqual(here.progress);
    const log = (dataDir: string) =>
      inDatabase(dataDir, (sqlite) =>
        sqlite.prepare('SELECT id, at, word, accuracy FROM word_attempts ORDER BY id').all(),
      );
    expect(log(phone.dataDir)).toEqual(log(laptop.dataDir));
  });
});
