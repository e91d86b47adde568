import { afterEach, describe, expect, it } from 'vitest';
import {
  hearCoach,
  type LiveServer,
  saying,
  startAzure,
  startLiveHeard,
  startLiveServer,
} from '../test-kit/a-live-coach.ts';
import { type OpenHost, openHost, removeDataFolders, silence, somethingSaid } from '../test-kit/open-host.ts';

type Azure = Awaited<ReturnType<typeof startAzure>>;

const CHUNK_BYTES = 6_400;
const SAID = 'Our truck broke down yesterday.';
/** Free speech is written down first, then assessed against that. */
const UNDERSTOOD = [{ said: SAID }, {}];

let azure: Azure;
let live: LiveServer;
let opened: OpenHost;
afterEach(async () => {
  await opened.host.close();
  removeDataFolders();
  await live.close();
  await azure.close();
});

async function openDevice() {
  const device = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
  await device.ask.sync.run();
  return device;
}

/** Where Azure's twin listens, as it is told. */
async function begin(script: Parameters<typeof startAzure>[0], options: { countsMinutes?: boolean } = {}) {
  azure = await startAzure(script);
  live = await startLiveServer({ azure, ...options });
  opened = await openDevice();
  return { ask: opened.ask, sessionId: await startLiveHeard(opened.ask) };
}

/** Of the same learner. */
async function secondDevice(first: OpenHost['ask']) {
  const device = await openDevice();
  await device.ask.account.join(await first.account.createLinkCode());
  return device;
}

/** Says it as the renderer does, and begins by saying the first chunk twice: its answer may have been lost. */
async function say({ ask, sessionId }: Awaited<ReturnType<typeof begin>>, pcm = somethingSaid(2_000)) {
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

const heardBytes = () => azure.calls.map(({ audioBytes }) => audioBytes);
const isHeard = () => expect.poll(() => azure.calls[0]?.audioBytes ?? 0).toBeGreaterThan(0);

describe('a live turn where somebody scores', () => {
  it('is heard while it is spoken: all of it, and none of it twice', async () => {
    const session = await begin(UNDERSTOOD);
    const { turnId, bytes } = await say(session);
    await expect.poll(() => azure.calls[0]?.audioBytes).toBe(bytes);
    expect(azure.calls[0]?.hasAudioEnded).toBe(false);
    expect(await finish(session, turnId)).toMatchObject({
      status: 'heard',
      text: SAID,
      assessment: { source: 'azure' },
    });
    expect(heardBytes()).toEqual([bytes, bytes]);
  });

  it('is sent whole from its recording when the line was cut', async () => {
    const session = await begin([{}, ...UNDERSTOOD]);
    const { turnId, bytes } = await say(session);
    await isHeard();
    live.server.hangUp();
    await expect.poll(() => azure.calls[0]?.state).toBe('closed');
    expect(await finish(session, turnId)).toMatchObject({
      status: 'heard',
      text: SAID,
      assessment: { source: 'azure' },
    });
    expect(heardBytes().slice(1)).toEqual([bytes, bytes]);
  });

  it('tells why nobody heard it by what came of its recording', async () => {
    const session = await begin([]);
    expect((await session.ask.coach.offer()).scorer).not.toBeNull();
    live.server.fail = 'quota.out';
    const { turnId } = await say(session);
    live.server.fail = 'live.elsewhere';
    expect(await finish(session, turnId)).toMatchObject({ status: 'not_recognised', failure: 'live.elsewhere' });
    expect(azure.calls).toHaveLength(0);
    live.server.fail = null;
  });

  it('is given up upstream when it is written instead, interrupted, or holds nothing', async () => {
    const session = await begin([{}, {}, {}, {}]);
    const { ask, sessionId } = session;
    await say(session);
    await isHeard();
    await ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    await expect.poll(() => azure.calls[0]?.state).toBe('closed');
    await hearCoach(ask, sessionId);

    await say(session);
    await expect.poll(() => azure.calls[1]?.audioBytes ?? 0).toBeGreaterThan(0);
    await expect(say(session)).rejects.toMatchObject({ code: 'turn.interrupted' });
    await expect.poll(() => azure.calls[1]?.state).toBe('closed');
    const third = await say(session, silence(2_000));
    await expect.poll(() => azure.calls[2]?.audioBytes ?? 0).toBeGreaterThan(0);
    expect(await finish(session, third.turnId)).toMatchObject({ status: 'unusable', reason: 'silent' });
    await expect.poll(() => azure.calls[2]?.state).toBe('closed');
    expect(azure.calls.map(({ hasAudioEnded }) => hasAudioEnded)).toEqual([false, false, false]);
  });

  it('that is paused is listened to afterwards', async () => {
    const session = await begin([{}, ...UNDERSTOOD]);
    const { ask, sessionId } = session;
    const { turnId, bytes } = await say(session);
    await isHeard();
    await ask.practice.pause({ sessionId });
    await expect.poll(() => azure.calls[0]?.state).toBe('closed');
    await ask.practice.resume({ sessionId });
    expect(await finish(session, turnId)).toMatchObject({ status: 'heard', text: SAID });
    expect(heardBytes().slice(1)).toEqual([bytes, bytes]);
  });

  it('whose session is paused before its end is there again when that goes on', async () => {
    const session = await begin([{}, ...UNDERSTOOD]);
    const { ask, sessionId } = session;
    const { turnId } = await say(session);
    await isHeard();
    await ask.practice.pause({ sessionId });
    // The window has gone, and what it recorded ends with it.
    await expect(finish(session, turnId)).rejects.toMatchObject({ code: 'turn.not_ready' });
    await ask.practice.resume({ sessionId });
    const { waitingTurn } = await ask.practice.session({ sessionId });
    expect(waitingTurn).toMatchObject({ turnId, status: 'heard', text: SAID });
  });

  it('is heard by nobody while another device converses, and while it is spoken where it takes over from that', async () => {
    const other = await begin(UNDERSTOOD, { countsMinutes: true });
    const { turnId: first } = await say(other);
    await finish(other, first);
    const here = await secondDevice(other.ask);
    const session = { ask: here.ask, sessionId: await startLiveHeard(here.ask) };
    const { turnId } = await say(session);
    expect(await finish(session, turnId)).toMatchObject({ status: 'not_recognised', failure: 'live.elsewhere' });
    expect(azure.calls).toHaveLength(2);

    await session.ask.practice.takeOver({ sessionId: session.sessionId });
    const second = await say(session);
    await expect.poll(() => azure.calls[2]?.audioBytes).toBe(second.bytes);
    expect(await finish(session, second.turnId)).toMatchObject({ status: 'heard' });
    await here.host.close();
  });
});

it('a live turn where somebody only writes down is sent at its end', async () => {
  azure = await startAzure();
  live = await startLiveServer();
  opened = await openDevice();
  const session = { ask: opened.ask, sessionId: await startLiveHeard(opened.ask) };
  const { turnId } = await say(session);
  live.says.transcript.push(saying(SAID));
  expect(await finish(session, turnId)).toMatchObject({ status: 'heard', assessment: { source: 'device' } });
});
