import { unzipSync } from 'fflate';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../test-kit/a-catalogue.ts';
import { aMailbox } from '../test-kit/a-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/a-server.ts';
import {
  aClock,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  removeDataFolders,
  sayTurn,
  somethingSaid,
} from '../test-kit/open-host.ts';
import { damageTable, inDatabase } from '../test-kit/read-database.ts';

const clock = aClock();
const mailbox = aMailbox();
let server: TestServer;
let people = 0;
const hosts: OpenHost[] = [];

beforeAll(async () => {
  server = await startServer({ now: clock.now, account: { access: 'open' }, enqueueMail: mailbox.enqueueMail });
});
afterAll(() => server.close());
afterEach(async () => {
  for (const { host } of hosts.splice(0)) await host.close();
  removeDataFolders();
});

const somebody = (): string => `person${(people += 1)}@example.com`;

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const opened = await openHost({ serverUrl: server.url, clock, ...options });
  hosts.push(opened);
  await opened.ask.sync.run();
  return opened;
}

async function sayDrill({ ask }: OpenHost, text = 'strengths') {
  const { turnId, recordingId } = await ask.drill.begin({ text, other: null });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([somethingSaid(200)]) });
  await ask.drill.finish({ turnId });
  return recordingId;
}

const startSession = ({ ask }: OpenHost, communicationStyle: 'audio' | 'text') =>
  ask.practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle, coachKind: 'guided' });

async function sayInSession(opened: OpenHost) {
  const { ask } = opened;
  const { sessionId } = await startSession(opened, 'audio');
  const { turnId, recordingId } = await sayTurn(ask, sessionId);
  await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  await ask.practice.sendTurn({ sessionId, turnId });
  return recordingId;
}

