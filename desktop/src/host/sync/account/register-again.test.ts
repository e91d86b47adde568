/** A device that returns: to a restored server that has forgotten it, or to an account it was signed out of. */
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { untilSynced, typeTurns, learnerTexts, sessionIdsOf, identityOf } from '../../test-kit/devices.ts';
import { setUpSignIn } from '../../test-kit/sign-in-scene.ts';
import type { OpenHost } from '../../test-kit/open-host.ts';
import { readOutbox } from '../../test-kit/read-database.ts';

const scene = setUpSignIn();
const { clock, devices, mailbox, signedIn, erase } = scene;

/** Restores the server's database to a time before this learner existed. */
async function eraseFromServer(userId: string): Promise<void> {
  const tables = [
    'ai_conversations',
    'feedback_details',
    'practice_history',
    'user_course_interaction',
    'coach_assignment_history',
    'enrollments',
    'pronunciation_improvement_summary',
  ];
  for (const table of tables)
    await scene.server.execute(sql`delete from ${sql.identifier(table)} where user_id = ${userId}`);
  await scene.server.execute(sql`delete from devices where user_id = ${userId}`);
  await scene.server.execute(sql`delete from sync_scopes where scope = ${`user:${userId}`}`);
  await scene.server.execute(sql`delete from users where user_id = ${userId}`);
}

describe('a device that a restored server has forgotten', () => {
  it('registers again under the same ids and restores all its data', async () => {
    const one = await devices.open();
    const confirmed = await typeTurns(one, 'bananas that the server had');
    await one.ask.settings.updateProfile({ firstName: 'Ana', jobTitle: 'Planner' });
    await untilSynced(one);
    const discarded = await typeTurns(one, 'bananas that were thrown away');
    await untilSynced(one);
    await one.ask.practice.discard({ sessionId: discarded });
    await untilSynced(one);
    scene.server.fail = 'sync.offline';
    const unsent = await typeTurns(one, 'bananas that were never sent');
    await one.ask.practice.sendTyped({ sessionId: confirmed, text: 'more bananas', hintLevel: 0 });
    await one.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    const before = identityOf(one);
    await eraseFromServer(before.userId);
    scene.server.fail = null;

    await untilSynced(one);
    expect(identityOf(one)).toEqual(before);
    expect(readOutbox(one.dataDir)).toEqual([]);
    const two = await devices.openJoined(one);
    for (const device of [one, two]) {
      expect(await sessionIdsOf(device)).toEqual([confirmed, unsent].toSorted());
      expect(await learnerTexts(device, confirmed)).toEqual(['bananas that the server had', 'more bananas']);
      expect(await learnerTexts(device, unsent)).toEqual(['bananas that were never sent']);
      expect((await device.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', jobTitle: 'Nurse' });
    }
  });

  it('waits for its owner if its account has an e-mail', async () => {
    const laptop = await signedIn();
    const confirmed = await typeTurns(laptop, 'bananas');
    await untilSynced(laptop);
    const { deviceId } = identityOf(laptop);
    await scene.server.execute(sql`delete from devices where device_id = ${deviceId}`);
    const unsent = await typeTurns(laptop, 'more bananas');
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'signed_out' });
    expect((await laptop.ask.sync.status()).waiting).toBeGreaterThan(0);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    expect(await sessionIdsOf(laptop)).toEqual([confirmed, unsent].toSorted());
  });
});

describe('a device whose account was erased on request', () => {
  const rowsOf = async (userId: string): Promise<unknown> =>
    (
      await scene.server.read(sql`select (select count(*) from users where user_id = ${userId})
        + (select count(*) from practice_history where user_id = ${userId}) as rows`)
    )[0]?.['rows'];

  it('does not restore the account, but keeps the work and takes it to a new account', async () => {
    const laptop = await devices.open();
    const session = await typeTurns(laptop, 'bananas');
    await untilSynced(laptop);
    const { userId } = identityOf(laptop);
    await erase(userId);
    const unsent = await typeTurns(laptop, 'more bananas');
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'signed_out' });
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'signed_out' });
    expect(await rowsOf(userId)).toBe(0);
    expect(await sessionIdsOf(laptop)).toEqual([session, unsent].toSorted());
    // Signing in is the learner's own decision to have an account again.
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    expect(await rowsOf(userId)).toBe(0);
    const phone = await signedIn();
    await untilSynced(phone);
    expect(await sessionIdsOf(phone)).toHaveLength(2);
  });

  it('does not restore the account on a restored server that has forgotten the erasure', async () => {
    const laptop = await devices.open();
    await typeTurns(laptop, 'bananas');
    await untilSynced(laptop);
    const { userId } = identityOf(laptop);
    const at = new Date(clock.now().getTime() + 30 * 24 * 3_600_000);
    await scene.server.execute(
      sql`insert into account_deletions (user_id, requested_at, erase_at) values (${userId}, ${clock.now()}, ${at})`,
    );
    expect((await laptop.ask.account.state()).known?.account.eraseAt).toBe(at.toISOString());
    await scene.server.execute(sql`delete from account_deletions`);
    await eraseFromServer(userId);
    clock.pass(31 * 24 * 3_600_000);
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'signed_out' });
    expect(await rowsOf(userId)).toBe(0);
  });
});

