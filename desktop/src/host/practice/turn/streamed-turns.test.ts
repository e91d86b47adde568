import { afterEach, describe, expect, it } from 'vitest';
import {
  streamCoach,
  type ModelCoachServer,
  answer,
  startAzure,
  startAfterGreeting,
  startModelCoachServer,
} from '../../test-kit/model-coach-server.ts';
import { type OpenHost, openHost, silentPcm, voiceLikePcm } from '../../test-kit/open-host.ts';

type Azure = Awaited<ReturnType<typeof startAzure>>;

const CHUNK_BYTES = 6_400;
const SAID = 'Our truck broke down yesterday.';
/** Free speech is transcribed first and then assessed against the transcript. */
const UNDERSTOOD = [{ said: SAID }, {}];

let azure: Azure;
let live: ModelCoachServer;
let opened: OpenHost;
afterEach(async () => {
  await opened.host.close();
  await live.close();
  await azure.close();
});

async function openDevice() {
  const device = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
  await device.ask.sync.run();
  return device;
}

/** Starts a session that the Azure fake assesses as scripted. */
async function begin(script: Parameters<typeof startAzure>[0], options: { isMetered?: boolean } = {}) {
  azure = await startAzure(script);
  live = await startModelCoachServer({ azure, ...options });
  opened = await openDevice();
  return { ask: opened.ask, sessionId: await startAfterGreeting(opened.ask) };
}

/** Joins a second device to the same account. */
async function secondDevice(first: OpenHost['ask']) {
  const device = await openDevice();
  await device.ask.account.join(await first.account.createLinkCode());
  return device;
}

/** Streams audio as the renderer does, and sends the first chunk twice as if its response had been lost. */
async function streamTurn({ ask, sessionId }: Awaited<ReturnType<typeof begin>>, pcm = voiceLikePcm(2_000)) {
  const { turnId, recordingId } = await ask.practice.beginTurn({ sessionId });
  const chunk = (seq: number) => new Blob([pcm.slice(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES)]);
  await ask.practice.appendAudio({ sessionId, turnId, seq: 0, pcm: chunk(0) });
  for (let seq = 0; seq * CHUNK_BYTES < pcm.byteLength; seq += 1)
    await ask.practice.appendAudio({ sessionId, turnId, seq, pcm: chunk(seq) });
  return { turnId, recordingId, bytes: pcm.byteLength };
}

const finish = (
  { ask, sessionId }: Awaited<ReturnType<typeof begin>>,
  turnId: Parameters<OpenHost['ask']['practice']['finishTurn']>[0]['turnId'],
) => ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });

const streamedBytes = () => azure.calls.map(({ audioBytes }) => audioBytes);
const audioIsStreaming = () => expect.poll(() => azure.calls[0]?.audioBytes ?? 0).toBeGreaterThan(0);

