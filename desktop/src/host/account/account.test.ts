import type { CoachKind } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../test-kit/a-catalogue.ts';
import { aMailbox } from '../test-kit/a-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/a-server.ts';
import { aClock, type OpenHost, openHost, removeDataFolders } from '../test-kit/open-host.ts';
import { toCsv } from './export-all.ts';

let server: TestServer;
let clock: ReturnType<typeof aClock>;
const mailbox = aMailbox();
const hosts: OpenHost[] = [];
let people = 0;
let email = '';

async function start(access: 'open' | 'granted'): Promise<void> {
  clock = aClock();
  server = await startServer({
    now: clock.now,
    account: { access },
    enqueueMail: mailbox.enqueueMail,
  });
}

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const opened = await openHost({ serverUrl: server.url, clock, ...options });
  hosts.push(opened);
  await opened.ask.sync.run();
  return opened;
}

const signIn = (opened: OpenHost, address = email) => mailbox.signIn(opened, address);

const practise = ({ ask }: OpenHost, coachKind: CoachKind = 'guided') =>
  ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
    coachKind,
  });
const sessions = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();

beforeEach(() => {
  people += 1;
  email = `learner${people}@example.com`;
});
afterEach(async () => {
  for (const { host } of hosts.splice(0)) await host.close();
  removeDataFolders();
});

