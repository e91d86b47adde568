import type { CoachKind } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../test-kit/test-catalogue.ts';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { aClock, type OpenHost, openHost } from '../test-kit/open-host.ts';

let server: TestServer;
let clock: ReturnType<typeof aClock>;
const mailbox = aMailbox();
const hosts: OpenHost[] = [];
let learnerCount = 0;
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

const startPractice = ({ ask }: OpenHost, coachKind: CoachKind = 'guided') =>
  ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
    coachKind,
  });
const listSessionIds = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();

beforeEach(() => {
  learnerCount += 1;
  email = `learner${learnerCount}@example.com`;
});
afterEach(async () => {
  for (const { host } of hosts.splice(0)) await host.close();
});

describe('an account', () => {
  beforeAll(() => start('open'));
  afterAll(() => server.close());

  it('asks for messages in the language of the interface', async () => {
    const laptop = await open();
    await laptop.ask.settings.updateDevice({ shownLanguage: 'pt-BR' });
    await laptop.ask.account.requestSignIn({ email });
    expect(mailbox.languageOf(email)).toBe('pt-BR');
  });

  it('is claimed by a device that practised without one, and keeps its data', async () => {
    const laptop = await open();
    const { sessionId } = await startPractice(laptop);
    const state = await signIn(laptop);
    expect(state).toMatchObject({ isFresh: true, known: { account: { email, hasAccess: true, plan: 'FREE' } } });
    expect(await listSessionIds(laptop)).toEqual([sessionId]);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
    expect((await laptop.ask.account.devices()).filter(({ isThis }) => isThis)).toHaveLength(1);
    expect(await laptop.ask.account.devices()).toHaveLength(1);
  });

  it('receives the data of a second device exactly once', async () => {
    const laptop = await open();
    const first = await startPractice(laptop);
    await signIn(laptop);
    const phone = await open();
    const second = await startPractice(phone);
    await phone.ask.sync.run();
    await signIn(phone);
    await laptop.ask.sync.run();
    const both = await listSessionIds(laptop);
    expect(both).toHaveLength(2);
    expect(both).toContain(first.sessionId);
    expect(await listSessionIds(phone)).toEqual(both);
    // The server knew the phone's session under the anonymous account, so the session may get a new id here.
    expect(both.filter((id) => id !== first.sessionId && id !== second.sessionId).length).toBeLessThanOrEqual(1);
  });

  it('keeps work from before and after a sign-out exactly once', async () => {
    const laptop = await open();
    const before = await startPractice(laptop);
    await signIn(laptop);
    await laptop.ask.account.signOut();
    expect((await laptop.ask.sync.status()).state).toBe('signed_out');
    const between = await startPractice(laptop);
    expect(await listSessionIds(laptop)).toEqual([before.sessionId, between.sessionId].toSorted());
    await signIn(laptop);
    await laptop.ask.sync.run();
    const phone = await open();
    await signIn(phone);
    expect(await listSessionIds(phone)).toEqual([before.sessionId, between.sessionId].toSorted());
    expect(await phone.ask.account.devices()).toHaveLength(2);
  });

  it('erased and created again receives all local work, sent or not', async () => {
    const laptop = await open();
    await startPractice(laptop);
    await signIn(laptop);
    await server.execute(sql`delete from web_sessions`);
    await server.execute(sql`delete from devices where user_id in (select user_id from users where email = ${email})`);
    await server.execute(sql`update users set email = null, deleted_at = now() where email = ${email}`);
    await laptop.ask.sync.run();
    await startPractice(laptop);
    await signIn(laptop);
    const kept = await listSessionIds(laptop);
    expect(kept).toHaveLength(2);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
    const phone = await open();
    await signIn(phone);
    expect(await listSessionIds(phone)).toEqual(kept);
  });

  it('keeps unsent work when its learner returns by sign-in link', async () => {
    const laptop = await open();
    await signIn(laptop);
    await laptop.ask.account.signOut();
    const { sessionId } = await startPractice(laptop);
    await laptop.ask.account.requestSignIn({ email });
    const link = new URL(mailbox.newest(email).link).searchParams.get('link') ?? '';
    await laptop.ask.account.signInByLink({ link });
    expect(await listSessionIds(laptop)).toEqual([sessionId]);
    expect((await laptop.ask.sync.status()).waiting).toBe(0);
  });

  it('hides its data from another account and is complete for its owner', async () => {
    const laptop = await open();
    const { sessionId } = await startPractice(laptop);
    await signIn(laptop);
    const other = `other-${email}`;
    await signIn(laptop, other);
    expect(await listSessionIds(laptop)).toEqual([]);
    const theirs = await startPractice(laptop);
    await laptop.ask.sync.run();
    await signIn(laptop);
    expect(await listSessionIds(laptop)).toEqual([sessionId]);
    await signIn(laptop, other);
    expect(await listSessionIds(laptop)).toEqual([theirs.sessionId]);
    await signIn(laptop);
    expect(await listSessionIds(laptop)).toEqual([sessionId]);
  });

  it('accepts the link from the e-mail only once', async () => {
    const laptop = await open();
    await laptop.ask.account.requestSignIn({ email });
    const link = new URL(mailbox.newest(email).link).searchParams.get('link') ?? '';
    expect(await laptop.ask.account.whoseLink({ link })).toEqual({ email });
    expect(await laptop.ask.account.signInByLink({ link })).toMatchObject({ known: { account: { email } } });
    const other = await open();
    await expect(other.ask.account.signInByLink({ link })).rejects.toMatchObject({ code: 'sign_in.link_spent' });
  });

  it('rejects a wrong code and leaves the device unchanged', async () => {
    const laptop = await open();
    const { sessionId } = await startPractice(laptop);
    await laptop.ask.account.requestSignIn({ email });
    const wrong = mailbox.newest(email).code === '000000' ? '111111' : '000000';
    await expect(laptop.ask.account.signIn({ email, code: wrong })).rejects.toMatchObject({
      code: 'sign_in.code_wrong',
    });
    expect(await listSessionIds(laptop)).toEqual([sessionId]);
    expect((await laptop.ask.account.state()).known?.account.email).toBeNull();
  });

  it('shows the last known state when the server is unreachable', async () => {
    const laptop = await open();
    await signIn(laptop);
    server.fail = 'internal';
    try {
      expect(await laptop.ask.account.state()).toMatchObject({ isFresh: false, known: { account: { email } } });
    } finally {
      server.fail = null;
    }
  });

  it('can be scheduled for deletion and kept after all', async () => {
    const laptop = await open();
    await signIn(laptop);
    const { known } = await laptop.ask.account.requestDeletion();
    expect(Date.parse(known?.account.eraseAt ?? '') - clock.now().getTime()).toBe(30 * 86_400_000);
    expect((await laptop.ask.account.withdrawDeletion()).known?.account.eraseAt).toBeNull();
  });

  it('can be deleted only after a recent confirmation', async () => {
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

  it('is exported as one file with rows and recordings', async () => {
    const laptop = await open();
    await startPractice(laptop);
    const { file, bytes } = await laptop.ask.account.exportAll();
    const written = readFileSync(file);
    expect(written.byteLength).toBe(bytes);
    const entries = unzipSync(written);
    const text = (name: string): string => new TextDecoder().decode(entries[name]);
    expect(JSON.parse(text('data/practice_history.json'))).toHaveLength(1);
    expect(text('data/practice_history.csv').split('\r\n')[0]).toContain('practiceId');
    expect(text('READ ME.txt')).toContain('Your data');
  });
});

describe('a server that grants access per learner', () => {
  beforeAll(() => start('granted'));
  afterAll(() => server.close());

  const setAccess = (hasAccess: boolean): Promise<void> =>
    server.execute(sql`update users set has_access = ${hasAccess}, access_date = now() where email = ${email}`);

  it('requires sign-in for a model coach but not for a guided practice', async () => {
    const laptop = await open();
    expect(await startPractice(laptop)).toMatchObject({ phase: 'learner_turn' });
    expect(await laptop.ask.account.state()).toMatchObject({ liveAccess: 'sign_in', isSignedOut: false });
    await expect(startPractice(laptop, 'model')).rejects.toMatchObject({ code: 'auth.required' });
  });

  it('reports that a model coach awaits access; guided practice still works', async () => {
    const laptop = await open();
    const before = await startPractice(laptop);
    expect(await signIn(laptop)).toMatchObject({
      liveAccess: 'waiting',
      known: { account: { hasAccess: false, mustBeGranted: true } },
    });
    const waiting = await startPractice(laptop);
    expect(waiting.phase).toBe('learner_turn');
    await expect(startPractice(laptop, 'model')).rejects.toMatchObject({ code: 'access.required' });
    expect(await listSessionIds(laptop)).toEqual([before.sessionId, waiting.sessionId].toSorted());
    const { known } = await laptop.ask.account.requestAccess();
    expect(known?.account.waitingSince).not.toBeNull();
  });

  it('allows a model coach immediately after access is granted', async () => {
    const laptop = await open();
    await signIn(laptop);
    await setAccess(true);
    expect(await startPractice(laptop, 'model')).toMatchObject({ phase: 'coach_turn' });
  });

  it('allows guided practice without access and after weeks offline', async () => {
    const laptop = await open();
    await signIn(laptop);
    await setAccess(true);
    expect(await laptop.ask.account.state()).toMatchObject({ liveAccess: 'granted' });
    server.fail = 'internal';
    try {
      clock.pass(71 * 3_600_000);
      expect(await startPractice(laptop, 'model')).toMatchObject({ phase: 'coach_turn' });
      clock.pass(30 * 86_400_000);
      await expect(startPractice(laptop, 'model')).rejects.toMatchObject({ code: 'access.unconfirmed' });
      expect(await startPractice(laptop)).toMatchObject({ phase: 'learner_turn' });
    } finally {
      server.fail = null;
    }
    await setAccess(false);
    expect(await laptop.ask.account.state()).toMatchObject({ liveAccess: 'waiting' });
    expect(await startPractice(laptop)).toMatchObject({ phase: 'learner_turn' });
  });

  it('shows no pending access after sign-out, even after an offline restart', async () => {
    const laptop = await open();
    await signIn(laptop);
    expect(await laptop.ask.account.signOut()).toMatchObject({ isSignedOut: true, liveAccess: 'sign_in' });
    expect(await startPractice(laptop)).toMatchObject({ phase: 'learner_turn' });
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

  it('reports that access was revoked, with the reason', async () => {
    const laptop = await open();
    await signIn(laptop);
    await server.execute(sql`
      with who as (update users set has_access = false, access_date = now() where email = ${email} returning user_id)
      insert into audit_log (id, at, subject_id, act, reason)
      select gen_random_uuid(), ${clock.now().toISOString()}, user_id, 'access_revoked', 'The pilot is over' from who`);
    const { known, liveAccess } = await laptop.ask.account.state();
    expect(liveAccess).toBe('taken');
    expect(known?.account).toMatchObject({ hasAccess: false, accessTaken: { reason: 'The pilot is over' } });
    await expect(startPractice(laptop, 'model')).rejects.toMatchObject({ code: 'access.taken' });
    expect(await startPractice(laptop)).toMatchObject({ phase: 'learner_turn' });
  });
});
