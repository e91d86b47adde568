import { REALTIME_BYTES_A_MS } from '@parley/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cutOut, silence, speech } from '../integrations/openai/realtime/test-kit/sound.ts';
import type { RealtimeCall } from '../test-kit/realtime-call.ts';
import { openRealtimeHome, type RealtimeHome } from '../test-kit/realtime-home.ts';

const LONG = 'The room is on the third floor and it looks out over the garden, so it is quiet at night.';
/** Of silence around a turn, by which its ends are known. */
const MOST_AROUND_MS = 800;

let home: RealtimeHome;
beforeAll(async () => {
  home = await openRealtimeHome();
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

const sentMs = ({ sent }: RealtimeCall): number => Buffer.concat(sent).byteLength / REALTIME_BYTES_A_MS;

/** The learner’s next turn, which must be found where it was sent. */
async function expectTurn(call: RealtimeCall, spoken: { fromMs: number; toMs: number }): Promise<void> {
  const started = await call.next('learnerStarted');
  const said = await call.next('learnerSaid');
  expect(started.fromMs).toBe(said.fromMs);
  expect(said.fromMs).toBeLessThanOrEqual(spoken.fromMs);
  expect(said.toMs).toBeGreaterThanOrEqual(spoken.toMs);
  expect(said.toMs).toBeLessThanOrEqual(sentMs(call));
  const { ms, voicedMs } = cutOut(call.sent, said);
  expect(Math.abs(voicedMs - (spoken.toMs - spoken.fromMs))).toBeLessThanOrEqual(20);
  expect(ms - voicedMs).toBeLessThanOrEqual(MOST_AROUND_MS);
}

function say(call: RealtimeCall, ms: number): { fromMs: number; toMs: number } {
  const fromMs = sentMs(call);
  call.say(ms);
  return { fromMs, toMs: fromMs + ms };
}

describe('where a learner’s turn stands in the sound of their device', () => {
  it('holds for one turn after the other', async () => {
    const call = await home.begin();
    await call.hearOut();
    call.hear(silence(700));
    await expectTurn(call, say(call, 900));
    await call.hearOut();
    call.hear(silence(500));
    await expectTurn(call, say(call, 1_400));
    call.vanish();
  });

  it('holds for a turn that interrupts, after one that did not', async () => {
    home.twin.script.says('Good morning.', { text: LONG, audioMs: 6_000 });
    const call = await home.begin();
    await call.hearOut();
    await expectTurn(call, say(call, 900));
    await call.next('coachStarted');
    call.hear(silence(600));
    const fromMs = sentMs(call);
    call.hear(speech(700));
    await call.next('bargeIn');
    call.hear(speech(300));
    call.hear(silence(600));
    await expectTurn(call, { fromMs, toMs: fromMs + 1_000 });
    call.vanish();
  });

  it('counts from the line’s first sound, also when it was taken up again', async () => {
    const first = await home.begin();
    await first.hearOut();
    await expectTurn(first, say(first, 900));
    first.vanish();
    const again = await home.begin({ takeOver: true });
    again.hear(silence(200));
    await expectTurn(again, say(again, 900));
    again.vanish();
  });
});
