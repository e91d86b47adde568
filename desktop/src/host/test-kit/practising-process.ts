/** A process for crash tests that practises until it is killed and prints what was acknowledged. */
import { writeSync } from 'node:fs';
import { LATE_REPLY, SORRY_REPLY } from './test-catalogue.ts';
import { openHost, voiceLikePcm, startPractice } from './open-host.ts';

export type Acknowledged =
  | { type: 'ready' }
  | { type: 'started'; sessionId: string }
  | { type: 'chunk'; sessionId: string; recordingId: string; bytes: number }
  | { type: 'heard'; sessionId: string; turnId: string }
  | { type: 'typed'; sessionId: string; text: string }
  | { type: 'turns'; sessionId: string; count: number }
  | { type: 'finished'; sessionId: string };

// Each line is a single write, so that every line the parent reads was acknowledged before the kill.
const acknowledge = (what: Acknowledged): void => void writeSync(1, `${JSON.stringify(what)}\n`);

const chunkEveryMs = Number(process.argv[3] ?? 0);
const voicePcm = voiceLikePcm(1_600);
const { ask } = await openHost({ dataDir: process.argv[2] ?? '' });
acknowledge({ type: 'ready' });
for (;;) {
  const { sessionId } = await startPractice(ask, 'audio');
  acknowledge({ type: 'started', sessionId });

  const { turnId, recordingId } = await ask.practice.beginTurn({ sessionId });
  for (let seq = 0; seq < 8; seq += 1) {
    const pcm = new Blob([voicePcm.slice(seq * 6_400, (seq + 1) * 6_400)]);
    await ask.practice.appendAudio({ sessionId, turnId, seq, pcm });
    // The delay lets a test kill the process between two chunks.
    if (chunkEveryMs > 0) await new Promise((resolve) => setTimeout(resolve, chunkEveryMs));
    acknowledge({ type: 'chunk', sessionId, recordingId, bytes: (seq + 1) * 6_400 });
  }
  await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  acknowledge({ type: 'heard', sessionId, turnId });
  const sent = await ask.practice.sendTurn({ sessionId, turnId });
  acknowledge({ type: 'turns', sessionId, count: sent.turns.length });

  for (const text of [LATE_REPLY, SORRY_REPLY]) {
    await ask.practice.keepDraft({ sessionId, text });
    acknowledge({ type: 'typed', sessionId, text });
    const typed = await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
    acknowledge({ type: 'turns', sessionId, count: typed.turns.length });
    if (typed.phase === 'ended') break;
  }
  await ask.practice.finish({ sessionId });
  acknowledge({ type: 'finished', sessionId });
}
