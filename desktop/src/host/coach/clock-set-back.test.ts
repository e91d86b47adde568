/**
 * A computer's clock that jumps back by hours when it reaches the network, as on a computer with two operating systems.
 */
import { expect, it } from 'vitest';
import { recordTurn } from '../test-kit/open-host.ts';
import { setUpModelCoach } from '../test-kit/model-coach-fixture.ts';
import { answer, startAfterGreeting, streamCoach } from '../test-kit/model-coach-server.ts';

const HOUR_MS = 3_600_000;

let serverAheadMs = 0;

const scene = setUpModelCoach({ isMetered: true, now: () => new Date(Date.now() + serverAheadMs) });

it('renews the lease of a session after the clock was set back', async () => {
  let deviceAheadMs = 0;
  const ask = await scene.open({ clock: { now: () => new Date(Date.now() + deviceAheadMs) } });
  const sessionId = await startAfterGreeting(ask);
  const say = async (text: string) => {
    scene.live.script.transcript.push(answer(text));
    const { turnId } = await recordTurn(ask, sessionId);
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({ status: 'heard', text });
    await ask.practice.sendTurn({ sessionId, turnId });
    await streamCoach(ask, sessionId);
  };
  await say('Our truck broke down yesterday.');
  serverAheadMs += 3 * 60_000;
  deviceAheadMs += 3 * 60_000 - 2 * HOUR_MS;
  await say('It was the engine.');
});