describe('an account', () => {
  beforeAll(() => start('open'));
  afterAll(() => server.close());

  it('is claimed by the device that has been practising without one: nothing moves, nothing is lost', async () => {
    const laptop = await open();
    const { sessionId } = await practise(laptop);
    const state = await signIn(laptop);
    expect(state).toMatchObject({ isFresh: true, known: { account: { email, hasAccess: true, plan: 'FREE' } } });
    expect(await sessions(laptop)).toEqual([sessionId]);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
    expect((await laptop.ask.account.devices()).filter(({ isThis }) => isThis)).toHaveLength(1);
    expect(await laptop.ask.account.devices()).toHaveLength(1);
  });

  it('is joined by a second device, which brings along what it holds, once', async () => {
    const laptop = await open();
    const first = await practise(laptop);
    await signIn(laptop);
    const phone = await open();
    const second = await practise(phone);
    await phone.ask.sync.run();
    await signIn(phone);
    await laptop.ask.sync.run();
    const both = await sessions(laptop);
    expect(both).toHaveLength(2);
    expect(both).toContain(first.sessionId);
    expect(await sessions(phone)).toEqual(both);
    // Its own session was known to the server under the anonymous account: here it has a name of its own.
    expect(both.filter((id) => id !== first.sessionId && id !== second.sessionId).length).toBeLessThanOrEqual(1);
  });

  it('is left and entered again: what was done in between is there once', async () => {
    const laptop = await open();
    const before = await practise(laptop);
    await signIn(laptop);
    await laptop.ask.account.signOut();
    expect((await laptop.ask.sync.status()).state).toBe('signed_out');
    const between = await practise(laptop);
    expect(await sessions(laptop)).toEqual([before.sessionId, between.sessionId].toSorted());
    await signIn(laptop);
    await laptop.ask.sync.run();
    const phone = await open();
    await signIn(phone);
    expect(await sessions(phone)).toEqual([before.sessionId, between.sessionId].toSorted());
    expect(await phone.ask.account.devices()).toHaveLength(2);
  });

  it('that was erased is begun anew with its address: what is on the computer moves along, also what was never sent', async () => {
    const laptop = await open();
    await practise(laptop);
    await signIn(laptop);
    await server.tamper(sql`delete from web_sessions`);
    await server.tamper(sql`delete from devices where user_id in (select user_id from users where email = ${email})`);
    await server.tamper(sql`update users set email = null, deleted_at = now() where email = ${email}`);
    await laptop.ask.sync.run();
    await practise(laptop);
    await signIn(laptop);
    const kept = await sessions(laptop);
    expect(kept).toHaveLength(2);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
    const phone = await open();
    await signIn(phone);
    expect(await sessions(phone)).toEqual(kept);
  });

  it('is entered by its own link too, with work that was not sent', async () => {
    const laptop = await open();
    await signIn(laptop);
    await laptop.ask.account.signOut();
    const { sessionId } = await practise(laptop);
    await laptop.ask.account.requestSignIn({ email });
    const link = new URL(mailbox.newest(email).link).searchParams.get('link') ?? '';
    await laptop.ask.account.signInByLink({ link });
    expect(await sessions(laptop)).toEqual([sessionId]);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
  });

  it('of another address sees nothing of this one, which is whole when its owner comes back', async () => {
    const laptop = await open();
    const { sessionId } = await practise(laptop);
    await signIn(laptop);
    const other = `other-${email}`;
    await signIn(laptop, other);
    expect(await sessions(laptop)).toEqual([]);
    const theirs = await practise(laptop);
    await laptop.ask.sync.run();
    await signIn(laptop);
    expect(await sessions(laptop)).toEqual([sessionId]);
    await signIn(laptop, other);
    expect(await sessions(laptop)).toEqual([theirs.sessionId]);
    await signIn(laptop);
    expect(await sessions(laptop)).toEqual([sessionId]);
  });

  it('is entered by the link of the message, once', async () => {
    const laptop = await open();
    await laptop.ask.account.requestSignIn({ email });
    const link = new URL(mailbox.newest(email).link).searchParams.get('link') ?? '';
    expect(await laptop.ask.account.whoseLink({ link })).toEqual({ email });
    expect(await laptop.ask.account.signInByLink({ link })).toMatchObject({ known: { account: { email } } });
    const other = await open();
    await expect(other.ask.account.signInByLink({ link })).rejects.toMatchObject({ code: 'sign_in.link_spent' });
  });

  it('is not entered with a wrong code, and the device stays what it was', async () => {
    const laptop = await open();
    const { sessionId } = await practise(laptop);
    await laptop.ask.account.requestSignIn({ email });
    const wrong = mailbox.newest(email).code === '000000' ? '111111' : '000000';
    await expect(laptop.ask.account.signIn({ email, code: wrong })).rejects.toMatchObject({
      code: 'sign_in.code_wrong',
    });
    expect(await sessions(laptop)).toEqual([sessionId]);
    expect((await laptop.ask.account.state()).known?.account.email).toBeNull();
  });

  it('is known without the server as it was last told', async () => {
    const laptop = await open();
    await signIn(laptop);
    server.fail = 'internal';
    try {
      expect(await laptop.ask.account.state()).toMatchObject({ isFresh: false, known: { account: { email } } });
    } finally {
      server.fail = null;
    }
  });

  it('may be erased, and kept after all', async () => {
    const laptop = await open();
    await signIn(laptop);
    const { known } = await laptop.ask.account.requestDeletion();
    expect(Date.parse(known?.account.eraseAt ?? '') - clock.now().getTime()).toBe(30 * 86_400_000);
    expect((await laptop.ask.account.withdrawDeletion()).known?.account.eraseAt).toBeNull();
  });

  it('is erased only with a code that was typed lately', async () => {
    const laptop = await open();
    await signIn(laptop);
    clock.pass(16 * 60_000);
    const refused = { code: 'auth.confirmation_required' };
    await expect(laptop.ask.account.requestDeletion()).rejects.toMatchObject(refused);
    await laptop.ask.account.requestConfirmation();
    const { code } = mailbox.newest(email);
    const wrong = code === '000000' ? '111111' : '000000';
    await expect(laptop.ask.account.confirm({ code: wrong })).rejects.toMatchObject({ code: 'sign_in.code_wrong' });
    await expect(laptop.ask.account.requestDeletion()).rejects.toMatchObject(refused);
    await laptop.ask.account.confirm({ code: code ?? '' });
    expect((await laptop.ask.account.requestDeletion()).known?.account.eraseAt).not.toBeNull();
    await laptop.ask.account.withdrawDeletion();
  });

  it('is written into one file, rows and recordings', async () => {
    const laptop = await open();
    await practise(laptop);
    const { file, bytes } = await laptop.ask.account.exportAll();
    const written = readFileSync(file);
    expect(written.byteLength).toBe(bytes);
    const entries = unzipSync(written);
    const text = (name: string): string => new TextDecoder().decode(entries[name]);
    expect(JSON.parse(text('data/practice_history.json'))).toHaveLength(1);
    expect(text('data/practice_history.csv').split('\r\n')[0]).toContain('practiceId');
    expect(text('READ ME.txt')).toContain('Your rows');
  });
});

