import { REALTIME_BYTES_PER_MS } from '@parley/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { measureRange, silence, speech } from '../../integrations/openai/realtime/test-kit/microphone-audio.ts';
import type { RealtimeClient } from '../../../test-kit/realtime/realtime-client.ts';
import { openRealtimeFixture, type RealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';

const LONG = 'The room is on the third floor and it looks out over the garden, so it is quiet at night.';
/** The silence around a turn, by which its ends are detected. */
const MOST_AROUND_MS = 800;

let home: RealtimeFixture;
beforeAll(async () => {
  home = await openRealtimeFixture();
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

const sentMs = ({ sent }: RealtimeClient): number => Buffer.concat(sent).byteLength / REALTIME_BYTES_PER_MS;

/** Expects the next turn at the position where it was sent. */
async function expectTurn(call: RealtimeClient, spoken: { fromMs: number; toMs: number }): Promise<void> {
  const started = await call.next('learnerStarted');
  const said = await call.next('learnerSaid');
  expect(started.fromMs).toBe(said.fromMs);
  expect(said.fromMs).toBeLessThanOrEqual(spoken.fromMs);
  expect(said.toMs).toBeGreaterThanOrEqual(spoken.toMs);
  expect(said.toMs).toBeLessThanOrEqual(sentMs(call));
  const { ms, voicedMs } = measureRange(call.sent, said);
  expect(Math.abs(voicedMs - (spoken.toMs - spoken.fromMs))).toBeLessThanOrEqual(20);
  expect(ms - voicedMs).toBeLessThanOrEqual(MOST_AROUND_MS);
}

function say(call: RealtimeClient, ms: number): { fromMs: number; toMs: number } {
  const fromMs = sentMs(call);
  call.speak(ms);
  return { fromMs, toMs: fromMs + ms };
}

describe('a turn’s position in the device’s audio', () => {
  it('is right for consecutive turns', async () => {
    const call = await home.begin();
    await call.playToEnd();
    call.sendAudio(silence(700));
    await expectTurn(call, say(call, 900));
    await call.playToEnd();
    call.sendAudio(silence(500));
    await expectTurn(call, say(call, 1_400));
    call.terminate();
  });

  it('is right for a turn that interrupts', async () => {
    home.fake.script.queueReplies('Good morning.', { text: LONG, audioMs: 6_000 });
    const call = await home.begin();
    await call.playToEnd();
    await expectTurn(call, say(call, 900));
    await call.next('coachStarted');
    call.sendAudio(silence(600));
    const fromMs = sentMs(call);
    call.sendAudio(speech(700));
    await call.next('bargeIn');
    call.sendAudio(speech(300));
    call.sendAudio(silence(600));
    await expectTurn(call, { fromMs, toMs: fromMs + 1_000 });
    call.terminate();
  });

  it('counts from the connection’s first audio, also after a reconnect', async () => {
    const first = await home.begin();
    await first.playToEnd();
    await expectTurn(first, say(first, 900));
    first.terminate();
    const again = await home.begin({ takeOver: true });
    again.sendAudio(silence(200));
    await expectTurn(again, say(again, 900));
    again.terminate();
  });
});
