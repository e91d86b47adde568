/** A sync server with a coach who listens while it speaks, behind a line that can be cut; and a window that holds a call with it. */
import { type CallEvent, PCM_MEDIA_TYPE, type SessionView } from '@parley/contract';
import type { LearnerTurn, SessionId } from '@parley/domain';
import { parseWav } from '@parley/speech';
import { bringInStarterCatalogue, buildApp, openDatabase } from '@parley/sync-server';
import { createOpenAiModel, createOpenAiRealtime, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { type RealtimeTwin, startRealtimeTwin } from '@parley/sync-server/openai/realtime-twin';
import { startOpenAiTwin, type TwinStep } from '@parley/sync-server/openai/twin';
import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { aCatalogue } from './a-catalogue.ts';
import type { OpenHost } from './open-host.ts';

export interface CallServer {
  url: string;
  twin: RealtimeTwin;
  /** What is judged of the next turns. */
  verdicts: TwinStep[];
  /** What becomes of the next recordings that are to be written down. */
  transcripts: TwinStep[];
  /** Breaks every line; `forMs`: nobody can be reached for so long. */
  cut(forMs?: number): void;
  close(): Promise<void>;
}

const TIMEOUTS = { firstByteMs: 1_000, silenceMs: 1_000, retryWaitMs: 200, backoffMs: 5 };

/** `transcribeMs`: so long it takes until a turn of a call is written down. */
export async function startCallServer({ transcribeMs = 10 } = {}): Promise<CallServer> {
  const twin = await startRealtimeTwin({ speed: 20, transcribeMs });
  const verdicts: TwinStep[] = [];
  const transcripts: TwinStep[] = [];
  const other = await startOpenAiTwin({
    script: ({ path }) => (path.endsWith('/transcriptions') ? transcripts : verdicts).shift(),
  });
  const access = { apiKey: other.key, baseUrl: other.url, timeouts: TIMEOUTS };
  const database = await openDatabase({ type: 'memory' });
  const app = await buildApp({
    database,
    accountCallsAMinute: 10_000,
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
          apiKey: twin.key,
          baseUrl: twin.url,
          model: 'gpt-realtime-2.1',
          timeouts: TIMEOUTS,
        }),
      },
      dailyLimitUsd: null,
      countsMinutes: false,
    },
  });
  await bringInStarterCatalogue({ db: database.db, now: () => new Date() }, await aCatalogue());
  const behind = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const sockets = new Set<Socket>();
  let isDown = false;
  const line = createServer((near) => {
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
  await new Promise<void>((resolve) => void line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const cut = (forMs = 0): void => {
    isDown = forMs > 0;
    setTimeout(() => (isDown = false), forMs).unref();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    twin,
    verdicts,
    transcripts,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => void line.close(resolve));
      await app.close();
      await database.close();
      await Promise.all([twin.close(), other.close()]);
    },
  };
}

type Of<Type extends CallEvent['type']> = Extract<CallEvent, { type: Type }>;

export interface AWindow {
  events: CallEvent[];
  all<Type extends CallEvent['type']>(type: Type): Of<Type>[];
  /** The next of this type, of those that were not waited for yet. */
  next<Type extends CallEvent['type']>(type: Type, withinMs?: number): Promise<Of<Type>>;
  /** What has come of this type was waited for. */
  forget(type: CallEvent['type']): void;
  /** Sends this sound at once, as the pieces that a window would. */
  say(pcm: Uint8Array): Promise<void>;
  callId: string;
  /** Resolves at its end; rejects with why it failed. */
  over: Promise<void>;
  /** Closes the window. */
  leave(): void;
}

const PIECE_BYTES = 40 * 32;

export function callFrom(
  ask: OpenHost['ask'],
  sessionId: SessionId,
  wish: { takeOver?: boolean; patienceMs?: number | null } = {},
): AWindow {
  const callId = randomUUID();
  const events: CallEvent[] = [];
  const leaving = new AbortController();
  const waiting = new Set<() => void>();
  const seen = new Map<string, number>();
  let seq = 0;
  const all: AWindow['all'] = (type) => events.filter((event): event is Of<typeof type> => event.type === type);

  async function listen(): Promise<void> {
    const { takeOver = false, patienceMs = 400 } = wish;
    const told = await ask.call.hold({ callId, sessionId, takeOver, patienceMs }, { signal: leaving.signal });
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
    leave: () => leaving.abort(),
    forget: (type) => void seen.set(type, all(type).length),
    next: (type, withinMs = 5_000) => {
      const count = seen.get(type) ?? 0;
      seen.set(type, count + 1);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const types = events.map((event) => event.type).join(' ');
          reject(new Error(`no ${type} within ${withinMs} ms, only ${types}`));
        }, withinMs);
        const look = (): void => {
          const found = all(type)[count];
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    say: async (pcm) => {
      for (let at = 0; at < pcm.byteLength; at += PIECE_BYTES) {
        const piece = new Blob([new Uint8Array(pcm.subarray(at, at + PIECE_BYTES))], { type: PCM_MEDIA_TYPE });
        await ask.call.sound({ callId, seq, pcm: piece });
        seq += 1;
      }
    },
  };
}

const SAMPLES_A_MS = 16;
const LOUD = 6_000;

/** A tone with syllables, at 16 kHz: loud enough for anybody. */
export function aVoice(ms: number): Uint8Array {
  const pcm = Buffer.alloc(ms * SAMPLES_A_MS * 2);
  for (let at = 0; at < ms * SAMPLES_A_MS; at += 1) {
    const syllable = 0.6 + 0.4 * Math.sin((2 * Math.PI * at) / (SAMPLES_A_MS * 180));
    pcm.writeInt16LE(Math.round(Math.sin((2 * Math.PI * 170 * at) / 16_000) * LOUD * syllable), at * 2);
  }
  return pcm;
}

export const aPause = (ms: number): Uint8Array => new Uint8Array(ms * SAMPLES_A_MS * 2);

/** Milliseconds of a 16 kHz recording that are louder than a quiet room. */
export function voicedMs(pcm: Float32Array): number {
  let voiced = 0;
  for (let at = 0; at + 160 <= pcm.length; at += 160) {
    const frame = pcm.subarray(at, at + 160);
    if (Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / 160) > 0.02) voiced += 10;
  }
  return voiced;
}

/** The coach's next line, heard to its end. */
export async function hearOut(ask: OpenHost['ask'], call: AWindow): Promise<void> {
  const { itemId } = await call.next('coachSound');
  const player = setInterval(() => void ask.call.played({ callId: call.callId, itemId, audioMs: 600_000 }), 20);
  try {
    await call.next('coachEnded');
  } finally {
    clearInterval(player);
    call.forget('coachSound');
  }
}

/** How much of the coach's sound has come. */
export const soundMs = (call: AWindow): number =>
  call.all('coachSound').reduce((ms, { pcm }) => ms + Buffer.from(pcm, 'base64').byteLength / 48, 0);

export const learnerTurns = ({ turns }: Pick<SessionView, 'turns'>): LearnerTurn[] =>
  turns.filter((turn): turn is LearnerTurn => turn.role === 'learner');

/** How much voice is in a turn's recording; 0 where it has none. */
export async function recordedMs(ask: OpenHost['ask'], turn: LearnerTurn | undefined): Promise<number> {
  if (turn === undefined || turn.recordingId === null) return 0;
  const sound = await ask.recordings.read({ recordingId: turn.recordingId });
  const wav = parseWav(new Uint8Array(await sound.arrayBuffer()));
  if (!wav.ok) throw new Error(wav.error.code);
  return voicedMs(wav.value.pcm);
}
