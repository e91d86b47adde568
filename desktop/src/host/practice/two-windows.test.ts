import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CoachReplyUpdate } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { setUpModelCoach, streamReply } from '../test-kit/model-coach-fixture.ts';
import { answer, startModelSession } from '../test-kit/model-coach-server.ts';

const LINE = 'Good morning. I have waited for my order since last week. Where is it now?';

const scene = setUpModelCoach({ wordDelayMs: 60 });

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await sleep(20);
    collect();
  }
}

describe('two windows on one session with a model coach', () => {
  /** Opens a window that has started to stream the coach's first reply. */
  async function aWindow(signal?: AbortSignal) {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    scene.live.script.reply.push(answer(LINE), answer(LINE));
    const heard = await ask.practice.streamCoachReply({ sessionId }, signal === undefined ? {} : { signal });
    expect(await heard.next()).toMatchObject({ value: { type: 'words' } });
    return { ask, sessionId, heard };
  }

  it('ask the model once, and the second window is refused', async () => {
    const { ask, sessionId, heard } = await aWindow();
    const asked = scene.live.fake.calls.length;
    await expect(streamReply(ask, sessionId)).rejects.toMatchObject({ code: 'live.other_window' });
    expect(scene.live.fake.calls).toHaveLength(asked);
    const events: CoachReplyUpdate[] = [];
    for await (const event of heard) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
  });

  it('swap when the second takes over, and store the reply once', { tags: ['slow'] }, async () => {
    const { ask, sessionId, heard } = await aWindow();
    const first = (async () => {
      for await (const event of heard) expect(event.type).toBe('words');
    })();
    first.catch(() => undefined);
    // The stream must outlive the garbage collection of the objects it started with.
    await collectGarbage();
    const events: CoachReplyUpdate[] = [];
    for await (const event of await ask.practice.streamCoachReply({ sessionId, takeOver: true })) events.push(event);
    await expect(first).rejects.toMatchObject({ code: 'live.other_window' });
    expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
  });

  it('keep the heard part of a reply that the learner interrupts', async () => {
    const { ask, sessionId, heard } = await aWindow();
    const interrupted = await ask.practice.interruptCoach({ sessionId, heard: 'Good morning. I have waited' });
    expect(interrupted).toMatchObject({ phase: 'learner_turn', turns: [{ text: 'Good morning. I have waited …' }] });
    // The rest of the reply arrives too late.
    for await (const event of heard) expect(event.type).not.toBe('proved');
    expect((await ask.practice.session({ sessionId })).turns).toHaveLength(1);
    const again = await ask.practice.interruptCoach({ sessionId, heard: 'Good' });
    expect(again.turns).toMatchObject([{ text: 'Good morning. I have waited …' }]);
  });

  it('keep the proof of the answer before a reply that the learner interrupts', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask, 'text');
    scene.live.script.reply.push(answer('Good morning.'), answer(LINE));
    await streamReply(ask, sessionId);
    await ask.practice.sendTyped({ sessionId, text: 'It will be two days late, I fear.', hintLevel: 0 });
    // The judge is as slow as the coach, so it has not answered when the first words are heard.
    const verdict = JSON.stringify({ proofs: [{ objective: 1, words: 'two days late' }] });
    scene.live.script.judge.push(answer(`${' \n'.repeat(8)}${verdict}`));
    const leaving = new AbortController();
    const hearing = (async () => {
      for await (const event of await ask.practice.streamCoachReply({ sessionId }, { signal: leaving.signal })) {
        expect(event.type).not.toBe('proved');
        if (event.type !== 'words') continue;
        await ask.practice.interruptCoach({ sessionId, heard: event.text });
        leaving.abort();
      }
    })();
    await expect(hearing).rejects.toThrow();
    const provedBy = async () =>
      (await ask.practice.session({ sessionId })).objectives.map((objective) => objective.provedBy);
    expect(await provedBy()).not.toContain('two days late');
    await expect.poll(provedBy).toContain('two days late');
    await expect.poll(() => scene.live.fake.calls.every(({ state }) => state !== 'open')).toBe(true);
  });

  it('need no takeover once the first window is gone', { tags: ['slow'] }, async () => {
    const leaving = new AbortController();
    const { ask, sessionId } = await aWindow(leaving.signal);
    leaving.abort();
    expect((await streamReply(ask, sessionId)).session.phase).toBe('learner_turn');
  });
});
