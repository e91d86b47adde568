import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelCoachServer, startModelCoachServer } from '../test-kit/model-coach-server.ts';
import { type OpenHost, openHost } from '../test-kit/open-host.ts';

let live: ModelCoachServer;
let opened: OpenHost;
beforeAll(async () => {
  live = await startModelCoachServer();
});
afterAll(() => live.close());
beforeEach(async () => {
  opened = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
  await opened.ask.sync.run();
});
afterEach(async () => {
  live.script.speech.length = 0;
  await opened.host.close();
});

const line = {
  text: 'And when will it come?',
  voice: { gender: 'female', locale: 'en', rate: 1, pitch: 1 },
} as const;
/** 16-bit audio at 24 kHz; the fake sends 60 ms per character. */
const WHOLE_BYTES = line.text.length * 60 * 24 * 2;
/** The size of two pieces sent by the fake. */
const TWO_PIECES_BYTES = 2 * 4_801;

const calls = () => live.fake.calls.filter(({ path }) => path.endsWith('/audio/speech'));

async function hear(said: { ask?: OpenHost['ask']; signal?: AbortSignal; onPiece?: (pcm: Buffer) => void } = {}) {
  const { ask = opened.ask, signal, onPiece } = said;
  const heard: Buffer[] = [];
  for await (const piece of await ask.voice.speakLine(line, signal === undefined ? {} : { signal })) {
    const pcm = Buffer.from(piece, 'base64');
    expect(pcm.byteLength % 2).toBe(0);
    heard.push(pcm);
    onPiece?.(pcm);
  }
  return Buffer.concat(heard);
}

describe("a model coach's utterance", () => {
  it("is spoken in the server's voice and requested once", async () => {
    const before = calls().length;
    const heard = await hear();
    expect(heard).toHaveLength(WHOLE_BYTES);
    expect(await hear()).toEqual(heard);
    expect(calls()).toHaveLength(before + 1);
  });

  it('is streamed and cancelled upstream when the listener leaves', async () => {
    live.script.speech.push({ does: 'fall_silent', afterEvents: 2 });
    const leaving = new AbortController();
    let heardBytes = 0;
    const hearing = hear({
      signal: leaving.signal,
      onPiece: ({ byteLength }) => {
        heardBytes += byteLength;
        if (heardBytes >= TWO_PIECES_BYTES) leaving.abort();
      },
    });
    await expect(hearing).rejects.toThrow();
    expect(heardBytes).toBe(TWO_PIECES_BYTES);
    await expect.poll(() => calls().at(-1)?.state).toBe('hung_up');
    // A partial utterance is not cached.
    expect(await hear()).toHaveLength(WHOLE_BYTES);
  });

  it('reports an interruption after the audio so far and is not cached', async () => {
    live.script.speech.push({ does: 'cut', afterEvents: 2 });
    let heardBytes = 0;
    const hearing = hear({ onPiece: ({ byteLength }) => void (heardBytes += byteLength) });
    await expect(hearing).rejects.toMatchObject({ code: 'coach.unavailable' });
    expect(heardBytes).toBe(TWO_PIECES_BYTES);
    expect(await hear()).toHaveLength(WHOLE_BYTES);
  });

  it.each([
    ['refuses', { does: 'reject', status: 401 }, 'coach.misconfigured'],
    ['fails', { does: 'reject', status: 500 }, 'speech.unavailable'],
  ] as const)('has no audio when the voice %s', async (_, step, code) => {
    // One step for each retry.
    live.script.speech.push(...Array.from({ length: 5 }, () => step));
    await expect(hear()).rejects.toMatchObject({ code });
  });

  it('has no audio without a server', async () => {
    const alone = await openHost();
    await expect(hear({ ask: alone.ask })).rejects.toMatchObject({ code: 'speech.unavailable' });
    await alone.host.close();
  });
});
