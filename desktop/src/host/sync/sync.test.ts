import { CoachId } from '@parley/domain';
import { MAX_PUSH_BYTES } from '@parley/contract';
import { rmSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDevices, sessionIdsOf } from '../test-kit/devices.ts';
import { COACH, LATE_REPLY, SORRY_REPLY, testId } from '../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import {
  aClock,
  aDataFolder,
  type OpenHost,
  openHost,
  recordTurn,
  sendRecordedTurn,
  startPractice,
} from '../test-kit/open-host.ts';
import { damageTable, inDatabase, readOutbox } from '../test-kit/read-database.ts';

let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url }));
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.fail = null;
  server.pushed = [];
  server.onPull = null;
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

async function startServerAt(now: () => Date): Promise<TestServer> {
  const one = await startServer({ now });
  onTestFinished(() => one.close());
  return one;
}

async function aFinishedSession({ ask }: OpenHost): Promise<string> {
  const { sessionId } = await startPractice(ask, 'audio');
  await sendRecordedTurn(ask, sessionId);
  await ask.practice.sendTyped({ sessionId, text: SORRY_REPLY, hintLevel: 0 });
  await ask.practice.finish({ sessionId });
  return sessionId;
}

const valueOf = (stored: unknown): unknown =>
  typeof stored === 'string' && /^[[{]/.test(stored) ? (JSON.parse(stored) as unknown) : stored;

/**
 * Returns all of a learner's rows on a device, without the fields that sync sets. JSON is parsed, because databases
 * order its keys.
 */
const ownRows = (one: OpenHost): unknown =>
  inDatabase(one.dataDir, (sqlite) =>
    [
      'practice_history',
      'ai_conversations',
      'user_course_interaction',
      'feedback_details',
      'coach_assignment_history',
    ].map((table) =>
      sqlite
        .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 5, 6, 7`)
        .all()
        .map(({ updated_at: _updated, sync_version: _version, field_clocks: _clocks, ...row }) =>
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name, valueOf(value)])),
        ),
    ),
  );

async function join(from: OpenHost, to: OpenHost): Promise<void> {
  const { code } = await to.ask.account.createLinkCode();
  expect(await from.ask.account.join({ code })).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
  await to.ask.sync.run();
}

describe('sync', () => {
  it('sends offline work exactly once', async () => {
    const one = await devices.open();
    await aFinishedSession(one);
    expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    const pushed = server.pushed.flat();
    expect(pushed.map((mutation) => mutation.deviceSeq)).toEqual(pushed.map((_, index) => index + 1));
    await one.ask.sync.run();
    expect(server.pushed.flat()).toHaveLength(pushed.length);
  });

  it('gives a joined device the same history', async () => {
    const one = await devices.open();
    await one.ask.settings.updateProfile({ firstName: 'Ana', agentId: COACH });
    const sessionId = await aFinishedSession(one);
    await one.ask.sync.run();
    const two = await devices.open();
    await join(two, one);
    expect(await sessionIdsOf(two)).toEqual([sessionId]);
    expect(ownRows(two)).toEqual(ownRows(one));
    expect((await two.ask.settings.read()).profile.firstName).toBe('Ana');
    expect((await two.ask.history.list({ search: 'sorry', offset: 0, limit: 5 })).total).toBe(1);
  });

  it('merges edits of both devices, including offline edits', async () => {
    const clock = aClock();
    const server = await startServerAt(clock.now);
    const one = await devices.open({ clock, serverUrl: server.url });
    const two = await devices.open({ clock, serverUrl: server.url });
    await join(two, one);
    server.fail = 'sync.offline';
    await one.ask.settings.updateProfile({ firstName: 'Ana' });
    clock.pass(1_000);
    await two.ask.settings.updateProfile({ firstName: 'Anna', jobTitle: 'Nurse' });
    const [fromOne, fromTwo] = [await aFinishedSession(one), await aFinishedSession(two)];
    expect((await one.ask.sync.run()).state).toBe('offline');
    server.fail = null;
    for (const device of [one, two, one])
      expect(await device.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    for (const device of [one, two]) {
      expect((await device.ask.settings.read()).profile).toMatchObject({ firstName: 'Anna', jobTitle: 'Nurse' });
      expect(await sessionIdsOf(device)).toEqual([fromOne, fromTwo].toSorted());
    }
    expect(ownRows(two)).toEqual(ownRows(one));
  });

  it('lets an edit win over the version it is based on, even with a slow clock', async () => {
    const [onTime, late] = [aClock('2026-11-18T10:10:00.000Z'), aClock('2026-11-18T10:00:00.000Z')];
    const server = await startServerAt(onTime.now);
    const dataDir = aDataFolder();
    const opened = { clock: late, serverUrl: server.url, dataDir };
    const phone = await devices.open({ clock: onTime, serverUrl: server.url });
    const laptop = await devices.open(opened);
    await join(laptop, phone);
    const nameAfter = async (name: string, [first, then]: [OpenHost, OpenHost]): Promise<unknown> => {
      onTime.pass(1_000);
      late.pass(1_000);
      await first.ask.settings.updateProfile({ firstName: name });
      await first.ask.sync.run();
      await then.ask.sync.run();
      return (await then.ask.settings.read()).profile.firstName;
    };
    expect(await nameAfter('By the phone', [phone, laptop])).toBe('By the phone');
    expect(await nameAfter('By the laptop', [laptop, phone])).toBe('By the laptop');
    expect(await nameAfter('By the phone again', [phone, laptop])).toBe('By the phone again');
    await devices.close(laptop);
    const again = await devices.open(opened);
    expect(await nameAfter('By the laptop again', [again, phone])).toBe('By the laptop again');
    expect((await again.ask.settings.read()).profile.firstName).toBe('By the laptop again');
  });

  it('keeps an unsent edit on top of pulled rows', async () => {
    const one = await devices.open();
    const two = await devices.open();
    await join(two, one);
    await one.ask.settings.updateProfile({ firstName: 'Ana' });
    await one.ask.sync.run();
    server.onPull = () => two.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    await two.ask.sync.run();
    expect((await two.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', jobTitle: 'Nurse' });
    expect(await two.ask.sync.run()).toMatchObject({ waiting: 0 });
  });

  it('applies a push once although its response was lost', async () => {
    const one = await devices.open();
    server.fail = 'drop';
    await one.ask.settings.updateProfile({ firstName: 'Ana' });
    expect((await one.ask.sync.run()).state).toBe('offline');
    expect((await one.ask.sync.status()).waiting).toBe(1);
    await one.ask.settings.updateProfile({ firstName: 'Anna' });
    server.fail = null;
    expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    expect((await one.ask.settings.read()).profile.firstName).toBe('Anna');
  });

  it('registers under new ids when the response was lost', async () => {
    server.fail = 'drop';
    const one = await devices.open();
    const sessionId = await aFinishedSession(one);
    await one.ask.settings.updateProfile({ firstName: 'Ana' });
    server.fail = null;
    expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    const two = await devices.open();
    await join(two, one);
    expect(await sessionIdsOf(two)).toEqual([sessionId]);
    expect((await two.ask.settings.read()).profile.firstName).toBe('Ana');
  });

  it('lists rejected changes with their content and continues with the rest', async () => {
    const one = await devices.open();
    const unknown = CoachId.parse(testId(999));
    await one.ask.settings.updateProfile({ agentId: unknown });
    await one.ask.settings.updateProfile({ firstName: 'Ana' });
    expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 2 });
    const refused = await one.ask.sync.rejected();
    expect(refused.map(({ table, code }) => [table, code])).toEqual([
      ['coach_assignment_history', 'missing_reference'],
      ['users', 'missing_reference'],
    ]);
    expect(refused[0]?.fields).toMatchObject({ agentId: unknown });
    // The server's value prevails, because it does not know this coach.
    expect((await one.ask.settings.read()).profile).toMatchObject({ agentId: null, firstName: 'Ana' });
    await one.ask.sync.dismissRejected({ id: refused[0]?.id ?? '' });
    expect((await one.ask.sync.status()).rejected).toBe(1);
  });

  it("continues the server's sequence after the database was rebuilt", async () => {
    const dataDir = aDataFolder();
    const first = await devices.open({ dataDir });
    await first.ask.settings.updateProfile({ firstName: 'Ana' });
    await first.ask.sync.run();
    await devices.close(first);
    // Without a backup, the database is rebuilt from the server; the token survived next to it.
    rmSync(joinPath(dataDir, 'parley.sqlite'));
    rmSync(joinPath(dataDir, 'backups'), { recursive: true, force: true });
    const again = await devices.open({ dataDir });
    expect((await again.ask.settings.read()).profile.firstName).toBe('Ana');
    await again.ask.settings.updateProfile({ firstName: 'Anna' });
    expect(await again.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    expect(server.pushed.flat().map((mutation) => mutation.deviceSeq)).toEqual([1, 2]);
  });

  it('pulls rows again whose changes were answered after the backup', async () => {
    const dataDir = aDataFolder();
    const clock = aClock('2026-11-18T10:00:00.000Z');
    const onTime = aClock('2026-11-18T12:00:00.000Z');
    const server = await startServerAt(onTime.now);
    const late = { dataDir, clock, serverUrl: server.url };
    const one = await devices.open(late);
    await one.ask.settings.updateProfile({ jobTitle: 'Planner' });
    await one.ask.sync.run();
    const other = await devices.open({ clock: onTime, serverUrl: server.url });
    await join(one, other);
    server.fail = 'sync.offline';
    await one.ask.settings.updateProfile({ jobTitle: 'An older word' });
    await devices.close(one);
    server.fail = null;
    onTime.pass(60_000);
    await other.ask.settings.updateProfile({ jobTitle: 'A newer word' });
    await other.ask.sync.run();
    server.fail = 'sync.offline';
    // The backup made at the next start contains the change as unsent, together with its row.
    clock.pass(25 * 3_600_000);
    const backedUp = await devices.open(late);
    server.fail = null;
    await backedUp.ask.sync.run();
    expect((await backedUp.ask.settings.read()).profile.jobTitle).toBe('A newer word');
    await devices.close(backedUp);
    damageTable(dataDir, 'practice_history');

    const restored = await devices.open(late);
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    await restored.ask.sync.run();
    expect((await restored.ask.settings.read()).profile.jobTitle).toBe('A newer word');
  });

  it.each([
    ['auth.device_revoked', 'signed_out'],
    ['sync.protocol_too_old', 'outdated'],
    ['request.too_many', 'backing_off'],
    ['sync.offline', 'offline'],
  ] as const)('on %s enters %s and keeps the changes', async (code, state) => {
    const one = await devices.open();
    server.fail = code;
    await one.ask.settings.updateProfile({ firstName: 'Ana' });
    expect(await one.ask.sync.run()).toMatchObject({ state, waiting: 1 });
    server.fail = null;
    expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
  });

  it('splits long sessions into requests below the size limit', { tags: ['slow'] }, async () => {
    const one = await devices.open();
    server.fail = 'sync.offline';
    const { sessionId } = await startPractice(one.ask, 'text');
    for (let turn = 0; turn < 60; turn += 1)
      await one.ask.practice.sendTyped({ sessionId, text: `bananas ${'x'.repeat(580)}`, hintLevel: 0 });
    for (let session = 0; session < 10; session += 1) await aFinishedSession(one);
    server.fail = null;
    expect(await one.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    for (const batch of server.pushed) expect(JSON.stringify(batch).length).toBeLessThan(MAX_PUSH_BYTES);
  });
});

describe('an unresponsive server', () => {
  it('does not prevent the host from closing', async () => {
    const one = await devices.open();
    server.onPull = () => new Promise(() => undefined);
    const running = one.ask.sync.run();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const startedAt = performance.now();
    await devices.close(one);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await running;
  });
});

describe('joining an account', () => {
  it("moves the device's data exactly once, even if already synced", async () => {
    const one = await devices.open();
    const two = await devices.open();
    const earlier = await aFinishedSession(two);
    await two.ask.settings.updateProfile({ agentId: COACH });
    await two.ask.sync.run();
    await one.ask.settings.updateProfile({ firstName: 'Ana', agentId: COACH });
    await one.ask.sync.run();
    const unsent = await startPractice(two.ask, 'audio');
    const { turnId } = await recordTurn(two.ask, unsent.sessionId);
    await two.ask.practice.finishTurn({ sessionId: unsent.sessionId, turnId, hintLevel: 0 });
    await two.ask.practice.hint({ sessionId: unsent.sessionId, level: 2 });
    await join(two, one);

    expect(await sessionIdsOf(two)).toHaveLength(2);
    expect(await sessionIdsOf(two)).not.toContain(earlier);
    expect(await sessionIdsOf(one)).toEqual(await sessionIdsOf(two));
    expect(ownRows(two)).toEqual(ownRows(one));
    // The session continues where it stood, including its recording.
    const running = (await two.ask.today.overview()).unfinished;
    const session = await two.ask.practice.session({ sessionId: running?.sessionId ?? unsent.sessionId });
    expect(session).toMatchObject({ hintLevel: 2, waitingTurn: { status: 'heard', text: LATE_REPLY } });
    const sent = await two.ask.practice.sendTurn({
      sessionId: session.sessionId,
      turnId: session.waitingTurn?.turnId ?? turnId,
    });
    expect(sent.turns).toHaveLength(3);
    expect(await two.ask.sync.run()).toMatchObject({ waiting: 0, rejected: 0 });
    const open = inDatabase(two.dataDir, (sqlite) =>
      sqlite.prepare('SELECT count(*) FROM coach_assignment_history WHERE assignment_end_date IS NULL').pluck().get(),
    );
    expect(open).toBe(1);
  });

  it('is refused with a wrong code and changes nothing', async () => {
    const one = await devices.open();
    const sessionId = await aFinishedSession(one);
    await expect(one.ask.account.join({ code: 'AAAA-AAAA' })).rejects.toMatchObject({ code: 'link.code_invalid' });
    expect(await sessionIdsOf(one)).toEqual([sessionId]);
  });

  it('requires a server', async () => {
    const alone = await openHost();
    await expect(alone.ask.account.createLinkCode()).rejects.toMatchObject({ code: 'sync.offline' });
    expect(await alone.ask.sync.status()).toMatchObject({ state: 'no_server' });
    expect(readOutbox(alone.dataDir)).toEqual([]);
    await alone.host.close();
  });
});
