import { describe, expect, it } from 'vitest';
import { setUpModelCoach, streamReply } from '../test-kit/model-coach-fixture.ts';
import { answer, startAzure, startModelCoachServer, startModelSession } from '../test-kit/model-coach-server.ts';
import { recordTurn } from '../test-kit/open-host.ts';

const scene = setUpModelCoach();

describe('speech in a session with a model coach', () => {
  it('is transcribed, assessed on the device and sent', async () => {
    const ask = await scene.open();
    expect(await ask.coach.offer()).toMatchObject({
      coach: { where: 'own', name: 'fake' },
      transcriber: { where: 'own' },
    });
    const { sessionId } = await startModelSession(ask);
    await streamReply(ask, sessionId);
    const { turnId } = await recordTurn(ask, sessionId);
    scene.live.script.transcript.push(answer('Our truck broke down yesterday.'));
    const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({
      status: 'heard',
      text: 'Our truck broke down yesterday.',
      assessment: { source: 'device', pron: 66 },
    });
    expect((await ask.practice.sendTurn({ sessionId, turnId })).phase).toBe('coach_turn');
    const { session } = await streamReply(ask, sessionId);
    expect(session.turns.at(-2)).toMatchObject({ text: 'Our truck broke down yesterday.', mode: 'voice' });
  });

  it('can be corrected by the learner or assessed again after a failure', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask);
    await streamReply(ask, sessionId);
    const { turnId } = await recordTurn(ask, sessionId);
    for (let step = 0; step < 10; step += 1) scene.live.script.transcript.push({ does: 'reject', status: 500 });
    const failed = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(failed).toMatchObject({ status: 'not_recognised', failure: 'speech.unavailable', candidates: [] });
    scene.live.script.transcript.length = 0;
    scene.live.script.transcript.push(answer('The ship is late.'));
    expect(await ask.practice.reassessTurn({ sessionId, turnId })).toMatchObject({
      status: 'heard',
      text: 'The ship is late.',
    });
    expect(await ask.practice.correctTranscript({ sessionId, turnId, text: 'The shop is late.' })).toMatchObject({
      status: 'heard',
      text: 'The shop is late.',
    });
  });

  it('must be repeated when no words were transcribed', async () => {
    const ask = await scene.open();
    const { sessionId } = await startModelSession(ask);
    await streamReply(ask, sessionId);
    const { turnId } = await recordTurn(ask, sessionId);
    scene.live.script.transcript.push(answer('  '));
    expect(await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).toMatchObject({
      status: 'not_recognised',
      failure: null,
    });
  });
});

describe('speech with Azure as assessor', () => {
  it('is assessed by Azure and transcribed elsewhere when Azure fails', { tags: ['slow'] }, async () => {
    const azure = await startAzure([
      // Free speech is transcribed first and then assessed against the transcript.
      { said: 'Our truck broke down yesterday.' },
      {},
      { refuse: 500 },
      { refuse: 500 },
      { refuse: 500 },
      { refuse: 500 },
    ]);
    const own = await startModelCoachServer({ azure });
    try {
      const ask = await scene.open({ serverUrl: own.server.url });
      const { sessionId } = await startModelSession(ask);
      await streamReply(ask, sessionId);
      const { turnId } = await recordTurn(ask, sessionId);
      const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
      expect(heard).toMatchObject({
        status: 'heard',
        text: 'Our truck broke down yesterday.',
        assessment: { source: 'azure', completeness: null },
      });
      await ask.practice.sendTurn({ sessionId, turnId });
      await streamReply(ask, sessionId);
      const second = await recordTurn(ask, sessionId);
      own.script.transcript.push(answer('It was the engine.'));
      expect(await ask.practice.finishTurn({ sessionId, turnId: second.turnId, hintLevel: 0 })).toMatchObject({
        status: 'heard',
        text: 'It was the engine.',
        assessment: { source: 'device' },
      });
    } finally {
      await own.close();
      await azure.close();
    }
  });
});
