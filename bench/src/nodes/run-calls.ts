/**
 * Learners in calls: they speak in real time and wait for each answer, and reopen a call that broke off on the next
 * node.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ConversationSnapshot, REALTIME_BYTES_PER_MS, type RealtimeBeginMessage } from '@parley/contract';
import { TurnId } from '@parley/domain';
import { silence, speech } from '../../../sync-server/src/integrations/openai/realtime/test-kit/microphone-audio.ts';
import {
  aBeginMessage,
  openRealtimeClient,
  type RealtimeClient,
} from '../../../sync-server/test-kit/realtime/realtime-client.ts';
import type { LoadDevice } from '../load/seed-learners.ts';
import { PATIENCE_MS } from './realtime-coach.ts';

export interface CallRecord {
  /** What the device knew of the conversation at the end. */
  turns: ConversationSnapshot['turns'];
  /** The nodes on which the call could not be opened, broke off, or got no answer in time, oldest first. */
  failedOn: string[];
  /** What the device knew of the conversation when the call first broke off. */
  turnsWhenLost: ConversationSnapshot['turns'];
  /** From each loss of the connection until the call was ready on another node. */
  outagesMs: number[];
  /** From the end of each turn to the coach's first audio. */
  answerTimesMs: number[];
}

const FRAME_MS = 40;
const FRAME_BYTES = FRAME_MS * REALTIME_BYTES_PER_MS;
const SILENT_FRAME = silence(FRAME_MS);
const SPOKEN_TURN = speech(23 * FRAME_MS);
/** The learner thinks before each turn. */
const THINK_MS = 500;
const RETRY_AFTER_MS = 50;
const MAX_FAILURES = 20;

/** Runs one call for each device until the signal aborts and the coach has answered the last turn. */
export const runCalls = (
  urls: readonly string[],
  devices: readonly LoadDevice[],
  signal: AbortSignal,
): Promise<CallRecord[]> =>
  Promise.all(devices.map((device, index) => runCall({ urls, device, firstNode: index }, signal)));

async function runCall(
  { urls, device, firstNode }: { urls: readonly string[]; device: LoadDevice; firstNode: number },
  signal: AbortSignal,
): Promise<CallRecord> {
  const call: CallRecord = { turns: [], failedOn: [], turnsWhenLost: [], outagesMs: [], answerTimesMs: [] };
  const sessionId = randomUUID();
  let lostAtMs: number | null = null;
  while (call.failedOn.length < MAX_FAILURES) {
    const url = urls[(firstNode + call.failedOn.length) % urls.length] ?? '';
    let client: RealtimeClient | null = null;
    try {
      client = await openRealtimeClient(url, device.token);
      client.sendMessage(beginMessage(device, { sessionId, turns: call.turns }));
      await beforeClose(client, client.next('ready'));
      if (lostAtMs !== null) call.outagesMs.push(performance.now() - lostAtMs);
      lostAtMs = null;
      await converse(call, client, signal);
      client.sendMessage({ type: 'end' });
      await client.next('over');
      return call;
    } catch {
      if (call.failedOn.length === 0) call.turnsWhenLost = [...call.turns];
      lostAtMs ??= performance.now();
      call.failedOn.push(url);
      await wait(RETRY_AFTER_MS);
    } finally {
      client?.terminate();
    }
  }
  return call;
}

function beginMessage(
  { session: { practiceId, agentId } }: LoadDevice,
  conversation: { sessionId: string; turns: CallRecord['turns'] },
): RealtimeBeginMessage {
  const held = ConversationSnapshot.parse({
    ...conversation,
    practiceId,
    agentId,
    difficulty: 'easy',
    completed: [],
  });
  return aBeginMessage(held, { held, patienceMs: PATIENCE_MS });
}

/** Continues the conversation. Throws when the connection closes or an answer takes longer than ten seconds. */
async function converse(call: CallRecord, client: RealtimeClient, signal: AbortSignal): Promise<void> {
  const microphone = startMicrophone(client);
  let spokenAtMs: number | null = null;
  let heardAtMs: number | null = null;
  client.socket.on('message', (_data, isSound) => {
    if (isSound) heardAtMs ??= performance.now();
  });
  try {
    for (;;) {
      if (call.turns.at(-1)?.role !== 'coach') {
        const { text } = await beforeClose(client, client.playToEnd());
        call.turns.push({ ...aTurn(), role: 'coach', text, kind: 'line' });
        if (spokenAtMs !== null && heardAtMs !== null) call.answerTimesMs.push(heardAtMs - spokenAtMs);
      }
      if (signal.aborted) return;
      await beforeClose(client, wait(THINK_MS));
      spokenAtMs = await beforeClose(client, microphone.speak(SPOKEN_TURN));
      heardAtMs = null;
      const { text } = await beforeClose(client, client.next('learnerSaid'));
      call.turns.push({ ...aTurn(), role: 'learner', text: text ?? '', ...SPOKEN });
    }
  } finally {
    microphone.stop();
  }
}

const SPOKEN = { mode: 'voice', fitted: true, recordingId: null, assessment: null, hintLevel: 0 } as const;
const aTurn = () => ({ turnId: TurnId.parse(randomUUID()), at: new Date().toISOString(), node: null });

/**
 * Sends what a microphone delivers: silence while the learner does not speak. `speak` resolves with the time at which
 * it ends.
 */
function startMicrophone(client: RealtimeClient): { speak: (pcm: Uint8Array) => Promise<number>; stop: () => void } {
  const startedAtMs = performance.now();
  let sentFrames = 0;
  let pending = new Uint8Array(0);
  let onSpoken: (endedAtMs: number) => void = () => undefined;
  const timer = setInterval(() => {
    for (; startedAtMs + sentFrames * FRAME_MS <= performance.now(); sentFrames += 1) {
      client.sendAudio(pending.length > 0 ? pending.subarray(0, FRAME_BYTES) : SILENT_FRAME);
      if (pending.length === FRAME_BYTES) onSpoken(startedAtMs + sentFrames * FRAME_MS);
      pending = pending.subarray(FRAME_BYTES);
    }
  }, FRAME_MS / 2);
  return {
    speak: (pcm) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      onSpoken = resolve;
      pending = new Uint8Array(pcm);
      return promise;
    },
    stop: () => clearInterval(timer),
  };
}

async function beforeClose<Value>({ closed }: RealtimeClient, value: Promise<Value>): Promise<Value> {
  return Promise.race([
    value,
    closed.then((code) => {
      throw new Error(`the call was closed with code ${code}`);
    }),
  ]);
}
