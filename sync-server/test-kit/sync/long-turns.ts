/** Fills an account with turns that take many lines of a stream. */
import { randomUUID } from 'node:crypto';
import type { TestDevice, TestServer } from '../server.ts';

/** Stores turns with the longest possible assessments, which compress to almost nothing in the database. */
export async function storeLongTurns(server: TestServer, device: TestDevice, turns: number): Promise<void> {
  const { userId } = device;
  const interactionId = randomUUID();
  const timestamp = server.now().toISOString();
  const details = { sessionId: null, practiceId: null, videoId: null, courseSectionId: null };
  await device.push(
    device.change({
      table: 'user_course_interaction',
      rowId: interactionId,
      fields: { userId, courseId: null, interactionType: 'section_opened', timestamp, details },
    }),
  );
  const scores = [null, null, null, null, null];
  const packed = {
    v: 1,
    source: 'device',
    durationMs: 1,
    snrDb: null,
    scores,
    words: 'x'.repeat(150_000),
    phonemes: '',
  };
  const assessment = { ...packed, sounds: 'A'.repeat(200_000), pitch: '', pauses: [] };
  for (let turn = 0; turn < turns; turn += 2)
    await device.push(
      ...[0, 1].map(() =>
        device.change({
          table: 'ai_conversations',
          rowId: randomUUID(),
          fields: { userId, interactionId, courseId: null, content: 'x', role: 'learner', assessment },
        }),
      ),
    );
}
