/** A sync server with a realtime coach behind a connection that can be cut, and a window that uses it. */
import { type RealtimeEvent, PCM_MEDIA_TYPE, type SessionView } from '@parley/contract';
import type { LearnerTurn, SessionId } from '@parley/domain';
import { parseWav } from '@parley/speech';
import { syllables } from '@parley/test-kit';
import { bringInStarterCatalogue, buildApp } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { createOpenAiModel, createOpenAiRealtime, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { type RealtimeFake, startRealtimeFake } from '@parley/fakes/openai-realtime/index.ts';
import { startOpenAiFake, type ScriptStep } from '@parley/fakes/openai/index.ts';
import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { aCatalogue } from './test-catalogue.ts';
import type { OpenHost } from './open-host.ts';

export interface RealtimeTestServer {
  url: string;
  fake: RealtimeFake;
  /** Judgements of the next turns. */
  judgements: ScriptStep[];
  /** Results of the next transcriptions. */
  transcripts: ScriptStep[];
  /** Cuts every connection. With `forMs`, the server stays unreachable for that time. */
  cut(forMs?: number): void;
  /** Silences every connection, which stays open until it is cut, as when a router fails. */
  stall(): void;
  close(): Promise<void>;
}

const TIMEOUTS = { firstByteMs: 1_000, silenceMs: 1_000, maxRetryWaitMs: 200, backoffMs: 5 };

/** `transcribeMs` is the time that the transcription of a turn takes. */
export async function startRealtimeServer({ transcribeMs = 10 } = {}): Promise<RealtimeTestServer> {
  const fake = await startRealtimeFake({ speed: 20, transcribeMs });
  const verdicts: ScriptStep[] = [];
  const transcripts: ScriptStep[] = [];
  const other = await startOpenAiFake({
    script: ({ path }) => (path.endsWith('/transcriptions') ? transcripts : verdicts).shift(),
  });
  const access = { apiKey: other.key, baseUrl: other.url, timeouts: TIMEOUTS };
  const database = await openMemoryDatabase();
  const app = await buildApp({
    database,
    strictRequestsPerMinute: 10_000,
    ai: {
      services: {
        coach: {
          where: 'own',
          model: createOpenAiModel({ ...access, model: 'judge' }),
        },
        transcriber: { where: 'own', transcriber: createOpenAiTranscriber({ ...access, model: 'whisper' }) },
        assessor: null,
        voice: null,
      },
      realtime: {
        where: 'own',
        voice: createOpenAiRealtime({
          apiKey: fake.key,
          baseUrl: fake.url,
          model: 'gpt-realtime-2.1',
          timeouts: TIMEOUTS,
        }),
      },
      dailyLimitUsd: null,
      isMetered: false,
    },
  });
  await bringInStarterCatalogue({ db: database.db, now: () => new Date() }, await aCatalogue());
  const behind = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const sockets = new Set<Socket>();
  let isDown = false;
  const proxy = createServer((near) => {
    if (isDown) return near.destroy();
    const far = connect(Number(behind.port), behind.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    return undefined;
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const cut = (forMs = 0): void => {
    isDown = forMs > 0;
    setTimeout(() => (isDown = false), forMs).unref();
    for (const socket of sockets) socket.destroy();
  };
  const stall = (): void => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    fake,
    judgements: verdicts,
    transcripts,
    cut,
    stall,
    close: async () => {
      cut();
      await new Promise((resolve) => void proxy.close(resolve));
      await app.close();
      await database.close();
      await Promise.all([fake.close(), other.close()]);
    },
  };
}

type Of<Type extends RealtimeEvent['type']> = Extract<RealtimeEvent, { type: Type }>;

export interface RealtimeWindow {
  events: RealtimeEvent[];
  all<Type extends RealtimeEvent['type']>(type: Type): Of<Type>[];
  /** Resolves to the next event of this type that has not been awaited yet. */
  next<Type extends RealtimeEvent['type']>(type: Type, withinMs?: number): Promise<Of<Type>>;
  /** Marks all received events of this type as awaited. */
  skipReceived(type: RealtimeEvent['type']): void;
  /** Sends this audio at once, in the pieces that a window would send. */
  sendAudio(pcm: Uint8Array): Promise<void>;
  callId: string;
  /** Resolves when the session ends; rejects if it fails. */
  over: Promise<void>;
  /** Closes the window. */
  close(): void;
}

const CHUNK_BYTES = 40 * 32;

export function openRealtimeWindow(
  ask: OpenHost['ask'],
  sessionId: SessionId,
  options: { takeOver?: boolean; patienceMs?: number | null } = {},
): RealtimeWindow {
  const callId = randomUUID();
  const events: RealtimeEvent[] = [];
  const leaving = new AbortController();
  const waiting = new Set<() => void>();
  const seen = new Map<string, number>();
  let seq = 0;
  const all: RealtimeWindow['all'] = (type) => events.filter((event): event is Of<typeof type> => event.type === type);

  async function listen(): Promise<void> {
    const { takeOver = false, patienceMs = 400 } = options;
    const told = await ask.call.start({ callId, sessionId, takeOver, patienceMs }, { signal: leaving.signal });
    for await (const event of told) {
      events.push(event);
      for (const look of waiting) look();
    }
  }
  const over = listen();
  over.catch(() => undefined);

  return {
    events,
    all,
    callId,
    over,
    close: () => leaving.abort(),
    skipReceived: (type) => void seen.set(type, all(type).length),
    next: (type, withinMs = 5_000) => {
      const count = seen.get(type) ?? 0;
      seen.set(type, count + 1);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const types = events.map((event) => event.type).join(' ');
          reject(new Error(`no ${type} within ${withinMs} ms, only ${types}`));
        }, withinMs);
        const check = (): void => {
          const found = all(type)[count];
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      });
    },
    sendAudio: async (pcm) => {
      for (let at = 0; at < pcm.byteLength; at += CHUNK_BYTES) {
        const piece = new Blob([new Uint8Array(pcm.subarray(at, at + CHUNK_BYTES))], { type: PCM_MEDIA_TYPE });
        await ask.call.sound({ callId, seq, pcm: piece });
        seq += 1;
      }
    },
  };
}

