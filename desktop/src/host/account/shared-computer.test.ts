import { unzipSync } from 'fflate';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import {
  aClock,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  voiceLikePcm,
  sendRecordedTurn,
  startPractice,
} from '../test-kit/open-host.ts';
import { damageTable, inDatabase } from '../test-kit/read-database.ts';

const clock = aClock();
const mailbox = aMailbox();
let server: TestServer;
let emailCount = 0;
const hosts: OpenHost[] = [];

beforeAll(async () => {
  server = await startServer({ now: clock.now, account: { access: 'open' }, enqueueMail: mailbox.enqueueMail });
});
afterAll(() => server.close());
afterEach(async () => {
  for (const { host } of hosts.splice(0)) await host.close();
});

const newEmail = (): string => `person${(emailCount += 1)}@example.com`;

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const opened = await openHost({ serverUrl: server.url, clock, ...options });
  hosts.push(opened);
  await opened.ask.sync.run();
  return opened;
}

async function recordDrill({ ask }: OpenHost, text = 'strengths') {
  const { turnId, recordingId } = await ask.drill.begin({ text, other: null });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(200)]) });
  await ask.drill.finish({ turnId });
  return recordingId;
}

const startSession = ({ ask }: OpenHost, communicationStyle: 'audio' | 'text') =>
  startPractice(ask, communicationStyle);

async function sendSpokenTurn(opened: OpenHost) {
  const { ask } = opened;
  const { sessionId } = await startSession(opened, 'audio');
  const { recordingId } = await sendRecordedTurn(ask, sessionId);
  return recordingId;
}

