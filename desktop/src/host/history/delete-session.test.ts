import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aClock, anAssessment, aScriptedScorer, openHost, sendRecordedTurn } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { LATE_DELIVERY } from '../test-kit/test-catalogue.ts';

const DAY_MS = 86_400_000;
const page = { search: '', offset: 0, limit: 10 };

it('deletes a session with its words, and brings everything back', async () => {
  const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => 30) });
  const { ask, host } = await openHost({ scorer });
  const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'audio' } as const;
  const { sessionId } = await ask.practice.start(start);
  await sendRecordedTurn(ask, sessionId);
  await expect(ask.history.remove({ sessionId })).rejects.toMatchObject({ code: 'session.not_found' });
  const result = await ask.practice.finish({ sessionId });
  const { words } = await ask.review.words({ search: '' });
  expect(words.length).toBeGreaterThan(0);

  await ask.history.remove({ sessionId });
  expect(await ask.history.list(page)).toEqual({ items: [], total: 0, unsearched: 0 });
  expect((await ask.review.words({ search: '' })).words).toEqual([]);

  await ask.history.restore({ sessionId });
  expect((await ask.history.list(page)).items.map((item) => item.sessionId)).toEqual([sessionId]);
  expect(await ask.practice.result({ sessionId })).toEqual(result);
  expect((await ask.review.words({ search: '' })).words).toEqual(words);
  await host.close();
});

it('erases the recordings and the draft of a deleted session after a week, and not before', async () => {
  const clock = aClock();
  const { ask, host, dataDir } = await openHost({ clock });
  const recorded = (): string[] =>
    readdirSync(join(dataDir, 'recordings'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:wav|opus|new|part)$/.test(name),
    );
  const drafts = (): unknown[] =>
    inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT text FROM session_drafts').pluck().all());
  const start = { practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle: 'audio' } as const;
  const { sessionId } = await ask.practice.start(start);
  const { recordingId } = await sendRecordedTurn(ask, sessionId);
  // What a device that is offline or was killed leaves of a copy for the server.
  mkdirSync(join(dataDir, 'recordings', 'uploads'));
  for (const ending of ['opus', 'opus.new'])
    writeFileSync(join(dataDir, 'recordings', 'uploads', `${recordingId}.${ending}`), 'encoded');
  mkdirSync(join(dataDir, 'recordings', 'copies'));
  writeFileSync(
    join(dataDir, 'recordings', 'copies', `${'a'.repeat(64)}.part`),
    'half a copy that the list has dropped',
  );
  await ask.practice.keepDraft({ sessionId, text: 'And th' });
  await ask.practice.finish({ sessionId });
  await ask.history.remove({ sessionId });
  await host.close();

  const reopen = async (): Promise<void> => {
    const again = await openHost({ clock, dataDir });
    await again.host.whenIdle();
    await again.host.close();
  };
  clock.pass(6 * DAY_MS);
  await reopen();
  expect(recorded()).toHaveLength(3);
  expect(drafts()).toEqual(['And th']);
  clock.pass(2 * DAY_MS);
  await reopen();
  expect(recorded()).toEqual([]);
  expect(drafts()).toEqual([]);
});
