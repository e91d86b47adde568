import { readFeedbackText } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { aReview, setUpModelCoach, streamReply } from '../test-kit/model-coach-fixture.ts';
import { json, startModelSession } from '../test-kit/model-coach-server.ts';
import { aClock } from '../test-kit/open-host.ts';

const scene = setUpModelCoach();

/** Finishes a session whose coach fails every review. */
async function aSessionWithoutReview(said: string) {
  const clock = aClock(new Date().toISOString());
  const ask = await scene.open({ clock });
  const { sessionId } = await startModelSession(ask, 'text');
  await streamReply(ask, sessionId);
  await ask.practice.sendTyped({ sessionId, text: said, hintLevel: 0 });
  for (let step = 0; step < 100; step += 1) scene.live.script.review.push({ does: 'reject', status: 500 });
  return { ask, clock, sessionId, before: await ask.practice.finish({ sessionId }) };
}

describe('a session whose review failed', () => {
  it('is scored by measurements alone when the coach is unreachable', async () => {
    const { before: result } = await aSessionWithoutReview('The delivery is late.');
    expect(result.status).toBe('completed');
    // Nothing was judged, so the share of objectives is unknown and not a measured 0.
    expect(result.overall).toBeNull();
    expect(readFeedbackText(result.summary ?? '').point).toMatchObject({ code: 'session', isJudged: false });
    expect(result.feedback).not.toBeNull();
    expect(result.feedback?.corrections).toBeUndefined();
    expect(result.isReviewWaiting).toBe(true);
  });

  it('receives a late review automatically and keeps its end time', { tags: ['slow'] }, async () => {
    const { ask, clock, sessionId, before } = await aSessionWithoutReview('It will be two days late, I fear.');
    // Opening the result does not use up the scheduled attempts.
    for (let asked = 0; asked < 6; asked += 1)
      expect(await ask.practice.finish({ sessionId })).toMatchObject({ overall: null, isReviewWaiting: true });
    scene.live.script.review.length = 0;
    scene.live.script.review.push(json(aReview()));
    scene.live.script.judge.push(json({ proofs: [{ objective: 1, words: 'two days late' }] }));
    await scene.opened.host.close();
    clock.pass(20 * 60_000);
    const again = await scene.open({ dataDir: scene.opened.dataDir, clock });
    await scene.opened.host.whenIdle();
    const result = await again.practice.result({ sessionId });
    expect(result).toMatchObject({
      status: 'completed',
      summary: 'You told a client of a delay.',
      isReviewWaiting: false,
      endedAt: before.endedAt,
    });
    expect(result.feedback?.corrections).not.toBeUndefined();
    expect(result.overall).not.toBeNull();
  });

  it('stays deleted when its review arrives later', { tags: ['slow'] }, async () => {
    const { ask, sessionId } = await aSessionWithoutReview('The delivery is late.');
    scene.live.script.review.length = 0;
    scene.live.script.review.push({ does: 'answer_late', ms: 400, text: JSON.stringify(aReview()) });
    const asked = scene.live.fake.calls.length;
    const finishing = ask.practice.finish({ sessionId });
    await expect.poll(() => scene.live.fake.calls.length).toBeGreaterThan(asked);
    await ask.history.remove({ sessionId });
    await expect(finishing).rejects.toMatchObject({ code: 'session.not_found' });
    await expect.poll(async () => await ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    expect((await ask.history.list({ search: '', offset: 0, limit: 1 })).total).toBe(0);
  });

  it('stops retrying a review and keeps the measurements', { tags: ['slow'] }, async () => {
    const { clock, sessionId, before } = await aSessionWithoutReview('The delivery is late.');
    for (let tries = 1; tries < 5; tries += 1) {
      expect((await scene.opened.ask.practice.result({ sessionId })).isReviewWaiting).toBe(true);
      await scene.opened.host.close();
      clock.pass(24 * 3_600_000);
      await scene.open({ dataDir: scene.opened.dataDir, clock });
      await scene.opened.host.whenIdle();
    }
    expect(await scene.opened.ask.practice.result({ sessionId })).toMatchObject({ ...before, isReviewWaiting: false });
  });
});
