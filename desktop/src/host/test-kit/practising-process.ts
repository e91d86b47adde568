/** A process that practises without end and says what was acknowledged, until it is killed. For crash tests. */
import { writeSync } from 'node:fs';
import { LATE_DELIVERY, LATE_REPLY, SORRY_REPLY } from './a-catalogue.ts';
import { openHost, somethingSaid } from './open-host.ts';

export type Acknowledged =
  | { type: 'ready' }
  | { type: 'started'; sessionId: string }
  | { type: 'chunk'; sessionId: string; recordingId: string; bytes: number }
  | { type: 'heard'; sessionId: string; turnId: string }
  | { type: 'typed'; sessionId: string; text: string }
  | { type: 'turns'; sessionId: string; count: number }
  | { type: 'finished'; sessionId: string };

// One write a line, so that a line that the parent reads was acknowledged before the kill.
const tell = (what: Acknowledged): void => void writeSync(1, `${JSON.stringify(what)}\n`);

const chunkEveryMs = Number(process.argv[3] ?? 0);
const said = somethingSaid(1_600);
const { ask } = await openHost({ dataDir: process.argv[2] ?? '' });
tell({ type: 'ready' });
for (;;) {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'audio',
  });
  tell({ type: 'started', sessionId });

  const { turnId, recordingId } = await ask.practice.beginTurn({ sessionId });
  for (let seq = 0; seq < 8; seq += 1) {
    const pcm = new Blob([said.slice(seq * 6_400, (seq + 1) * 6_400)]);
    await ask.practice.appendAudio({ sessionId, turnId, seq, pcm });
    // A pace at which a kill can be aimed between two chunks.
    if (chunkEveryMs > 0) await new Promise((resolve) => setTimeout(resolve, chunkEveryMs));
    tell({ type: 'chunk', sessionId, recordingId, bytes: (seq + 1) * 6_400 });
  }
  await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  tell({ type: 'heard', sessionId, turnId });
  const sent = await ask.practice.sendTurn({ sessionId, turnId });
  tell({ type: 'turns', sessionId, count: sent.turns.length });

  for (const text of [LATE_REPLY, SORRY_REPLY]) {
    await ask.practice.keepDraft({ sessionId, text });
    tell({ type: 'typed', sessionId, text });
    const typed = await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
    tell({ type: 'turns', sessionId, count: typed.turns.length });
    if (typed.phase === 'ended') break;
  }
  await ask.practice.finish({ sessionId });
  tell({ type: 'finished', sessionId });
}