describe('a server that lets learners in one by one', () => {
  beforeAll(() => start('granted'));
  afterAll(() => server.close());

  const setAccess = (hasAccess: boolean): Promise<void> =>
    server.tamper(sql`update users set has_access = ${hasAccess}, access_date = now() where email = ${email}`);

  it('asks whoever has no account to sign in for a live coach; a guided practice asks nobody', async () => {
    const laptop = await open();
    expect(await practise(laptop)).toMatchObject({ phase: 'learner_turn' });
    expect(await laptop.ask.account.state()).toMatchObject({ liveAccess: 'sign_in', isSignedOut: false });
    await expect(practise(laptop, 'live')).rejects.toMatchObject({ code: 'auth.required' });
  });

  it('has the others wait for a live coach, and says so; guided practices, review and history are theirs', async () => {
    const laptop = await open();
    const before = await practise(laptop);
    expect(await signIn(laptop)).toMatchObject({
      liveAccess: 'waiting',
      known: { account: { hasAccess: false, mustBeGranted: true } },
    });
    const waiting = await practise(laptop);
    expect(waiting.phase).toBe('learner_turn');
    await expect(practise(laptop, 'live')).rejects.toMatchObject({ code: 'access.required' });
    expect(await sessions(laptop)).toEqual([before.sessionId, waiting.sessionId].toSorted());
    const { known } = await laptop.ask.account.requestAccess();
    expect(known?.account.waitingSince).not.toBeNull();
  });

  it('keeps a live coach from nobody who was let in a moment ago', async () => {
    const laptop = await open();
    await signIn(laptop);
    await setAccess(true);
    expect(await practise(laptop, 'live')).toMatchObject({ phase: 'coach_turn' });
  });

  it('that takes access away, or cannot be reached for weeks, takes no guided practice away', async () => {
    const laptop = await open();
    await signIn(laptop);
    await setAccess(true);
    expect(await laptop.ask.account.state()).toMatchObject({ liveAccess: 'granted' });
    server.fail = 'internal';
    try {
      clock.pass(71 * 3_600_000);
      expect(await practise(laptop, 'live')).toMatchObject({ phase: 'coach_turn' });
      clock.pass(30 * 86_400_000);
      await expect(practise(laptop, 'live')).rejects.toMatchObject({ code: 'access.unconfirmed' });
      expect(await practise(laptop)).toMatchObject({ phase: 'learner_turn' });
    } finally {
      server.fail = null;
    }
    await setAccess(false);
    expect(await laptop.ask.account.state()).toMatchObject({ liveAccess: 'waiting' });
    expect(await practise(laptop)).toMatchObject({ phase: 'learner_turn' });
  });

  it('knows of nobody waiting after they signed out, also after a restart without it', async () => {
    const laptop = await open();
    await signIn(laptop);
    expect(await laptop.ask.account.signOut()).toMatchObject({ isSignedOut: true, liveAccess: 'sign_in' });
    expect(await practise(laptop)).toMatchObject({ phase: 'learner_turn' });
    await laptop.host.close();
    server.fail = 'internal';
    try {
      const again = await open({ dataDir: laptop.dataDir });
      expect(await again.ask.account.state()).toMatchObject({ isSignedOut: true, liveAccess: 'sign_in' });
      server.fail = null;
      expect(await signIn(again)).toMatchObject({ isSignedOut: false, liveAccess: 'waiting' });
    } finally {
      server.fail = null;
    }
  });

  it('says so when access was taken away, and why', async () => {
    const laptop = await open();
    await signIn(laptop);
    await server.tamper(sql`
      with who as (update users set has_access = false, access_date = now() where email = ${email} returning user_id)
      insert into audit_log (id, at, subject_id, act, reason)
      select gen_random_uuid(), ${clock.now().toISOString()}, user_id, 'access_revoked', 'The pilot is over' from who`);
    const { known, liveAccess } = await laptop.ask.account.state();
    expect(liveAccess).toBe('taken');
    expect(known?.account).toMatchObject({ hasAccess: false, accessTaken: { reason: 'The pilot is over' } });
    await expect(practise(laptop, 'live')).rejects.toMatchObject({ code: 'access.taken' });
    expect(await practise(laptop)).toMatchObject({ phase: 'learner_turn' });
  });
});

describe('rows for a spreadsheet', () => {
  it('are quoted, and no cell is a formula', () => {
    expect(toCsv([{ a: 'one, "two"', b: '=1+1', c: -3, d: null, e: new Date(0), f: { g: [1] } }])).toBe(
      'a,b,c,d,e,f\r\n"one, ""two""",\'=1+1,-3,,1970-01-01T00:00:00.000Z,"{""g"":[1]}"\r\n',
    );
  });
});
