import { describe, expect, it } from 'vitest';
import { LATE_REPLY } from '../../test-kit/test-catalogue.ts';
import { aClock, aDataFolder, openHost, sendRecordedTurn, startPractice } from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../../test-kit/read-database.ts';

/**
 * Creates a session as stored by a version without turn rows: the conversation in one field, and rows with bare text.
 */
async function aFolderWithoutTurnRows() {
  const { host, ask, dataDir } = await openHost();
  const { sessionId } = await startPractice(ask, 'audio');
  await sendRecordedTurn(ask, sessionId);
  await ask.practice.sendTyped({ sessionId, text: LATE_REPLY, hintLevel: 2 });
  const before = await ask.practice.session({ sessionId });
  await host.close();
  inDatabase(dataDir, (sqlite) =>
    sqlite.exec(`UPDATE ai_conversations SET session_id = NULL, previous_turn_id = NULL, said_at = NULL, node = NULL, kind = NULL,
        mode = NULL, fitted = 1, recording_id = NULL, hint_level = 0, assessment = NULL;
      DELETE FROM ai_conversations WHERE content = '${LATE_REPLY}' AND rowid = (SELECT max(rowid) FROM ai_conversations WHERE content = '${LATE_REPLY}');
      UPDATE sync_state SET own_schema = NULL, user_cursor = 7, catalogue_cursor = 3;`),
  );
  return { dataDir, sessionId, before };
}

describe('a data folder without turn rows', () => {
  it('keeps every turn with all its details and pulls everything again', async () => {
    const { dataDir, sessionId, before } = await aFolderWithoutTurnRows();
    const outbox = readOutbox(dataDir).length;
    const { host, ask } = await openHost({ dataDir });
    expect((await ask.practice.session({ sessionId })).turns).toEqual(before.turns);
    const [rows, cursors] = inDatabase(dataDir, (sqlite) => [
      sqlite.prepare('SELECT count(*) FROM ai_conversations WHERE session_id IS NOT NULL').pluck().get(),
      sqlite.prepare('SELECT user_cursor, catalogue_cursor FROM sync_state').get(),
    ]);
    expect(rows).toBe(before.turns.length);
    expect(cursors).toEqual({ user_cursor: 0, catalogue_cursor: 0 });
    // The server migrates its own copy in the same way, so nothing has to be sent.
    expect(readOutbox(dataDir)).toHaveLength(outbox);
    await host.close();
  });

  it('is migrated only once', async () => {
    const { dataDir } = await aFolderWithoutTurnRows();
    await (await openHost({ dataDir })).host.close();
    inDatabase(dataDir, (sqlite) => sqlite.exec('UPDATE sync_state SET user_cursor = 9'));
    await (await openHost({ dataDir })).host.close();
    const cursor = inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT user_cursor FROM sync_state').pluck().get());
    expect(cursor).toBe(9);
  });
});

describe('a data folder whose words were computed by other rules', () => {
  it.each([
    ['without states', "substr(own_schema, 1, instr(own_schema, '+') - 1)"],
    ['of another version', "own_schema || '0'"],
  ])('(%s) shows the words that these hid, and pulls nothing again', async (_, schema) => {
    const dataDir = aDataFolder();
    const clock = aClock();
    const yearMs = 365 * 24 * 3_600_000;
    clock.pass(yearMs);
    const ahead = await openHost({ dataDir, clock });
    await ahead.ask.review.add({ word: 'thorough', sentence: 'A thorough plan.' });
    await ahead.host.close();
    clock.pass(-yearMs);
    inDatabase(dataDir, (sqlite) =>
      sqlite.exec(`UPDATE word_cards SET state = NULL; UPDATE sync_state SET user_cursor = 9, own_schema = ${schema}`),
    );

    const { host, ask } = await openHost({ dataDir, clock });
    expect((await ask.review.due()).cards.map(({ word }) => word)).toEqual(['thorough']);
    await host.close();
    const cursor = inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT user_cursor FROM sync_state').pluck().get());
    expect(cursor).toBe(9);
  });
});
