import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LiveServer, startLiveServer } from '../test-kit/a-live-coach.ts';
import { type OpenHost, openHost, removeDataFolders } from '../test-kit/open-host.ts';

let live: LiveServer;
let opened: OpenHost;
beforeAll(async () => {
  live = await startLiveServer();
});
afterAll(() => live.close());
beforeEach(async () => {
  opened = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
  await opened.ask.sync.run();
});
afterEach(async () => {
  live.says.speech.length = 0;
  await opened.host.close();
  removeDataFolders();
});

const line = {
  text: 'And when will it come?',
  voice: { gender: 'female', locale: 'en', rate: 1, pitch: 1 },
} as const;
/** 16-bit at 24 kHz, 60 ms a character, as the twin hums. */
const WHOLE_BYTES = line.text.length * 60 * 24 * 2;
/** Of the twin's pieces, two. */
const TWO_PIECES_BYTES = 2 * 4_801;

const calls = () => live.twin.calls.filter(({ path }) => path.endsWith('/audio/speech'));

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

describe('a live coach’s line', () => {
  it('is spoken in a voice that the server has, and asked of it once', async () => {
    const before = calls().length;
    const heard = await hear();
    expect(heard).toHaveLength(WHOLE_BYTES);
    expect(await hear()).toEqual(heard);
    expect(calls()).toHaveLength(before + 1);
  });

  it('is heard while it is made, and given up upstream as soon as nobody listens', async () => {
    live.says.speech.push({ does: 'fall_silent', afterEvents: 2 });
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
    // Half a line is not kept.
    expect(await hear()).toHaveLength(WHOLE_BYTES);
  });

  it('that breaks off says so, after what there was of it, and is not kept', async () => {
    live.says.speech.push({ does: 'cut', afterEvents: 2 });
    let heardBytes = 0;
    const hearing = hear({ onPiece: ({ byteLength }) => void (heardBytes += byteLength) });
    await expect(hearing).rejects.toMatchObject({ code: 'coach.unavailable' });
    expect(heardBytes).toBe(TWO_PIECES_BYTES);
    expect(await hear()).toHaveLength(WHOLE_BYTES);
  });

  it.each([
    ['refuses', { does: 'reject', status: 401 }, 'coach.misconfigured'],
    ['fails', { does: 'reject', status: 500 }, 'speech.unavailable'],
  ] as const)('has no sound where the voice %s', async (_, step, code) => {
    // As often as it is tried.
    live.says.speech.push(...Array.from({ length: 5 }, () => step));
    await expect(hear()).rejects.toMatchObject({ code });
  });

  it('has none where there is no server', async () => {
    const alone = await openHost();
    await expect(hear({ ask: alone.ask })).rejects.toMatchObject({ code: 'speech.unavailable' });
    await alone.host.close();
  });
});
