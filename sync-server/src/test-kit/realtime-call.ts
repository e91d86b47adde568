/** A device in a live conversation, over a real socket, with a player that plays what it is sent. */
import { randomUUID } from 'node:crypto';
import {
  MAX_REALTIME_FRAME_BYTES,
  REALTIME_BYTES_A_MS,
  REALTIME_PATH,
  type RealtimeBegin,
  RealtimeDown,
  type RealtimeUp,
  unpackCoachAudio,
} from '@parley/contract';
import { WebSocket } from 'ws';
import { silence, speech } from '../integrations/openai/realtime/test-kit/sound.ts';
import type { CatalogueIds } from './rows.ts';

type Of<Type extends RealtimeDown['type']> = Extract<RealtimeDown, { type: Type }>;

export interface RealtimeCall {
  messages: readonly RealtimeDown[];
  all: <Type extends RealtimeDown['type']>(type: Type) => Of<Type>[];
  /** The next message of this type, of those that were not waited for yet. */
  next: <Type extends RealtimeDown['type']>(type: Type, withinMs?: number) => Promise<Of<Type>>;
  /** When a message came, by `performance.now()`. */
  cameAt: (message: RealtimeDown) => number;
  /** Of sound that came for a line, in ms. */
  soundMs: (line: number) => number;
  tell: (message: RealtimeUp) => void;
  send: (data: string | Uint8Array) => void;
  hear: (pcm: Uint8Array) => void;
  /** What was sent to be heard, oldest first. */
  sent: readonly Uint8Array[];
  /** Speech, then enough silence for the turn to be over. */
  say: (ms: number) => void;
  /** The next line of the coach, heard to its end at once. */
  hearOut: () => Promise<Of<'coachEnded'>>;
  /** Resolves with the code when the socket is closed. */
  closed: Promise<number>;
  /** Without a goodbye, as when a machine falls asleep. */
  vanish: () => void;
  socket: WebSocket;
}

export const aBegin = ({ practiceId, agentId }: CatalogueIds, wish: Partial<RealtimeBegin> = {}): RealtimeBegin => ({
  type: 'begin',
  held: { sessionId: randomUUID(), practiceId, agentId, difficulty: 'easy', turns: [], completed: [] },
  timeZone: 'Europe/Berlin',
  takeOver: false,
  patienceMs: 400,
  isMoment: false,
  ...wish,
});

/** Throws where no socket is opened. */
export async function callRealtime(address: string, token: string): Promise<RealtimeCall> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}${REALTIME_PATH}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const messages: RealtimeDown[] = [];
  const cameAt = new Map<RealtimeDown, number>();
  const soundMsByLine = new Map<number, number>();
  const seenByType = new Map<string, number>();
  const waiting = new Set<() => void>();
  const closed = new Promise<number>((resolve) => void socket.on('close', resolve));
  socket.on('message', (data: Buffer, isSound) => {
    if (isSound) {
      const sound = unpackCoachAudio(data);
      if (sound === null) throw new Error('a frame that is no sound');
      const before = soundMsByLine.get(sound.line) ?? 0;
      soundMsByLine.set(sound.line, before + sound.pcm.byteLength / REALTIME_BYTES_A_MS);
    } else {
      const message = RealtimeDown.parse(JSON.parse(data.toString()));
      messages.push(message);
      cameAt.set(message, performance.now());
    }
    for (const look of waiting) look();
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });

  const all: RealtimeCall['all'] = (type) =>
    messages.filter((message): message is Of<typeof type> => message.type === type);
  const until = <Value>(what: string, look: () => Value | undefined, withinMs: number): Promise<Value> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        waiting.delete(tryOnce);
      };
      const tryOnce = (): void => {
        const value = look();
        if (value === undefined) return;
        stop();
        resolve(value);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`no ${what} within ${withinMs} ms, only ${JSON.stringify(messages)}`));
      }, withinMs);
      waiting.add(tryOnce);
      tryOnce();
    });
  const next: RealtimeCall['next'] = async (type, withinMs = 2_000) => {
    const seen = seenByType.get(type) ?? 0;
    seenByType.set(type, seen + 1);
    return until(type, () => all(type)[seen], withinMs);
  };
  const send = (data: string | Uint8Array): void => socket.send(data);
  const tell = (message: RealtimeUp): void => send(JSON.stringify(message));
  const sent: Uint8Array[] = [];
  const hear = (pcm: Uint8Array): void => {
    sent.push(pcm);
    for (let at = 0; at < pcm.byteLength; at += MAX_REALTIME_FRAME_BYTES)
      send(pcm.subarray(at, at + MAX_REALTIME_FRAME_BYTES));
  };

  return {
    messages,
    all,
    next,
    cameAt: (message) => cameAt.get(message) ?? Number.NaN,
    soundMs: (line) => soundMsByLine.get(line) ?? 0,
    tell,
    send,
    hear,
    sent,
    say: (ms) => {
      hear(speech(ms));
      hear(silence(600));
    },
    hearOut: async () => {
      const { itemId } = await next('coachStarted');
      // Told again and again: it counts from when the line is whole.
      const player = setInterval(() => tell({ type: 'played', itemId, audioMs: 600_000 }), 20);
      try {
        return await next('coachEnded');
      } finally {
        clearInterval(player);
      }
    },
    closed,
    vanish: () => socket.terminate(),
    socket,
  };
}
