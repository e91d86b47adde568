/** A sign-in whose move to the account fails, or is interrupted by a crash, after the token was stored. */
import { describe, expect, it } from 'vitest';
import { sessionIdsOf, typeTurns, untilSynced, userIdOf } from '../../test-kit/devices.ts';
import { setUpSignIn } from '../../test-kit/sign-in-scene.ts';
import type { OpenHost } from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../../test-kit/read-database.ts';

const scene = setUpSignIn();
const { devices, mailbox, signedIn, erase } = scene;

const parkedOn = ({ dataDir }: OpenHost): unknown[] => readOutbox(dataDir).filter((row) => row.parkedFor !== null);

/** Makes each move to another account fail, as on a full disk, until the returned function is called. */
function preventMoves({ dataDir }: OpenHost): () => void {
  inDatabase(dataDir, (sqlite) =>
    sqlite.exec(
      `CREATE TRIGGER no_moves BEFORE UPDATE OF user_id, device_id ON sync_state BEGIN SELECT raise(ABORT, 'no room'); END`,
    ),
  );
  return () => inDatabase(dataDir, (sqlite) => sqlite.exec('DROP TRIGGER no_moves'));
}

/** Signs in, but stops before the device has moved to the account. */
async function signInOnly(one: OpenHost, address: string): Promise<() => void> {
  const allowMoves = preventMoves(one);
  await expect(mailbox.signIn(one, address)).rejects.toThrow();
  return allowMoves;
}

describe('an interrupted sign-in with the address of an erased account', () => {
  async function anErasedLearner(): Promise<{ laptop: OpenHost; erased: string }> {
    const laptop = await signedIn();
    await typeTurns(laptop, 'bananas');
    await untilSynced(laptop);
    const erased = userIdOf(laptop);
    await erase(erased);
    return { laptop, erased };
  }

  it.each([
    ['the app was killed', true],
    ['the move failed', false],
  ])('moves all work to the new account after %s', async (_why, isKilled) => {
    const { laptop, erased } = await anErasedLearner();
    const allowMoves = await signInOnly(laptop, scene.email);
    if (isKilled) {
      await devices.close(laptop);
    }
    allowMoves();
    const later = isKilled ? await devices.open({ dataDir: laptop.dataDir }) : laptop;
    await untilSynced(later);
    expect(userIdOf(later)).not.toBe(erased);
    expect(parkedOn(later)).toEqual([]);
    expect(await sessionIdsOf(later)).toHaveLength(1);
    const phone = await signedIn();
    await untilSynced(phone);
    expect(await sessionIdsOf(phone)).toEqual(await sessionIdsOf(later));
  });

  it('moves all work although the account was never viewed', async () => {
    const { laptop } = await anErasedLearner();
    inDatabase(laptop.dataDir, (sqlite) => sqlite.exec('DELETE FROM known_account'));
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    expect(parkedOn(laptop)).toEqual([]);
    expect(await sessionIdsOf(laptop)).toHaveLength(1);
  });
});

describe('an interrupted sign-in of another learner', () => {
  it('gives the newcomer nothing, and parks nothing that the server has', async () => {
    const laptop = await signedIn();
    const session = await typeTurns(laptop, 'bananas');
    await untilSynced(laptop);
    const former = userIdOf(laptop);
    const allowMoves = await signInOnly(laptop, `other-${scene.email}`);
    const reopenedLaptop = await devices.reopen(laptop);
    // The server's response about the new account must not be applied to the former one.
    await reopenedLaptop.ask.account.state();
    await reopenedLaptop.ask.sync.run();
    expect(userIdOf(reopenedLaptop)).toBe(former);
    allowMoves();
    await untilSynced(reopenedLaptop);
    expect(userIdOf(reopenedLaptop)).not.toBe(former);
    expect(await sessionIdsOf(reopenedLaptop)).toEqual([]);
    expect(parkedOn(reopenedLaptop)).toEqual([]);
    await mailbox.signIn(reopenedLaptop, scene.email);
    expect(await sessionIdsOf(reopenedLaptop)).toEqual([session]);
  });
});

describe('a move that fails at each start', () => {
  it('opens the app with the work as it was, reports it, and moves the work when it can', async () => {
    const phone = await signedIn();
    const laptop = await devices.open();
    const session = await typeTurns(laptop, 'bananas');
    await untilSynced(laptop);
    const allowMoves = await signInOnly(laptop, scene.email);
    expect(await laptop.ask.sync.status()).toMatchObject({ state: 'not_moved' });
    const restarted = await devices.reopen(laptop);
    expect(await restarted.ask.sync.run()).toMatchObject({ state: 'not_moved', isMoveOffline: false });
    expect(await sessionIdsOf(restarted)).toEqual([session]);
    const later = await typeTurns(restarted, 'bananas of a later day');
    expect(await sessionIdsOf(restarted)).toEqual([session, later].toSorted());
    allowMoves();
    await untilSynced(restarted, phone);
    expect(userIdOf(restarted)).toBe(userIdOf(phone));
    expect(await sessionIdsOf(phone)).toHaveLength(2);
  });
});
