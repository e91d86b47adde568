import { SessionId } from '@parley/domain';
import { expect, it } from 'vitest';
import { aClock, openHost } from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';
import { COACH, LATE_DELIVERY, testId } from '../../test-kit/test-catalogue.ts';

it('a result shows the scores of the same practice before it, without those of deleted sessions', async () => {
  const clock = aClock();
  const { ask, host, dataDir } = await openHost({ clock });
  const score = (number: number, value: number | null, deletedAt: number | null = null): void =>
    inDatabase(dataDir, (sqlite) => {
      const at = clock.now().getTime() + number;
      sqlite
        .prepare(
          `INSERT INTO practice_history (id, practice_id, user_id, agent_id, created_at, updated_at, deleted_at, sync_version, score,
             entire_conversation, completed_objectives, duration, communication_style, status, difficulty)
           SELECT ?, ?, user_id, ?, ?, ?, ?, 0, ?, '[]', '[]', 300, 'audio', 'completed', 'easy' FROM sync_state`,
        )
        .run(testId(400 + number), LATE_DELIVERY, COACH, at, at, deletedAt, value);
    });
  score(1, 74);
  score(2, null);
  score(3, 20, clock.now().getTime());
  score(4, 79);
  score(5, 86);
  const resultOf = (number: number) => ask.practice.result({ sessionId: SessionId.parse(testId(400 + number)) });
  expect(await resultOf(5)).toMatchObject({ overall: 86, earlierScores: [74, 79] });
  expect(await resultOf(1)).toMatchObject({ overall: 74, earlierScores: [] });
  await host.close();
});
