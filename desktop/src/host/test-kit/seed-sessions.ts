/** Fills a device with years of sessions, for tests and benchmarks of long lists. */
import { SessionId, TurnId } from '@parley/domain';
import { COACH, LATE_DELIVERY, testId } from './test-catalogue.ts';
import { anAssessment } from './open-host.ts';
import { inDatabase } from './read-database.ts';

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');

export const seededSessionId = (index: number): SessionId => SessionId.parse(testId(1_000_000 + index));

/** Creates a conversation of realistic length with scores. Each one contains its own number. */
function aConversation(index: number): string {
  const text = `Session ${index} was about a parcel that came ${index === 4_321 ? 'from Reykjavík' : 'late'}, and we were sorry.`;
  const turn = (at: number) => ({
    role: 'learner',
    turnId: TurnId.parse(testId(10_000_000 + index * 10 + at)),
    at: '2026-01-01T00:00:00.000Z',
    text,
    mode: 'voice',
    node: 'opening',
    fitted: true,
    recordingId: null,
    assessment: anAssessment(text),
    hintLevel: 0,
  });
  return JSON.stringify([turn(0), turn(1), turn(2), turn(3)]);
}

export function seedSessions(dataDir: string, count: number, { from = 0 }: { from?: number } = {}): void {
  inDatabase(dataDir, (sqlite) => {
    const insert = sqlite.prepare(
      `INSERT INTO practice_history (id, practice_id, user_id, agent_id, created_at, updated_at, sync_version, score,
         entire_conversation, completed_objectives, duration, communication_style, status, difficulty)
       SELECT ?, ?, user_id, ?, ?, ?, 0, 80, ?, '[]', 300, 'audio', 'completed', 'easy' FROM sync_state`,
    );
    sqlite.transaction(() => {
      for (let index = from; index < from + count; index += 1) {
        const at = FIRST_MS + index * 60_000;
        insert.run(seededSessionId(index), LATE_DELIVERY, COACH, at, at, aConversation(index));
      }
    })();
  });
}
