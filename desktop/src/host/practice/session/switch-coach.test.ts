/** One coach takes over from the other in mid-scene, on the catalogue that ships. */
import { loadStarterCatalogue } from '@parley/catalogue';
import type { SessionView } from '@parley/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answer, type ModelCoachServer, startModelCoachServer } from '../../test-kit/model-coach-server.ts';
import { type OpenHost, openHost } from '../../test-kit/open-host.ts';

const practice = loadStarterCatalogue().practices.find(({ title }) => title === 'Explain a delay to a client');
if (practice === undefined) throw new Error('the practice is missing');
const { practiceId } = practice;

let live: ModelCoachServer;
let opened: OpenHost;
beforeAll(async () => {
  live = await startModelCoachServer({ catalogue: loadStarterCatalogue() });
}, 240_000);
afterAll(() => live.close());
afterEach(async () => {
  for (const steps of Object.values(live.script)) steps.length = 0;
  await opened.host.close();
});

async function start(coachKind: 'guided' | 'model'): Promise<SessionView> {
  opened = await openHost({
    serverUrl: live.server.url,
    clock: { now: () => new Date() },
    loadCatalogue: async () => loadStarterCatalogue(),
  });
  await opened.ask.sync.run();
  return opened.ask.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'text', coachKind });
}

async function receiveReply(sessionId: SessionView['sessionId']): Promise<SessionView> {
  for await (const event of await opened.ask.practice.streamCoachReply({ sessionId }))
    if (event.type === 'session') return event.session;
  throw new Error('the reply did not end');
}

const DELAY = 'I have to tell you that your boxes will arrive three days later than we said.';
const REASON = 'There was a big storm and the ship could not leave the port.';

describe('a coach who takes over', { timeout: 240_000 }, () => {
  it('asks only for details that the learner has not given to the model', { tags: ['slow'] }, async () => {
    const { sessionId } = await start('model');
    live.script.reply.push(answer('Good morning. How can I help you?'));
    await receiveReply(sessionId);
    await opened.ask.practice.sendTyped({ sessionId, text: DELAY, hintLevel: 0 });
    live.script.reply.push(answer('Oh no. What happened?'));
    await receiveReply(sessionId);
    await opened.ask.practice.sendTyped({ sessionId, text: REASON, hintLevel: 0 });

    const taken = await opened.ask.practice.switchCoach({ sessionId, to: 'guided' });
    const line = taken.turns.at(-1);
    expect(taken).toMatchObject({ coachKind: 'guided', phase: 'learner_turn' });
    expect(line?.role === 'coach' ? line.node : null).not.toBeNull();
    expect(['opening', 'reason']).not.toContain(line?.node);
    expect(taken.turns.map(({ text }) => text)).toEqual(expect.arrayContaining([DELAY, REASON]));
  });

  it('hands over to a model, which sees the guided turns, and keeps the objectives', async () => {
    const { sessionId } = await start('guided');
    const before = await opened.ask.practice.sendTyped({ sessionId, text: DELAY, hintLevel: 0 });
    const ticked = before.objectives.filter(({ provedBy }) => provedBy !== null);
    expect(ticked.length).toBeGreaterThan(0);

    const unclear = 'The blue one sings at night.';
    const misunderstood = await opened.ask.practice.sendTyped({ sessionId, text: unclear, hintLevel: 0 });
    expect(misunderstood.turns.find(({ text }) => text === unclear)).toMatchObject({ fitted: false });

    const handed = await opened.ask.practice.switchCoach({ sessionId, to: 'model' });
    expect(handed).toMatchObject({ coachKind: 'model', phase: 'learner_turn' });
    expect(handed.turns.at(-1)).toMatchObject({ role: 'coach', node: null });
    await opened.ask.practice.sendTyped({ sessionId, text: REASON, hintLevel: 0 });
    live.script.reply.push(answer('I see. When will it come?'));
    const replied = await receiveReply(sessionId);
    expect(replied.turns.at(-1)).toMatchObject({ role: 'coach', text: 'I see. When will it come?' });
    const asked = live.fake.calls.filter(({ path }) => !path.includes('models')).at(-1);
    expect(JSON.stringify(asked?.body)).toContain(unclear);
    expect(replied.objectives.filter(({ provedBy }) => provedBy !== null)).toEqual(expect.arrayContaining(ticked));
  });

  it('answers the turn on which the model failed', { tags: ['slow'] }, async () => {
    const { sessionId } = await start('model');
    live.script.reply.push(answer('Good morning. How can I help you?'));
    await receiveReply(sessionId);
    await opened.ask.practice.sendTyped({ sessionId, text: DELAY, hintLevel: 0 });
    for (let step = 0; step < 20; step += 1) live.script.reply.push({ does: 'reject', status: 500 });
    await expect(receiveReply(sessionId)).rejects.toThrow();

    const taken = await opened.ask.practice.switchCoach({ sessionId, to: 'guided' });
    expect(taken.phase).toBe('learner_turn');
    expect(taken.objectives.some(({ provedBy }) => provedBy !== null && DELAY.includes(provedBy))).toBe(true);
    const again = await opened.ask.practice.switchCoach({ sessionId, to: 'guided' });
    expect(again.turns).toEqual(taken.turns);
  });
});