describe('another learner who signs in on a device', () => {
  const parked = ({ dataDir }: OpenHost): unknown[] => readOutbox(dataDir).filter((row) => row.parkedFor !== null);

  it('keeps the former learner’s rows that a restored server has lost', async () => {
    const laptop = await signedIn();
    const early = await typeTurns(laptop, 'bananas that the backup has');
    await untilSynced(laptop);
    const late = await typeTurns(laptop, 'bananas that the backup lacks');
    await laptop.ask.settings.updateProfile({ firstName: 'Ana' });
    await untilSynced(laptop);
    const { deviceId, userId } = identityOf(laptop);
    await scene.server.execute(sql`delete from ai_conversations where session_id = ${late}`);
    await scene.server.execute(sql`delete from practice_history where id = ${late}`);
    await scene.server.execute(sql`update users set first_name = null, field_clocks = '{}' where user_id = ${userId}`);
    await scene.server.execute(sql`delete from devices where device_id = ${deviceId}`);
    await scene.server.execute(sql`update server_state set epoch = ${crypto.randomUUID()}`);
    // Her other device continues with the restored server's data.
    clock.pass(60_000);
    const phone = await signedIn();
    await phone.ask.settings.updateProfile({ lastName: 'Novak' });
    await phone.ask.practice.discard({ sessionId: early });
    await untilSynced(phone);

    await mailbox.signIn(laptop, `other-${scene.email}`);
    await untilSynced(laptop);
    expect(await sessionIdsOf(laptop)).toEqual([]);
    expect((await laptop.ask.settings.read()).profile.firstName).toBeNull();
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop, phone);
    for (const device of [laptop, phone]) {
      expect(await sessionIdsOf(device)).toEqual([late]);
      expect(await learnerTexts(device, late)).toEqual(['bananas that the backup lacks']);
      expect((await device.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', lastName: 'Novak' });
    }
    expect(readOutbox(laptop.dataDir)).toEqual([]);
  });

  it.each([
    ['signed out', true],
    ['is still signed in', false],
  ])('parks nothing that the server holds after the former one %s', async (_how, signsOut) => {
    const laptop = await signedIn();
    const confirmed = await typeTurns(laptop, 'bananas');
    await untilSynced(laptop);
    if (signsOut) await laptop.ask.account.signOut();
    await mailbox.signIn(laptop, `other-${scene.email}`);
    expect(parked(laptop)).toEqual([]);
    await mailbox.signIn(laptop, scene.email);
    expect(await sessionIdsOf(laptop)).toEqual([confirmed]);
  });
});

describe('signing in again to the same account', () => {
  /** Creates two devices of one account and signs the laptop out. */
  async function aSignedOutLaptop() {
    const laptop = await signedIn();
    const phone = await signedIn();
    const [kept, discarded] = [
      await typeTurns(laptop, 'bananas to keep'),
      await typeTurns(laptop, 'bananas to discard'),
    ];
    await laptop.ask.settings.updateProfile({ firstName: 'Ana', jobTitle: 'Planner' });
    await untilSynced(laptop, phone);
    await laptop.ask.account.signOut();
    return { laptop, phone, kept, discarded };
  }

  it('keeps deletions made meanwhile and sends unsent work', async () => {
    const { laptop, phone, kept, discarded } = await aSignedOutLaptop();
    clock.pass(60_000);
    await phone.ask.practice.discard({ sessionId: discarded });
    await phone.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    await untilSynced(phone);
    const unsent = await typeTurns(laptop, 'bananas that were never sent');
    await laptop.ask.practice.sendTyped({ sessionId: kept, text: 'more bananas', hintLevel: 0 });
    await laptop.ask.settings.updateProfile({ lastName: 'Novak' });
    clock.pass(60_000);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop, phone);
    for (const device of [laptop, phone]) {
      expect(await sessionIdsOf(device)).toEqual([kept, unsent].toSorted());
      expect(await learnerTexts(device, kept)).toEqual(['bananas to keep', 'more bananas']);
      expect(await learnerTexts(device, unsent)).toEqual(['bananas that were never sent']);
      expect((await device.ask.settings.read()).profile).toMatchObject({
        firstName: 'Ana',
        lastName: 'Novak',
        jobTitle: 'Nurse',
      });
    }
  });

  it('keeps a deletion made while signed out', async () => {
    const { laptop, phone, kept, discarded } = await aSignedOutLaptop();
    await laptop.ask.practice.discard({ sessionId: discarded });
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop, phone);
    for (const device of [laptop, phone]) expect(await sessionIdsOf(device)).toEqual([kept]);
  });

  it('does not revive rows whose deletion the server has purged', async () => {
    const { laptop, phone, kept, discarded } = await aSignedOutLaptop();
    await phone.ask.practice.discard({ sessionId: discarded });
    await untilSynced(phone);
    // After half a year, only the purge floor remains of the deletion.
    const scope = `user:${identityOf(phone).userId}`;
    await scene.server.execute(sql`delete from ai_conversations where session_id = ${discarded}`);
    await scene.server.execute(sql`delete from practice_history where id = ${discarded}`);
    await scene.server.execute(sql`update sync_scopes set floor = version where scope = ${scope}`);
    const unsent = await typeTurns(laptop, 'bananas that were never sent');
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop, phone);
    for (const device of [laptop, phone]) expect(await sessionIdsOf(device)).toEqual([kept, unsent].toSorted());
  });

  it('restores rows that a restored server has lost', async () => {
    const { laptop, phone, kept, discarded } = await aSignedOutLaptop();
    await scene.server.execute(sql`delete from ai_conversations where session_id = ${kept}`);
    await scene.server.execute(sql`delete from practice_history where id = ${kept}`);
    await scene.server.execute(sql`update server_state set epoch = ${crypto.randomUUID()}`);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop, phone);
    for (const device of [laptop, phone]) {
      expect(await sessionIdsOf(device)).toEqual([kept, discarded].toSorted());
      expect(await learnerTexts(device, kept)).toEqual(['bananas to keep']);
    }
  });
});