describe('a turn with streaming assessment', () => {
  it('is streamed completely and exactly once', async () => {
    const session = await begin(UNDERSTOOD);
    const { turnId, bytes } = await streamTurn(session);
    await expect.poll(() => azure.calls[0]?.audioBytes).toBe(bytes);
    expect(azure.calls[0]?.hasAudioEnded).toBe(false);
    expect(await finish(session, turnId)).toMatchObject({
      status: 'heard',
      text: SAID,
      assessment: { source: 'azure' },
    });
    expect(streamedBytes()).toEqual([bytes, bytes]);
  });

  it('is sent again from its recording when the connection was cut', async () => {
    const session = await begin([{}, ...UNDERSTOOD]);
    const { turnId, bytes } = await streamTurn(session);
    await audioIsStreaming();
    live.server.cutConnections();
    await expect.poll(() => azure.calls[0]?.state).toBe('closed');
    expect(await finish(session, turnId)).toMatchObject({
      status: 'heard',
      text: SAID,
      assessment: { source: 'azure' },
    });
    expect(streamedBytes().slice(1)).toEqual([bytes, bytes]);
  });

  it('reports the failure of its recording, not of its stream', async () => {
    const session = await begin([]);
    expect((await session.ask.coach.offer()).scorer).not.toBeNull();
    live.server.fail = 'quota.out';
    const { turnId } = await streamTurn(session);
    live.server.fail = 'live.elsewhere';
    expect(await finish(session, turnId)).toMatchObject({ status: 'not_recognised', failure: 'live.elsewhere' });
    expect(azure.calls).toHaveLength(0);
    live.server.fail = null;
  });

  it('is cancelled upstream when it is typed, interrupted or silent', async () => {
    const session = await begin([{}, {}, {}, {}]);
    const { ask, sessionId } = session;
    await streamTurn(session);
    await audioIsStreaming();
    await ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    await expect.poll(() => azure.calls[0]?.state).toBe('closed');
    await streamCoach(ask, sessionId);

    await streamTurn(session);
    await expect.poll(() => azure.calls[1]?.audioBytes ?? 0).toBeGreaterThan(0);
    await expect(streamTurn(session)).rejects.toMatchObject({ code: 'turn.interrupted' });
    await expect.poll(() => azure.calls[1]?.state).toBe('closed');
    const third = await streamTurn(session, silentPcm(2_000));
    await expect.poll(() => azure.calls[2]?.audioBytes ?? 0).toBeGreaterThan(0);
    expect(await finish(session, third.turnId)).toMatchObject({ status: 'unusable', reason: 'silent' });
    await expect.poll(() => azure.calls[2]?.state).toBe('closed');
    expect(azure.calls.map(({ hasAudioEnded }) => hasAudioEnded)).toEqual([false, false, false]);
  });

  it('is assessed after a pause from its recording', async () => {
    const session = await begin([{}, ...UNDERSTOOD]);
    const { ask, sessionId } = session;
    const { turnId, bytes } = await streamTurn(session);
    await audioIsStreaming();
    await ask.practice.pause({ sessionId });
    await expect.poll(() => azure.calls[0]?.state).toBe('closed');
    await ask.practice.resume({ sessionId });
    expect(await finish(session, turnId)).toMatchObject({ status: 'heard', text: SAID });
    expect(streamedBytes().slice(1)).toEqual([bytes, bytes]);
  });

  it('is available after resuming a session that was paused mid-turn', async () => {
    const session = await begin([{}, ...UNDERSTOOD]);
    const { ask, sessionId } = session;
    const { turnId } = await streamTurn(session);
    await audioIsStreaming();
    await ask.practice.pause({ sessionId });
    // The window is gone, so its recording has ended too.
    await expect(finish(session, turnId)).rejects.toMatchObject({ code: 'turn.not_ready' });
    await ask.practice.resume({ sessionId });
    const { waitingTurn } = await ask.practice.session({ sessionId });
    expect(waitingTurn).toMatchObject({ turnId, status: 'heard', text: SAID });
  });

  it('is refused while another device holds the lease, until it takes over', async () => {
    const other = await begin(UNDERSTOOD, { isMetered: true });
    const { turnId: first } = await streamTurn(other);
    await finish(other, first);
    const here = await secondDevice(other.ask);
    const session = { ask: here.ask, sessionId: await startAfterGreeting(here.ask) };
    const { turnId } = await streamTurn(session);
    expect(await finish(session, turnId)).toMatchObject({ status: 'not_recognised', failure: 'live.elsewhere' });
    expect(azure.calls).toHaveLength(2);

    await session.ask.practice.takeOver({ sessionId: session.sessionId });
    const second = await streamTurn(session);
    await expect.poll(() => azure.calls[2]?.audioBytes).toBe(second.bytes);
    expect(await finish(session, second.turnId)).toMatchObject({ status: 'heard' });
    await here.host.close();
  });
});

it('a turn without streaming assessment is sent when it ends', async () => {
  azure = await startAzure();
  live = await startModelCoachServer();
  opened = await openDevice();
  const session = { ask: opened.ask, sessionId: await startAfterGreeting(opened.ask) };
  const { turnId } = await streamTurn(session);
  live.script.transcript.push(answer(SAID));
  expect(await finish(session, turnId)).toMatchObject({ status: 'heard', assessment: { source: 'device' } });
});
