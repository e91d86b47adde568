import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { MAX_REALTIME_FRAME_BYTES } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { silence } from '../../integrations/openai/realtime/test-kit/microphone-audio.ts';
import { aBeginMessage, openRealtimeClient } from '../../../test-kit/realtime/realtime-client.ts';
import { waitUntil, openRealtimeFixture, type RealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';

const PATH = '/v1/coach/realtime';

let home: RealtimeFixture;
beforeAll(async () => {
  home = await openRealtimeFixture({ lineLimits: { beginTimeoutMs: 300, pingIntervalMs: 200 } });
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

/** Returns the response of a server that refuses the WebSocket upgrade. */
const refusal = (
  path: string,
  headers: Record<string, string>,
  { address } = home,
): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}${path}`, { headers });
    socket.on('open', () => reject(new Error('the socket opened')));
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });

describe('opening a realtime connection', () => {
  it('requires an authenticated device', async () => {
    expect(await refusal(PATH, {})).toMatchObject({ status: 401, body: { code: 'auth.required' } });
    const forged = { authorization: `Bearer ${randomUUID()}.${'x'.repeat(43)}` };
    expect(await refusal(PATH, forged)).toMatchObject({ status: 401, body: { code: 'auth.required' } });
    await home.laptop.revoke(home.phone.deviceId);
    const revoked = { authorization: `Bearer ${home.phone.token}` };
    expect(await refusal(PATH, revoked)).toMatchObject({ status: 401, body: { code: 'auth.device_revoked' } });
  });

  it('is limited for each account, because each call is charged', async () => {
    const strict = await openRealtimeFixture({ connectionsPerMinute: 2 });
    try {
      for (const device of [strict.laptop, strict.phone]) (await strict.call(device)).terminate();
      const authorization = `Bearer ${strict.laptop.token}`;
      const refused = await refusal(PATH, { authorization }, strict);
      expect(refused).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
      (await strict.call(strict.stranger)).terminate();
    } finally {
      await strict.close();
    }
  });

  it('works at this path only', async () => {
    const authorization = `Bearer ${home.laptop.token}`;
    expect((await refusal('/v1/coach/elsewhere', { authorization })).status).toBe(404);
    expect((await refusal(`${PATH}/`, { authorization })).status).toBe(404);
  });

  it('without an upgrade is refused with a hint', async () => {
    const authorization = `Bearer ${home.laptop.token}`;
    const answer = await home.server.send({ method: 'GET', url: PATH, headers: { authorization } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid', data: { field: 'upgrade' } } });
  });

  it('leaves a request that offers another upgrade unaffected', async () => {
    const answer = await fetch(`${home.address}/healthz`);
    expect(answer.status).toBe(200);
    const text = await new Promise<string>((resolve) => {
      const { hostname, port } = new URL(home.address);
      const socket = connect(Number(port), hostname, () =>
        socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
      );
      let heard = '';
      socket.on('data', (chunk) => (heard += chunk.toString()));
      socket.on('close', () => resolve(heard));
    });
    expect(text).toMatch(/^HTTP\/1\.1 200[^]*"ok"/);
  });

  it('is closed when the session does not begin in time', async () => {
    const call = await home.call();
    expect(await call.next('failed')).toEqual({ type: 'failed', code: 'request.invalid', data: { field: 'begin' } });
    expect(await call.closed).toBe(1011);
  });
});

describe('messages on a realtime connection', () => {
  it.each<[what: string, frame: string | Uint8Array, failed: object]>([
    ['no JSON', '{', { code: 'request.invalid' }],
    ['an unknown message', JSON.stringify({ type: 'sing' }), { code: 'request.invalid', data: { field: 'type' } }],
    ['a message with unknown fields', JSON.stringify({ type: 'end', now: 1 }), { code: 'request.invalid' }],
    [
      'a second begin message',
      JSON.stringify(aBeginMessage({ practiceId: randomUUID(), agentId: randomUUID() })),
      { code: 'request.invalid' },
    ],
    ['half an audio sample', new Uint8Array(961), { code: 'request.invalid', data: { field: 'audio' } }],
    ['an oversized frame', new Uint8Array(MAX_REALTIME_FRAME_BYTES + 2), { code: 'request.too_large' }],
  ])('reject %s', async (_what, frame, failed) => {
    const call = await home.begin();
    call.send(frame);
    expect(await call.next('failed')).toMatchObject(failed);
    await call.closed;
    await waitUntil(async () => (await home.readLeases()).length === 0);
    await waitUntil(() => home.latestProviderSession().state === 'closed');
  });

  it('reject audio before the session begins', async () => {
    const call = await home.call();
    call.sendAudio(silence(20));
    call.sendMessage(aBeginMessage(home.ids));
    await call.next('ready');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(home.latestProviderSession().receivedMs()).toBe(0);
    call.terminate();
  });

  it('reject audio faster than real time', async () => {
    const call = await home.begin();
    for (let second = 0; second < 62; second += 1) call.sendAudio(silence(1_000));
    expect(await call.next('failed')).toEqual({ type: 'failed', code: 'request.too_many' });
    await call.closed;
  });

  it('reject a flood of tiny frames, even before the session begins', async () => {
    const patient = await openRealtimeFixture({ lineLimits: { beginTimeoutMs: 120_000, pingIntervalMs: 120_000 } });
    try {
      const call = await patient.call();
      for (let sent = 0; sent < 40_000; sent += 1) call.send(new Uint8Array(2));
      expect(await call.next('failed', 40_000)).toEqual({ type: 'failed', code: 'request.too_many' });
      await call.closed;
    } finally {
      await patient.close();
    }
  });

  it('reject oversized frames', async () => {
    const call = await home.call();
    call.send(new Uint8Array(3 * 1024 * 1024));
    expect(await call.closed).toBe(1009);
  });

  it.each([
    ['an unknown practice', { practiceId: randomUUID() }, 'practice.not_found'],
    ['an unknown coach', { agentId: randomUUID() }, 'practice.not_found'],
  ])('fail with the usual code for %s', async (_what, ids, code) => {
    const call = await home.call();
    call.sendMessage(aBeginMessage({ ...home.ids, ...ids }));
    expect(await call.next('failed')).toEqual({ type: 'failed', code });
    await call.closed;
  });

  it('fail with the usual code for an unknown time zone', async () => {
    const call = await home.begin({ timeZone: 'Mars/Olympus' });
    expect(call.messages).toMatchObject([{ type: 'failed', code: 'request.invalid', data: { field: 'timeZone' } }]);
  });
});

describe('an unattended connection', () => {
  it('is closed when its device answers no ping', async () => {
    const call = await home.begin();
    await call.playToEnd();
    // A paused socket simulates a sleeping machine, whose sockets are open but not read.
    call.socket.pause();
    await waitUntil(() => home.latestProviderSession().state === 'closed');
    await waitUntil(async () => (await home.readLeases()).length === 0);
    call.terminate();
  });

  it('stays open while its device answers, muted or not', async () => {
    const call = await home.begin();
    await call.playToEnd();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(call.socket.readyState).toBe(WebSocket.OPEN);
    call.terminate();
  });
});

describe('a server', () => {
  let other: RealtimeFixture | null = null;
  afterEach(async () => {
    await other?.close();
    other = null;
  });

  it('without a realtime voice says so', async () => {
    other = await openRealtimeFixture({ realtime: null });
    const call = await other.begin();
    expect(call.messages).toEqual([{ type: 'failed', code: 'coach.unavailable' }]);
  });

  it('limits requests per account and spending per day', async () => {
    other = await openRealtimeFixture({ callLimits: { requests: 2, changes: 10 }, dailyLimitUsd: 0 });
    const call = await other.begin();
    expect(call.messages).toEqual([
      { type: 'failed', code: 'coach.spent', data: { resetsAt: '2026-11-19T00:00:00.000Z' } },
    ]);
    await other.begin();
    await expect(openRealtimeClient(other.address, other.laptop.token)).rejects.toThrow('429');
  });

  it('ends its sessions first when it closes', async () => {
    other = await openRealtimeFixture();
    const call = await other.begin();
    await call.next('coachStarted');
    const provider = other.latestProviderSession();
    const closedAt = performance.now();
    await other.server.app.close();
    expect(performance.now() - closedAt).toBeLessThan(5_000);
    await waitUntil(() => provider.state === 'closed');
    await call.closed;
  });
});
