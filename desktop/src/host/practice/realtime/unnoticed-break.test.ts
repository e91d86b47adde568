/** A connection that breaks without notice, as when a router fails, looks open for up to half a minute. */
import { PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { reduceRealtime } from './realtime-reducer.ts';
import { REALTIME_START, type RealtimeEffect, type RealtimeInput, type RealtimeState } from './realtime-state.ts';

const BYTES_PER_MS = (PCM_SAMPLE_RATE_HZ * 2) / 1_000;

let state: RealtimeState;
let effects: RealtimeEffect[];

function input(...inputs: RealtimeInput[]): void {
  for (const next of inputs) {
    const step = reduceRealtime(state, next, 0);
    state = step.state;
    effects.push(...step.effects);
  }
}
const open = (connectionId: number): void =>
  input({
    type: 'messageReceived',
    connectionId,
    message: { type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null },
  });
const ping = (): void => input({ type: 'pingReceived', connectionId: 1 });
const learnerAudio = (seconds: number): void =>
  input({ type: 'learnerAudio', pcm: new Uint8Array(seconds * 1_000 * BYTES_PER_MS) });

beforeEach(() => {
  state = REALTIME_START;
  effects = [];
  input({ type: 'started', unsentAudio: null });
  open(1);
  input({ type: 'stableDue', connectionId: 1 });
  effects = [];
});

it('audio that the server may not have received is sent again', () => {
  learnerAudio(20);
  ping();
  learnerAudio(10);
  input({ type: 'connectionLost', connectionId: 1, failure: null });
  expect(effects).toContainEqual({ type: 'record', fromMs: 19_000 });
  input({ type: 'reconnectDue' });
  open(2);
  expect(effects).toContainEqual({ type: 'sendMissedAudio', range: { fromMs: 19_000, toMs: 30_000 } });
});

describe('a call that the learner leaves', () => {
  const leave = (): void => input({ type: 'aborted', failure: null });

  it('keeps what was said since the server fell silent', () => {
    learnerAudio(4);
    ping();
    learnerAudio(13);
    leave();
    expect(effects).toContainEqual({ type: 'record', fromMs: 3_000 });
    expect(effects.at(-1)).toMatchObject({ type: 'finish', unstoredFromMs: 3_000 });
  });

  it('keeps no silence that the server has received', () => {
    for (let at = 0; at < 3; at += 1) {
      learnerAudio(10);
      ping();
    }
    learnerAudio(9);
    leave();
    expect(effects.at(-1)).toMatchObject({ type: 'finish', unstoredFromMs: 39_000 });
  });
});
