import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { MAX_REALTIME_FRAME_BYTES } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { silence } from '../integrations/openai/realtime/test-kit/sound.ts';
import { aBegin, callRealtime } from '../test-kit/realtime-call.ts';
import { eventually, openRealtimeHome, type RealtimeHome } from '../test-kit/realtime-home.ts';

const PATH = '/v1/coach/realtime';

let home: RealtimeHome;
beforeAll(async () => {
  home = await openRealtimeHome({ lineLimits: { beginWithinMs: 300, pingEveryMs: 200 } });
});
beforeEach(() => home.moveIn());
afterAll(() => home.close());

/** What a server says that opens no socket. */
const refusal = (path: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${home.address.replace('http', 'ws')}${path}`, { headers });
    socket.on('open', () => reject(new Error('it opened')));
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });

describe('who may open a line', () => {
  it('is a device that proves who it is', async () => {
    expect(await refusal(PATH, {})).toMatchObject({ status: 401, body: { code: 'auth.required' } });
    const forged = { authorization: `Bearer ${randomUUID()}.${'x'.repeat(43)}` };
    expect(await refusal(PATH, forged)).toMatchObject({ status: 401, body: { code: 'auth.required' } });
    await home.laptop.revoke(home.phone.deviceId);
    const revoked = { authorization: `Bearer ${home.phone.token}` };
    expect(await refusal(PATH, revoked)).toMatchObject({ status: 401, body: { code: 'auth.device_revoked' } });
  });

  it('at this address only', async () => {
    const authorization = `Bearer ${home.laptop.token}`;
    expect((await refusal('/v1/coach/elsewhere', { authorization })).status).toBe(404);
    expect((await refusal(`${PATH}/`, { authorization })).status).toBe(404);
  });

  it('who asks for no socket is told what is missing', async () => {
    const authorization = `Bearer ${home.laptop.token}`;
    const answer = await home.server.send({ method: 'GET', url: PATH, headers: { authorization } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid', data: { field: 'upgrade' } } });
  });

  it('a request that only offers another protocol is answered as ever', async () => {
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

  it('who holds no conversation within its time is hung up', async () => {
    const call = await home.call();
    expect(await call.next('failed')).toEqual({ type: 'failed', code: 'request.invalid', data: { field: 'begin' } });
    expect(await call.closed).toBe(1011);
  });
});

describe('what may come over it', () => {
  it.each<[what: string, frame: string | Uint8Array, failed: object]>([
    ['no JSON', '{', { code: 'request.invalid' }],
    ['another message', JSON.stringify({ type: 'sing' }), { code: 'request.invalid', data: { field: 'type' } }],
    ['a message with too much in it', JSON.stringify({ type: 'end', now: 1 }), { code: 'request.invalid' }],
    [
      'a second beginning',
      JSON.stringify(aBegin({ practiceId: randomUUID(), agentId: randomUUID(), courseId: '' })),
      { code: 'request.invalid' },
    ],
    ['half a sample', new Uint8Array(961), { code: 'request.invalid', data: { field: 'audio' } }],
    ['more than a frame', new Uint8Array(MAX_REALTIME_FRAME_BYTES + 2), { code: 'request.too_large' }],
  ])('is not %s', async (_what, frame, failed) => {
    const call = await home.begin();
    call.send(frame);
    expect(await call.next('failed')).toMatchObject(failed);
    await call.closed;
    await eventually(async () => (await home.leases()).length === 0);
    await eventually(() => home.provider().state === 'closed');
  });

  it('is not sound before the beginning', async () => {
    const call = await home.call();
    call.hear(silence(20));
    call.tell(aBegin(home.ids));
    await call.next('ready');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(home.provider().heardMs()).toBe(0);
    call.vanish();
  });

  it('is not more sound than there is time', async () => {
    const call = await home.begin();
    for (let second = 0; second < 62; second += 1) call.hear(silence(1_000));
    expect(await call.next('failed')).toEqual({ type: 'failed', code: 'request.too_many' });
    await call.closed;
  });

  it('is not a frame of any size', async () => {
    const call = await home.call();
    call.send(new Uint8Array(3 * 1024 * 1024));
    expect(await call.closed).toBe(1009);
  });

  it.each([
    ['a practice that there is not', { practiceId: randomUUID() }, 'practice.not_found'],
    ['a coach that there is not', { agentId: randomUUID() }, 'practice.not_found'],
  ])('%s fails as it does elsewhere', async (_what, ids, code) => {
    const call = await home.call();
    call.tell(aBegin({ ...home.ids, ...ids }));
    expect(await call.next('failed')).toEqual({ type: 'failed', code });
    await call.closed;
  });

  it('a time zone that there is not fails as it does elsewhere', async () => {
    const call = await home.begin({ timeZone: 'Mars/Olympus' });
    expect(call.messages).toMatchObject([{ type: 'failed', code: 'request.invalid', data: { field: 'timeZone' } }]);
  });
});

describe('a line on which nobody is', () => {
  it('is closed when its device answers no ping', async () => {
    const call = await home.begin();
    await call.hearOut();
    // The machine is asleep: its sockets are open, and nothing reads them.
    call.socket.pause();
    await eventually(() => home.provider().state === 'closed');
    await eventually(async () => (await home.leases()).length === 0);
    call.vanish();
  });

  it('stays open as long as its device answers, muted or not', async () => {
    const call = await home.begin();
    await call.hearOut();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(call.socket.readyState).toBe(WebSocket.OPEN);
    call.vanish();
  });
});

describe('a server', () => {
  let other: RealtimeHome | null = null;
  afterEach(async () => {
    await other?.close();
    other = null;
  });

  it('without such a voice says so', async () => {
    other = await openRealtimeHome({ realtime: null });
    const call = await other.begin();
    expect(call.messages).toEqual([{ type: 'failed', code: 'coach.unavailable' }]);
  });

  it('limits how often an account may ask, and how much a day may cost', async () => {
    other = await openRealtimeHome({ callLimits: { calls: 2, changes: 10 }, dailyLimitUsd: 0 });
    const call = await other.begin();
    expect(call.messages).toEqual([
      { type: 'failed', code: 'coach.spent', data: { resetsAt: '2026-11-19T00:00:00.000Z' } },
    ]);
    await other.begin();
    await expect(callRealtime(other.address, other.laptop.token)).rejects.toThrow('429');
  });

  it('that closes ends its conversations first, and is not kept from closing', async () => {
    other = await openRealtimeHome();
    const call = await other.begin();
    await call.next('coachStarted');
    const provider = other.provider();
    const closedAt = performance.now();
    await other.server.app.close();
    expect(performance.now() - closedAt).toBeLessThan(2_000);
    await eventually(() => provider.state === 'closed');
    await call.closed;
  });
});
