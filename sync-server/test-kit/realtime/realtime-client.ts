/** A device in a realtime session over a real socket, with a simulated player. */
import { randomUUID } from 'node:crypto';
import {
  MAX_REALTIME_FRAME_BYTES,
  REALTIME_BYTES_PER_MS,
  ENDPOINTS,
  type RealtimeBeginMessage,
  RealtimeServerMessage,
  type RealtimeClientMessage,
  unpackCoachAudio,
} from '@parley/contract';
import { WebSocket } from 'ws';
import { silence, speech } from '../../src/integrations/openai/realtime/test-kit/microphone-audio.ts';
import type { CatalogueIds } from '../sync/rows.ts';

type Of<Type extends RealtimeServerMessage['type']> = Extract<RealtimeServerMessage, { type: Type }>;

export interface RealtimeClient {
  messages: readonly RealtimeServerMessage[];
  all: <Type extends RealtimeServerMessage['type']>(type: Type) => Of<Type>[];
  /** The next message of this type that was not awaited yet. */
  next: <Type extends RealtimeServerMessage['type']>(type: Type, withinMs?: number) => Promise<Of<Type>>;
  /** When the message arrived, by `performance.now()`. */
  receivedAt: (message: RealtimeServerMessage) => number;
  /** The milliseconds of audio received for an utterance. */
  receivedAudioMs: (utteranceNumber: number) => number;
  sendMessage: (message: RealtimeClientMessage) => void;
  send: (data: string | Uint8Array) => void;
  sendAudio: (pcm: Uint8Array) => void;
  /** The audio frames that were sent, the oldest first. */
  sent: readonly Uint8Array[];
  /** Sends speech and then enough silence to end the turn. */
  speak: (ms: number) => void;
  /** Plays the coach's next utterance to its end at once. */
  playToEnd: () => Promise<Of<'coachEnded'>>;
  /** Resolves with the close code. */
  closed: Promise<number>;
  /** Closes the socket without a goodbye, like a machine that falls asleep. */
  terminate: () => void;
  socket: WebSocket;
}

export const aBeginMessage = (
  { practiceId, agentId }: Pick<CatalogueIds, 'practiceId' | 'agentId'>,
  overrides: Partial<RealtimeBeginMessage> = {},
): RealtimeBeginMessage => ({
  type: 'begin',
  held: { sessionId: randomUUID(), practiceId, agentId, difficulty: 'easy', turns: [], completed: [] },
  timeZone: 'Europe/Berlin',
  takeOver: false,
  patienceMs: 400,
  isMoment: false,
  ...overrides,
});

/** Throws when the socket cannot be opened. */
export async function openRealtimeClient(address: string, token: string): Promise<RealtimeClient> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}${ENDPOINTS.realtime.path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const messages: RealtimeServerMessage[] = [];
  const cameAt = new Map<RealtimeServerMessage, number>();
  const audioMsByUtterance = new Map<number, number>();
  const seenByType = new Map<string, number>();
  const waiting = new Set<() => void>();
  const closed = new Promise<number>((resolve) => void socket.on('close', resolve));
  socket.on('message', (data: Buffer, isSound) => {
    if (isSound) {
      const sound = unpackCoachAudio(data);
      if (sound === null) throw new Error('the frame contains no audio');
      const before = audioMsByUtterance.get(sound.utteranceNumber) ?? 0;
      audioMsByUtterance.set(sound.utteranceNumber, before + sound.pcm.byteLength / REALTIME_BYTES_PER_MS);
    } else {
      const message = RealtimeServerMessage.parse(JSON.parse(data.toString()));
      messages.push(message);
      cameAt.set(message, performance.now());
    }
    for (const look of waiting) look();
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });

  const all: RealtimeClient['all'] = (type) =>
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
  const next: RealtimeClient['next'] = async (type, withinMs = 10_000) => {
    const seen = seenByType.get(type) ?? 0;
    seenByType.set(type, seen + 1);
    return until(type, () => all(type)[seen], withinMs);
  };
  const send = (data: string | Uint8Array): void => socket.send(data);
  const tell = (message: RealtimeClientMessage): void => send(JSON.stringify(message));
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
    receivedAt: (message) => cameAt.get(message) ?? Number.NaN,
    receivedAudioMs: (utteranceNumber) => audioMsByUtterance.get(utteranceNumber) ?? 0,
    sendMessage: tell,
    send,
    sendAudio: hear,
    sent,
    speak: (ms) => {
      hear(speech(ms));
      hear(silence(600));
    },
    playToEnd: async () => {
      const { itemId } = await next('coachStarted');
      // Repeated, because it only counts once the utterance is complete.
      const player = setInterval(() => tell({ type: 'played', itemId, audioMs: 600_000 }), 20);
      try {
        return await next('coachEnded');
      } finally {
        clearInterval(player);
      }
    },
    closed,
    terminate: () => socket.terminate(),
    socket,
  };
}