async function typeTurn(opened: OpenHost, text: string) {
  const { sessionId } = await startSession(opened, 'text');
  await opened.ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const findSessionIds = async ({ ask }: OpenHost, search = ''): Promise<string[]> =>
  (await ask.history.list({ search, offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();

/** Reads the parts of an export that exist only on this computer. */
async function readExport({ ask }: OpenHost) {
  const entries = unzipSync(readFileSync((await ask.account.exportAll()).file));
  const ids = (table: string): string[] => {
    const rows = JSON.parse(new TextDecoder().decode(entries[`data/${table}.json`])) as { recordingId: string }[];
    return rows.map(({ recordingId }) => recordingId).toSorted();
  };
  const files = Object.keys(entries).flatMap((name) => /^recordings\/(.+)\.wav$/.exec(name)?.[1] ?? []);
  return { recordings: ids('recordings'), drills: ids('drill_attempts'), files: files.toSorted() };
}

const listAttempts = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.drill.attempts({ text: 'strengths' })).map(({ recordingId }) => recordingId);
const wordsToTrain = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.today.overview()).wordsToTrain.map(({ word }) => word);

describe('several accounts on one computer', () => {
  it('each learner sees, hears and exports only their own work', async () => {
    const laptop = await open();
    const [ada, ben] = [newEmail(), newEmail()];
    await mailbox.signIn(laptop, ada);
    const adas = { turn: await sendSpokenTurn(laptop), drill: await recordDrill(laptop) };
    await mailbox.signIn(laptop, ben);
    expect(await readExport(laptop)).toEqual({ recordings: [], drills: [], files: [] });
    expect(await listAttempts(laptop)).toEqual([]);
    for (const recordingId of Object.values(adas))
      await expect(laptop.ask.recordings.read({ recordingId })).rejects.toMatchObject({ code: 'recording.not_found' });

    const bens = { turn: await sendSpokenTurn(laptop), drill: await recordDrill(laptop) };
    const ofBen = [bens.turn, bens.drill].toSorted();
    expect(await readExport(laptop)).toEqual({ recordings: ofBen, drills: [bens.drill], files: ofBen });
    expect(await listAttempts(laptop)).toEqual([bens.drill]);

    await mailbox.signIn(laptop, ada);
    const ofAda = [adas.turn, adas.drill].toSorted();
    expect(await readExport(laptop)).toEqual({ recordings: ofAda, drills: [adas.drill], files: ofAda });
    expect(await listAttempts(laptop)).toEqual([adas.drill]);
    for (const recordingId of ofAda)
      expect((await laptop.ask.recordings.read({ recordingId })).size).toBeGreaterThan(44);
  });

  it('an export never overwrites another export', async () => {
    const laptop = await open({ timeZone: () => 'Asia/Kolkata' });
    const [ada, ben] = [newEmail(), newEmail()];
    await mailbox.signIn(laptop, ada);
    const adas = await laptop.ask.account.exportAll();
    const asWritten = readFileSync(adas.file);
    await mailbox.signIn(laptop, ben);
    const [first, second] = await Promise.all([laptop.ask.account.exportAll(), laptop.ask.account.exportAll()]);
    clock.pass(60_000);
    const later = await laptop.ask.account.exportAll();
    const made = [adas, first, second, later].map(({ file }) => file);
    expect(new Set(made).size).toBe(4);
    expect(readdirSync(dirname(adas.file)).toSorted()).toEqual(made.map((file) => basename(file)).toSorted());
    expect(readFileSync(adas.file)).toEqual(asWritten);
    const localTime = clock.now().toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata', timeStyle: 'short' });
    expect(basename(later.file)).toMatch(/^parley-\d{4}-\d{2}-\d{2}-\d{4}\.zip$/);
    expect(later.file).toContain(`-${localTime.replace(':', '')}.zip`);
  });

  it('recordings made without an account move to the account exactly once', async () => {
    const phone = await open();
    const ada = newEmail();
    await mailbox.signIn(phone, ada);
    const laptop = await open();
    const before = [await sendSpokenTurn(laptop), await recordDrill(laptop)].toSorted();
    await laptop.ask.sync.run();
    await mailbox.signIn(laptop, ada);
    expect(await readExport(laptop)).toMatchObject({ recordings: before, files: before });
    expect(await listAttempts(laptop)).toHaveLength(1);
    const [session] = (await laptop.ask.history.list({ search: '', offset: 0, limit: 5 })).items;
    const sounds = inDatabase(laptop.dataDir, (sqlite) =>
      sqlite.prepare('SELECT recording_id FROM recordings WHERE session_id = ?').pluck().all(session?.sessionId),
    );
    expect(sounds).toHaveLength(1);
    await mailbox.signIn(laptop, newEmail());
    expect(await readExport(laptop)).toEqual({ recordings: [], drills: [], files: [] });
    await mailbox.signIn(laptop, ada);
    expect(await readExport(laptop)).toMatchObject({ recordings: before, files: before });
  });

  it.each([
    ['', false],
    [' and the disk fails', true],
  ])('unsent work waits for its owner while others sign in%s', { tags: ['slow'] }, async (_and, fails) => {
    const [ada, ben] = [newEmail(), newEmail()];
    const atFirst = await open();
    await mailbox.signIn(atFirst, ada);
    const kept = await typeTurn(atFirst, 'I am sorry for the delay.');
    const left = await typeTurn(atFirst, 'I can tell you more.');
    await atFirst.host.close();
    clock.pass(25 * 3_600_000);
    // This start makes the daily backup, which therefore lacks everything that follows.
    const { dataDir } = atFirst;
    const laptop = await open({ dataDir });
    await laptop.ask.account.signOut();
    await laptop.ask.practice.sendTyped({ sessionId: kept, text: 'It ships on Friday.', hintLevel: 0 });
    await laptop.ask.practice.discard({ sessionId: left });
    await laptop.ask.settings.updateProfile({ firstName: 'Ada' });
    const offline = await typeTurn(laptop, 'This has not been read yet.');

    await mailbox.signIn(laptop, ben);
    expect(await findSessionIds(laptop)).toEqual([]);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
    const bens = await typeTurn(laptop, 'I am Ben.');
    await laptop.ask.sync.run();
    await laptop.host.close();
    if (fails) damageTable(dataDir, 'practice_history');

    const later = await open({ dataDir });
    expect((await later.ask.app.about()).restoredFrom !== null).toBe(fails);
    expect(await findSessionIds(later)).toEqual([bens]);
    await mailbox.signIn(later, ada);
    const phone = await open();
    await mailbox.signIn(phone, ada);
    for (const hers of [later, phone]) {
      expect(await findSessionIds(hers)).toEqual([kept, offline].toSorted());
      expect(await findSessionIds(hers, 'Friday')).toEqual([kept]);
      expect(await findSessionIds(hers, 'been read yet')).toEqual([offline]);
      expect((await hers.ask.settings.read()).profile.firstName).toBe('Ada');
      expect(await hers.ask.sync.status()).toMatchObject({ waiting: 0, rejected: 0 });
    }
  });

  it('parked work is not sent when the computer joins another account', async () => {
    const [ada, ben] = [newEmail(), newEmail()];
    const phone = await open();
    await mailbox.signIn(phone, ben);
    const laptop = await open();
    await mailbox.signIn(laptop, ada);
    await laptop.ask.account.signOut();
    const hers = await typeTurn(laptop, 'I have not sent this.');
    await laptop.ask.account.join({ code: (await phone.ask.account.createLinkCode()).code });
    expect(await findSessionIds(laptop)).toEqual([]);
    await mailbox.signIn(laptop, ada);
    expect(await findSessionIds(laptop)).toEqual([hers]);
  });

  it('work of an account that an outdated app cannot pull does not go to the next learner', async () => {
    const [ada, ben] = [newEmail(), newEmail()];
    const laptop = await open();
    const hers = await typeTurn(laptop, 'I am Ada.');
    await laptop.ask.sync.run();
    server.failOn = (path) => (path === '/v1/sync/stream' ? 'sync.protocol_too_old' : null);
    try {
      await mailbox.signIn(laptop, ada);
      await mailbox.signIn(laptop, ben);
    } finally {
      server.failOn = null;
    }
    await laptop.ask.sync.run();
    expect(await findSessionIds(laptop)).toEqual([]);
    await mailbox.signIn(laptop, ada);
    expect(await findSessionIds(laptop)).toEqual([hers]);
  });

  it("a drill scored after an account switch updates its own learner's words", async () => {
    let score: () => void = () => undefined;
    const scored = new Promise<void>((resolve) => {
      score = resolve;
    });
    const scorer = aScriptedScorer();
    const slow = {
      ...scorer,
      assess: async ({ text }: { text: string }) => {
        await scored;
        return anAssessment(text, () => 20);
      },
    };
    const laptop = await open({ scorer: slow });
    await mailbox.signIn(laptop, newEmail());
    const drill = recordDrill(laptop);
    await expect
      .poll(() =>
        inDatabase(laptop.dataDir, (sqlite) =>
          sqlite.prepare("SELECT count(*) FROM recordings WHERE state = 'waiting'").pluck().get(),
        ),
      )
      .toBe(1);
    await mailbox.signIn(laptop, newEmail());
    score();
    await drill;
    expect(await wordsToTrain(laptop)).toEqual([]);
  });

  it('an unscored drill keeps waiting while another account practises', async () => {
    let fails = true;
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (fails) throw new Error('no model');
        return anAssessment(text);
      },
    });
    const laptop = await open({ scorer });
    const ada = newEmail();
    await mailbox.signIn(laptop, ada);
    const { turnId } = await laptop.ask.drill.begin({ text: 'schedule', other: null });
    await laptop.ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(200)]) });
    await expect(laptop.ask.drill.finish({ turnId })).rejects.toMatchObject({ code: 'scoring.failed' });
    fails = false;
    await mailbox.signIn(laptop, newEmail());
    await expect(laptop.ask.drill.finish({ turnId })).rejects.toMatchObject({ code: 'turn.not_found' });
    await recordDrill(laptop);
    await mailbox.signIn(laptop, ada);
    expect((await laptop.ask.drill.finish({ turnId })).assessment.pron).toBe(74);
  });

  it('a rejected change is shown only to the account that made it', async () => {
    const refused = crypto.randomUUID();
    const laptop = await open();
    const ada = newEmail();
    await mailbox.signIn(laptop, ada);
    await laptop.ask.settings.updateProfile({ firstName: 'Ada' });
    await laptop.ask.sync.run();
    inDatabase(laptop.dataDir, (sqlite) =>
      sqlite
        .prepare(
          `INSERT INTO rejected_changes (id, user_id, table_name, row_id, code, fields, at)
           SELECT '${refused}', user_id, 'users', user_id, 'invalid_value', '{"firstName":"Ada"}', 0 FROM sync_state`,
        )
        .run(),
    );
    expect((await laptop.ask.sync.status()).rejected).toBe(1);
    await mailbox.signIn(laptop, newEmail());
    expect((await laptop.ask.sync.status()).rejected).toBe(0);
    expect(await laptop.ask.sync.rejected()).toEqual([]);
    await laptop.ask.sync.dismissRejected({ id: refused });
    await mailbox.signIn(laptop, ada);
    expect(await laptop.ask.sync.rejected()).toMatchObject([{ id: refused }]);
  });
});