const SAMPLES_PER_MS = 16;

export const voiceLike = (ms: number): Uint8Array => syllables(ms, SAMPLES_PER_MS);

export const silentPcm = (ms: number): Uint8Array => new Uint8Array(ms * SAMPLES_PER_MS * 2);

/** Milliseconds of a 16 kHz recording that are louder than a quiet room. */
export function voicedMs(pcm: Float32Array): number {
  let voiced = 0;
  for (let at = 0; at + 160 <= pcm.length; at += 160) {
    const frame = pcm.subarray(at, at + 160);
    if (Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / 160) > 0.02) voiced += 10;
  }
  return voiced;
}

/** Plays the coach's next utterance to its end. */
export async function playUtterance(ask: OpenHost['ask'], call: RealtimeWindow): Promise<void> {
  const { itemId } = await call.next('coachAudio');
  const player = setInterval(() => void ask.call.played({ callId: call.callId, itemId, audioMs: 600_000 }), 20);
  try {
    await call.next('coachEnded');
  } finally {
    clearInterval(player);
    call.skipReceived('coachAudio');
  }
}

/** Milliseconds of the coach's audio that have arrived. */
export const coachAudioMs = (call: RealtimeWindow): number =>
  call.all('coachAudio').reduce((ms, { pcm }) => ms + Buffer.from(pcm, 'base64').byteLength / 48, 0);

export const learnerTurns = ({ turns }: Pick<SessionView, 'turns'>): LearnerTurn[] =>
  turns.filter((turn): turn is LearnerTurn => turn.role === 'learner');

/** Milliseconds of voice in a turn's recording; 0 without a recording. */
export async function recordedVoiceMs(
  ask: OpenHost['ask'],
  turn: Pick<LearnerTurn, 'recordingId'> | undefined,
): Promise<number> {
  if (turn === undefined || turn.recordingId === null) return 0;
  const sound = await ask.recordings.read({ recordingId: turn.recordingId });
  const wav = parseWav(new Uint8Array(await sound.arrayBuffer()));
  if (!wav.ok) throw new Error(wav.error.code);
  return voicedMs(wav.value.pcm);
}
