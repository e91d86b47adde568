/** A conversation with the twin, and everything that came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { RealtimeEvent, RealtimeSession, RealtimeWish } from '../../../../speech/index.ts';
import { createOpenAiRealtime, type OpenAiRealtimeOptions } from '../openai-realtime.ts';
import type { RealtimeTwin, TwinLine, TwinSession } from '../twin/index.ts';
import { silence, speech } from './sound.ts';

export const SHORT_WAITS = { firstByteMs: 400, silenceMs: 400, retryWaitMs: 300, backoffMs: 5 };

/** Long enough to break in on. */
export const LONG_LINE = {
  text: 'The room is on the third floor and it looks out over the garden, so it is quiet at night.',
  audioMs: 5_000,
} as const satisfies TwinLine;

export const aWish = (overrides: Partial<RealtimeWish> = {}): RealtimeWish => ({
  instructions: 'You are Marta Nowak, a landlady. Keep to your role.',
  messages: [{ role: 'learner', text: 'Begin.' }],
  voice: { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 },
  patienceMs: 400,
  endFunction: { name: 'end_lesson', description: 'Ends the lesson.' },
  ...overrides,
});

export const voiceAt = (
  { url, key }: Pick<RealtimeTwin, 'url' | 'key'>,
  options: Partial<OpenAiRealtimeOptions> = {},
) => createOpenAiRealtime({ apiKey: key, baseUrl: url, model: 'gpt-realtime-2.1', timeouts: SHORT_WAITS, ...options });

type Of<Type extends RealtimeEvent['type']> = Extract<RealtimeEvent, { type: Type }>;

export interface Talk {
  session: RealtimeSession;
  /** The learner's sound, as the session was given it. */
  heard: readonly Uint8Array[];
  events: readonly RealtimeEvent[];
  all: <Type extends RealtimeEvent['type']>(type: Type) => Of<Type>[];
  /** The next event of this type, of those that were not waited for yet; throws when it takes too long. */
  next: <Type extends RealtimeEvent['type']>(type: Type, withinMs?: number) => Promise<Of<Type>>;
  /** Speech, then enough silence for the turn to be over. */
  say: (ms: number) => void;
  twin: TwinSession;
  /** All of the line's sound has come. */
  lineIsMade: () => Promise<void>;
  /** The next line's end, without waiting until it would have been heard. */
  nextLine: () => Promise<Of<'coachEnded'>>;
  /** What the twin got; it may take a moment. */
  sent: <Type extends RealtimeClientEvent['type']>(type: Type) => Extract<RealtimeClientEvent, { type: Type }>[];
}

export async function talkWith(
  twin: Pick<RealtimeTwin, 'url' | 'key' | 'sessions'>,
  overrides: Partial<RealtimeWish> = {},
  options: Partial<OpenAiRealtimeOptions> = {},
): Promise<Talk> {
  const events: RealtimeEvent[] = [];
  const waiting = new Set<() => void>();
  const readByType = new Map<string, number>();
  const heard: Uint8Array[] = [];
  const opened = await voiceAt(twin, options).open(aWish(overrides), {
    hear: (event) => {
      events.push(event);
      for (const look of waiting) look();
    },
    signal: new AbortController().signal,
  });
  const session: RealtimeSession = {
    ...opened,
    hear: (pcm) => {
      heard.push(pcm);
      opened.hear(pcm);
    },
  };
  const seen = twin.sessions.at(-1);
  if (seen === undefined) throw new Error('the twin saw nobody');
  const next: Talk['next'] = (type, withinMs = 2_000) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        waiting.delete(look);
      };
      const look = (): void => {
        const read = readByType.get(type) ?? 0;
        const event = events.filter((each): each is Of<typeof type> => each.type === type)[read];
        if (event === undefined) return;
        readByType.set(type, read + 1);
        stop();
        resolve(event);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`no ${type} within ${withinMs} ms, only ${events.map((event) => event.type).join(', ')}`));
      }, withinMs);
      waiting.add(look);
      look();
    });
  const lineIsMade = async (): Promise<void> => {
    for (;;) {
      const { used } = await next('used');
      if (used.use === 'reply') break;
    }
    // What is used is told before the line counts as whole.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const nextLine = async (): Promise<Of<'coachEnded'>> => {
    const { itemId } = await next('coachStarted');
    await lineIsMade();
    session.played({ itemId, audioMs: 60_000 });
    return next('coachEnded');
  };
  return {
    session,
    heard,
    events,
    next,
    lineIsMade,
    nextLine,
    twin: seen,
    all: <Type extends RealtimeEvent['type']>(type: Type) =>
      events.filter((event): event is Of<Type> => event.type === type),
    sent: <Type extends RealtimeClientEvent['type']>(type: Type) =>
      seen.received.filter((event): event is Extract<RealtimeClientEvent, { type: Type }> => event.type === type),
    say: (ms) => {
      session.hear(speech(ms));
      session.hear(silence(700));
    },
  };
}

/** A conversation in which the coach has just begun the first of these lines; the others come when it speaks again. */
export async function coachSpeaking(twin: RealtimeTwin, ...lines: TwinLine[]): Promise<{ talk: Talk; itemId: string }> {
  twin.script.says(...lines);
  const talk = await talkWith(twin);
  talk.session.speak();
  const { itemId } = await talk.next('coachStarted');
  return { talk, itemId };
}

/** While the coach speaks: agreement of `agreeMs`, and a sentence that comes `laterMs` after it. */
export async function agreeAndGoOn(
  { session, next }: Talk,
  { agreeMs, laterMs }: { agreeMs: number; laterMs: number },
): Promise<void> {
  session.hear(speech(agreeMs));
  await pause(50);
  session.hear(silence(360));
  // Sound that was held up comes all at once, before we can know what the first word was.
  if (laterMs > 0) await pause(laterMs);
  session.hear(speech(1_200));
  await next('bargeIn');
  session.hear(silence(700));
}
