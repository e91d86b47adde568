import { expect, it } from 'vitest';
import { aClock, openHost, startPractice } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';
import { APOLOGISE, LATE_DELIVERY, LATE_REPLY, NAME_THE_DELAY, testId } from '../../test-kit/test-catalogue.ts';

const DAY_MS = 86_400_000;

/**
 * A session in which the first of its two objectives was proved, and the changes that the school makes to the practice
 * a day later.
 */
async function anEndedSession() {
  const clock = aClock();
  const { ask, host, dataDir } = await openHost({ clock });
  const { sessionId } = await startPractice(ask, 'text');
  await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 0 });
  await ask.practice.finish({ sessionId });
  clock.pass(DAY_MS);
  const nowMs = clock.now().getTime();
  const change = (statement: string, ...values: unknown[]): void =>
    inDatabase(dataDir, (sqlite) => void sqlite.prepare(statement).run(...values));
  return {
    result: async () => {
      const { objectives } = (await ask.practice.result({ sessionId })).session;
      return objectives.map(({ objectiveId, provedBy }) => [objectiveId, provedBy]);
    },
    remove: (objectiveId: string) =>
      change('UPDATE practice_objectives SET deleted_at = ? WHERE objective_id = ?', nowMs, objectiveId),
    add: (objectiveId: string) => {
      change(
        `INSERT INTO objectives (objective_id, description, key, created_at, updated_at, sync_version)
         VALUES (?, 'Offer help.', 'offer-help', ?, ?, 1)`,
        objectiveId,
        nowMs,
        nowMs,
      );
      change(
        `INSERT INTO practice_objectives (practice_objective_id, practice_id, objective_id, position, created_at,
           updated_at, sync_version) VALUES (?, ?, ?, 3, ?, ?, 1)`,
        testId(901),
        LATE_DELIVERY,
        objectiveId,
        nowMs,
        nowMs,
      );
    },
    /** As if a server sent the whole practice after the session, with its own dates. */
    installAgain: () => {
      change('UPDATE practices SET created_at = ?', nowMs);
      change('UPDATE practice_objectives SET created_at = ?', nowMs);
    },
    session: async () => (await startPractice(ask, 'text')).objectives.map(({ objectiveId }) => objectiveId),
    close: () => host.close(),
  };
}

const AT_THE_END = [
  [NAME_THE_DELAY, 'two days late'],
  [APOLOGISE, null],
];

it('a result keeps the objectives that the school has removed since', async () => {
  const ended = await anEndedSession();
  ended.remove(NAME_THE_DELAY);
  ended.remove(APOLOGISE);
  expect(await ended.result()).toEqual(AT_THE_END);
  await ended.close();
});

it('a result does not show objectives that the school has added since, and a new session does', async () => {
  const ended = await anEndedSession();
  ended.add(testId(900));
  expect(await ended.result()).toEqual(AT_THE_END);
  expect(await ended.session()).toEqual([NAME_THE_DELAY, APOLOGISE, testId(900)]);
  await ended.close();
});

it('a result keeps its objectives when a server sends the practice again', async () => {
  const ended = await anEndedSession();
  ended.installAgain();
  expect(await ended.result()).toEqual(AT_THE_END);
  await ended.close();
});