async function writeInSession(opened: OpenHost, text: string) {
  const { sessionId } = await startSession(opened, 'text');
  await opened.ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const found = async ({ ask }: OpenHost, search = ''): Promise<string[]> =>
  (await ask.history.list({ search, offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();

/** What an archive holds of what only this computer has. */
async function exported({ ask }: OpenHost) {
  const entries = unzipSync(readFileSync((await ask.account.exportAll()).file));
  const ids = (table: string): string[] => {
    const rows = JSON.parse(new TextDecoder().decode(entries[`data/${table}.json`])) as { recordingId: string }[];
    return rows.map(({ recordingId }) => recordingId).toSorted();
  };
  const files = Object.keys(entries).flatMap((name) => /^recordings\/(.+)\.wav$/.exec(name)?.[1] ?? []);
  return { recordings: ids('recordings'), drills: ids('drill_attempts'), files: files.toSorted() };
}

const attempts = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.drill.attempts({ text: 'strengths' })).map(({ recordingId }) => recordingId);
const trained = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.today.overview()).wordsToTrain.map(({ word }) => word);

describe('on one computer', () => {
  it('each person sees, hears and exports what they said, and nothing of the other', async () => {
    const laptop = await open();
    const [ada, ben] = [somebody(), somebody()];
    await mailbox.signIn(laptop, ada);
    const adas = { turn: await sayInSession(laptop), drill: await sayDrill(laptop) };
    await mailbox.signIn(laptop, ben);
    expect(await exported(laptop)).toEqual({ recordings: [], drills: [], files: [] });
    expect(await attempts(laptop)).toEqual([]);
    for (const recordingId of Object.values(adas))
      await expect(laptop.ask.recordings.read({ recordingId })).rejects.toMatchObject({ code: 'recording.not_found' });

    const bens = { turn: await sayInSession(laptop), drill: await sayDrill(laptop) };
    const ofBen = [bens.turn, bens.drill].toSorted();
    expect(await exported(laptop)).toEqual({ recordings: ofBen, drills: [bens.drill], files: ofBen });
    expect(await attempts(laptop)).toEqual([bens.drill]);

    await mailbox.signIn(laptop, ada);
    const ofAda = [adas.turn, adas.drill].toSorted();
    expect(await exported(laptop)).toEqual({ recordings: ofAda, drills: [adas.drill], files: ofAda });
    expect(await attempts(laptop)).toEqual([adas.drill]);
    for (const recordingId of ofAda)
      expect((await laptop.ask.recordings.read({ recordingId })).size).toBeGreaterThan(44);
  });

  it('no export takes the place of another, whoever made it', async () => {
    const laptop = await open({ timeZone: 'Asia/Kolkata' });
    const [ada, ben] = [somebody(), somebody()];
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

  it('what was said without an account moves to the account that is signed in to, once', async () => {
    const phone = await open();
    const ada = somebody();
    await mailbox.signIn(phone, ada);
    const laptop = await open();
    const before = [await sayInSession(laptop), await sayDrill(laptop)].toSorted();
    await laptop.ask.sync.run();
    await mailbox.signIn(laptop, ada);
    expect(await exported(laptop)).toMatchObject({ recordings: before, files: before });
    expect(await attempts(laptop)).toHaveLength(1);
    const [session] = (await laptop.ask.history.list({ search: '', offset: 0, limit: 5 })).items;
    const sounds = inDatabase(laptop.dataDir, (sqlite) =>
      sqlite.prepare('SELECT recording_id FROM recordings WHERE session_id = ?').pluck().all(session?.sessionId),
    );
    expect(sounds).toHaveLength(1);
    await mailbox.signIn(laptop, somebody());
    expect(await exported(laptop)).toEqual({ recordings: [], drills: [], files: [] });
    await mailbox.signIn(laptop, ada);
    expect(await exported(laptop)).toMatchObject({ recordings: before, files: before });
  });

  it.each([
    ['', false],
    [' and their disk failed', true],
  ])('what somebody could not send is theirs when they come back, though others worked here%s', async (_and, fails) => {
    const [ada, ben] = [somebody(), somebody()];
    const atFirst = await open();
    await mailbox.signIn(atFirst, ada);
    const kept = await writeInSession(atFirst, 'I am sorry for the delay.');
    const left = await writeInSession(atFirst, 'I can tell you more.');
    await atFirst.host.close();
    clock.pass(25 * 3_600_000);
    // This start takes the day's backup: of what follows it knows nothing.
    const { dataDir } = atFirst;
    const laptop = await open({ dataDir });
    await laptop.ask.account.signOut();
    await laptop.ask.practice.sendTyped({ sessionId: kept, text: 'It ships on Friday.', hintLevel: 0 });
    await laptop.ask.practice.discard({ sessionId: left });
    await laptop.ask.settings.updateProfile({ firstName: 'Ada' });
    const offline = await writeInSession(laptop, 'Nobody has read this yet.');

    await mailbox.signIn(laptop, ben);
    expect(await found(laptop)).toEqual([]);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
    const bens = await writeInSession(laptop, 'I am Ben.');
    await laptop.ask.sync.run();
    await laptop.host.close();
    if (fails) damageTable(dataDir, 'practice_history');

    const later = await open({ dataDir });
    expect((await later.ask.app.about()).restoredFrom !== null).toBe(fails);
    expect(await found(later)).toEqual([bens]);
    await mailbox.signIn(later, ada);
    const phone = await open();
    await mailbox.signIn(phone, ada);
    for (const hers of [later, phone]) {
      expect(await found(hers)).toEqual([kept, offline].toSorted());
      expect(await found(hers, 'Friday')).toEqual([kept]);
      expect(await found(hers, 'read this yet')).toEqual([offline]);
      expect((await hers.ask.settings.read()).profile.firstName).toBe('Ada');
      expect(await hers.ask.sync.status()).toMatchObject({ waiting: 0, rejected: 0 });
    }
  });

  it('what waits for somebody else is not sent by who joins with a code', async () => {
    const [ada, ben] = [somebody(), somebody()];
    const phone = await open();
    await mailbox.signIn(phone, ben);
    const laptop = await open();
    await mailbox.signIn(laptop, ada);
    await laptop.ask.account.signOut();
    const hers = await writeInSession(laptop, 'I have not told anybody.');
    await laptop.ask.account.join({ code: (await phone.ask.account.createLinkCode()).code });
    expect(await found(laptop)).toEqual([]);
    await mailbox.signIn(laptop, ada);
    expect(await found(laptop)).toEqual([hers]);
  });

  it('a drill that is scored after somebody else came trains the words of who said it', async () => {
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
    await mailbox.signIn(laptop, somebody());
    const drill = sayDrill(laptop);
    await expect
      .poll(() =>
        inDatabase(laptop.dataDir, (sqlite) =>
          sqlite.prepare("SELECT count(*) FROM recordings WHERE state = 'waiting'").pluck().get(),
        ),
      )
      .toBe(1);
    await mailbox.signIn(laptop, somebody());
    score();
    await drill;
    expect(await trained(laptop)).toEqual([]);
  });

  it('another person’s drill that waits for its score keeps waiting while somebody practises', async () => {
    let fails = true;
    const scorer = aScriptedScorer({
      assess: (text) => {
        if (fails) throw new Error('no model');
        return anAssessment(text);
      },
    });
    const laptop = await open({ scorer });
    const ada = somebody();
    await mailbox.signIn(laptop, ada);
    const { turnId } = await laptop.ask.drill.begin({ text: 'schedule', other: null });
    await laptop.ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([somethingSaid(200)]) });
    await expect(laptop.ask.drill.finish({ turnId })).rejects.toMatchObject({ code: 'scoring.failed' });
    fails = false;
    await mailbox.signIn(laptop, somebody());
    await expect(laptop.ask.drill.finish({ turnId })).rejects.toMatchObject({ code: 'turn.not_found' });
    await sayDrill(laptop);
    await mailbox.signIn(laptop, ada);
    expect((await laptop.ask.drill.finish({ turnId })).assessment.pron).toBe(74);
  });

  it('a change that the server refused is shown to who made it', async () => {
    const refused = crypto.randomUUID();
    const laptop = await open();
    const ada = somebody();
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
    await mailbox.signIn(laptop, somebody());
    expect((await laptop.ask.sync.status()).rejected).toBe(0);
    expect(await laptop.ask.sync.rejected()).toEqual([]);
    await laptop.ask.sync.dismissRejected({ id: refused });
    await mailbox.signIn(laptop, ada);
    expect(await laptop.ask.sync.rejected()).toMatchObject([{ id: refused }]);
  });
});
