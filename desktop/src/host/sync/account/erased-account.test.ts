/**
 * Work parked on this computer for an account that was erased. The learner gets it back with the next account of the
 * same address.
 */
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import {
  join,
  learnerTexts,
  sessionIdsOf,
  speakTurn,
  typeTurns,
  untilSynced,
  userIdOf,
} from '../../test-kit/devices.ts';
import { anAssessment, aScriptedScorer, type OpenHost, voiceLikePcm } from '../../test-kit/open-host.ts';
import { readOutbox } from '../../test-kit/read-database.ts';
import { setUpSignIn } from '../../test-kit/sign-in-scene.ts';

const scene = setUpSignIn();
const { devices, mailbox, signedIn, erase } = scene;

const textsOf = async (device: OpenHost): Promise<string[]> => {
  const texts: string[] = [];
  for (const sessionId of await sessionIdsOf(device)) texts.push(...(await learnerTexts(device, sessionId)));
  return texts.toSorted();
};

async function drill({ ask }: OpenHost, text: string): Promise<void> {
  const { turnId } = await ask.drill.begin({ text, other: null });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(200)]) });
  await ask.drill.finish({ turnId });
}

const parkedOn = ({ dataDir }: OpenHost): unknown[] => readOutbox(dataDir).filter((row) => row.parkedFor !== null);

describe('the work of a learner whose account was erased', () => {
  it('is there after joining their next account with a code', async () => {
    const laptop = await signedIn();
    await typeTurns(laptop, 'bananas that the server had');
    const { recordingId } = await speakTurn(laptop);
    await untilSynced(laptop);
    await erase(userIdOf(laptop));
    await typeTurns(laptop, 'bananas that were never sent');
    const phone = await signedIn();
    await typeTurns(phone, 'bananas of the new account');

    await join(laptop, phone);
    await untilSynced(laptop, phone);
    expect(userIdOf(laptop)).toBe(userIdOf(phone));
    expect(await textsOf(laptop)).toEqual(expect.arrayContaining(['bananas of the new account']));
    for (const device of [laptop, phone]) {
      expect(await sessionIdsOf(device)).toHaveLength(4);
      expect(await textsOf(device)).toEqual(
        expect.arrayContaining([
          'bananas of the new account',
          'bananas that the server had',
          'bananas that were never sent',
        ]),
      );
    }
    expect((await laptop.ask.recordings.read({ recordingId })).size).toBeGreaterThan(44);
    expect(readOutbox(laptop.dataDir)).toEqual([]);
  });

  it('waits while someone else uses the computer, and shows after signing in with the same address', async () => {
    const laptop = await signedIn();
    await laptop.ask.account.signOut();
    const waiting = await typeTurns(laptop, 'bananas that were never sent');
    const former = userIdOf(laptop);
    const other = await signedIn(`other-${scene.email}`);
    await join(laptop, other);
    await erase(former);
    expect(await sessionIdsOf(laptop)).toEqual([]);
    await untilSynced(laptop);
    expect(parkedOn(laptop)).not.toEqual([]);

    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    expect(userIdOf(laptop)).not.toBe(former);
    expect(await textsOf(laptop)).toEqual(['bananas that were never sent']);
    // Nothing of it stays on the other learner's device.
    await untilSynced(other);
    expect(await sessionIdsOf(other)).toEqual([]);
    expect(await sessionIdsOf(laptop)).not.toContain(waiting);
    expect(parkedOn(laptop)).toEqual([]);
  });

  it('includes a session that the server had, if something was said in it since', async () => {
    const laptop = await signedIn();
    const sessionId = await typeTurns(laptop, 'bananas that the server had');
    await untilSynced(laptop);
    await laptop.ask.account.signOut();
    await laptop.ask.practice.sendTyped({ sessionId, text: 'bananas said since', hintLevel: 0 });
    const former = userIdOf(laptop);
    await join(laptop, await signedIn(`other-${scene.email}`));
    await erase(former);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    expect(await textsOf(laptop)).toEqual(['bananas said since', 'bananas that the server had']);
  });

  it('includes words added to a list that was erased', async () => {
    const laptop = await devices.open({ scorer: aScriptedScorer({ assess: (text) => anAssessment(text, () => 20) }) });
    await mailbox.signIn(laptop, scene.email);
    await drill(laptop, 'strengths');
    await untilSynced(laptop);
    await laptop.ask.account.signOut();
    await drill(laptop, 'schedule');
    const former = userIdOf(laptop);
    await join(laptop, await signedIn(`other-${scene.email}`));
    await erase(former);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    const { wordsToTrain } = await laptop.ask.today.overview();
    expect(wordsToTrain.map(({ word }) => word)).toEqual(['schedule']);
    const [list] = await scene.server.read(
      sql`select words -> 0 ->> 'word' as word from pronunciation_improvement_summary where user_id = ${userIdOf(laptop)}`,
    );
    expect(list).toEqual({ word: 'schedule' });
  });

  it('is not given to another learner to whom an admin has given the address, on the computer where it is', async () => {
    const laptop = await signedIn();
    const mine = await typeTurns(laptop, 'bananas of the first learner');
    await untilSynced(laptop);
    await scene.server.execute(sql`update users set email = ${`right-${scene.email}`} where email = ${scene.email}`);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    expect(await sessionIdsOf(laptop)).toEqual([]);
    await mailbox.signIn(laptop, `right-${scene.email}`);
    await untilSynced(laptop);
    expect(await sessionIdsOf(laptop)).toEqual([mine]);
  });

  it('does not go to a learner who was given the address before the account was erased', async () => {
    const laptop = await signedIn();
    await laptop.ask.account.signOut();
    await typeTurns(laptop, 'bananas of the first learner');
    const former = userIdOf(laptop);
    await scene.server.execute(sql`update users set email = ${`right-${scene.email}`} where email = ${scene.email}`);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    await erase(former);
    await untilSynced(laptop);
    expect(await sessionIdsOf(laptop)).toEqual([]);
    expect(parkedOn(laptop)).not.toEqual([]);
  });

  it('does not go to another learner who was given the address of an account that is still in use', async () => {
    const laptop = await signedIn();
    await laptop.ask.account.signOut();
    await typeTurns(laptop, 'bananas that were never sent');
    const other = await signedIn(`other-${scene.email}`);
    await join(laptop, other);
    // An admin swaps the addresses of two learners.
    await scene.server.execute(sql`update users set email = ${`right-${scene.email}`} where email = ${scene.email}`);
    await mailbox.signIn(laptop, scene.email);
    await untilSynced(laptop);
    expect(await sessionIdsOf(laptop)).toEqual([]);
    await mailbox.signIn(laptop, `right-${scene.email}`);
    await untilSynced(laptop);
    expect(await textsOf(laptop)).toEqual(['bananas that were never sent']);
  });
});
