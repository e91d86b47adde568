/** A realtime session with the fake that records every event. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { RealtimeEvent, RealtimeSession, RealtimeSessionOptions } from '../../../../ports/speech/index.ts';
import { createOpenAiRealtime, type OpenAiRealtimeOptions } from '../openai-realtime.ts';
import type { RealtimeFake, ScriptedReply, RecordedSession } from '@parley/fakes/openai-realtime/index.ts';
import { silence, speech } from './microphone-audio.ts';

/** Long timeouts, so that a busy machine does not count as a silent provider. */
export const PATIENT_TIMEOUTS = { firstByteMs: 8_000, silenceMs: 8_000, maxRetryWaitMs: 300, backoffMs: 5 };
/** For providers that do fall silent. */
export const SHORT_TIMEOUTS = { ...PATIENT_TIMEOUTS, firstByteMs: 400, silenceMs: 400 };

/** 16-bit mono PCM at 24 kHz. */
const BYTES_PER_MS = 48;

/** Long enough to interrupt. */
export const LONG_UTTERANCE = {
  text: 'The room is on the third floor and it looks out over the garden, so it is quiet at night.',
  audioMs: 5_000,
} as const satisfies ScriptedReply;

export const aRealtimeRequest = (overrides: Partial<RealtimeSessionOptions> = {}): RealtimeSessionOptions => ({
  instructions: 'You are Marta Nowak, a landlady. Keep to your role.',
  messages: [{ role: 'learner', text: 'Begin.' }],
  voice: { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 },
  patienceMs: 400,
  endFunction: { name: 'end_lesson', description: 'Ends the lesson.' },
  ...overrides,
});

export const realtimeVoiceAt = (
  { url, key }: Pick<RealtimeFake, 'url' | 'key'>,
  options: Partial<OpenAiRealtimeOptions> = {},
) =>
  createOpenAiRealtime({
    apiKey: key,
    baseUrl: url,
    model: 'gpt-realtime-2.1',
    timeouts: PATIENT_TIMEOUTS,
    ...options,
  });

type EventOf<Type extends RealtimeEvent['type']> = Extract<RealtimeEvent, { type: Type }>;

export interface TestSession {
  session: RealtimeSession;
  /** The learner's audio as the session received it. */
  sentAudio: readonly Uint8Array[];
  events: readonly RealtimeEvent[];
  eventsOfType: <Type extends RealtimeEvent['type']>(type: Type) => EventOf<Type>[];
  /** Waits for the next event of this type that has not been awaited before; throws after the time limit. */
  next: <Type extends RealtimeEvent['type']>(type: Type, withinMs?: number) => Promise<EventOf<Type>>;
  /** Sends speech, then enough silence to end the turn. */
  speakTurn: (ms: number) => void;
  fake: RecordedSession;
  /** Resolves when this much of the coach's audio has arrived, counted from the start of the session. */
  audioArrived: (ms: number) => Promise<void>;
  /** Resolves when all audio of the coach's utterance has arrived. */
  utteranceGenerated: () => Promise<void>;
  /** Waits for the end of the next coach utterance without waiting for its playback. */
  nextUtterance: () => Promise<EventOf<'coachEnded'>>;
  /** Events that the fake received; they may take a moment to arrive. */
  sentEvents: <Type extends RealtimeClientEvent['type']>(type: Type) => Extract<RealtimeClientEvent, { type: Type }>[];
}

export async function startTestSession(
  fake: Pick<RealtimeFake, 'url' | 'key' | 'sessions'>,
  overrides: Partial<RealtimeSessionOptions> = {},
  options: Partial<OpenAiRealtimeOptions> = {},
): Promise<TestSession> {
  const events: RealtimeEvent[] = [];
  const waiters = new Set<() => void>();
  const readByType = new Map<string, number>();
  const sentAudio: Uint8Array[] = [];
  const opened = await realtimeVoiceAt(fake, options).open(aRealtimeRequest(overrides), {
    onEvent: (event) => {
      events.push(event);
      for (const check of waiters) check();
    },
    signal: new AbortController().signal,
  });
  const session: RealtimeSession = {
    ...opened,
    appendAudio: (pcm) => {
      sentAudio.push(pcm);
      opened.appendAudio(pcm);
    },
  };
  const fakeSession = fake.sessions.at(-1);
  if (fakeSession === undefined) throw new Error('the fake has no session');
  const next: TestSession['next'] = (type, withinMs = 10_000) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        waiters.delete(check);
      };
      const check = (): void => {
        const read = readByType.get(type) ?? 0;
        const event = events.filter((each): each is EventOf<typeof type> => each.type === type)[read];
        if (event === undefined) return;
        readByType.set(type, read + 1);
        stop();
        resolve(event);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`no ${type} within ${withinMs} ms, only ${events.map((event) => event.type).join(', ')}`));
      }, withinMs);
      waiters.add(check);
      check();
    });
  const audioArrived = async (ms: number): Promise<void> => {
    for (let arrivedMs = 0; arrivedMs < ms;) arrivedMs += (await next('coachAudio')).pcm.byteLength / BYTES_PER_MS;
  };
  const utteranceGenerated = async (): Promise<void> => {
    for (;;) {
      const { used } = await next('used');
      if (used.use === 'reply') break;
    }
    // Usage is reported just before the utterance counts as complete.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const nextUtterance = async (): Promise<EventOf<'coachEnded'>> => {
    const { itemId } = await next('coachStarted');
    await utteranceGenerated();
    session.reportPlayback({ itemId, audioMs: 60_000 });
    return next('coachEnded');
  };
  return {
    session,
    sentAudio,
    events,
    next,
    audioArrived,
    utteranceGenerated,
    nextUtterance,
    fake: fakeSession,
    eventsOfType: <Type extends RealtimeEvent['type']>(type: Type) =>
      events.filter((event): event is EventOf<Type> => event.type === type),
    sentEvents: <Type extends RealtimeClientEvent['type']>(type: Type) =>
      fakeSession.received.filter(
        (event): event is Extract<RealtimeClientEvent, { type: Type }> => event.type === type,
      ),
    speakTurn: (ms) => {
      session.appendAudio(speech(ms));
      session.appendAudio(silence(700));
    },
  };
}

/** Starts a session in which the coach has just begun the first of these utterances; the others follow when it speaks again. */
export async function startWithCoachSpeaking(
  fake: RealtimeFake,
  ...utterances: ScriptedReply[]
): Promise<{ testSession: TestSession; itemId: string }> {
  fake.script.queueReplies(...utterances);
  const testSession = await startTestSession(fake);
  testSession.session.speak();
  const { itemId } = await testSession.next('coachStarted');
  return { testSession, itemId };
}

/** While the coach speaks, sends a backchannel of `agreeMs` and a sentence `laterMs` after it. */
export async function backchannelThenSpeak(
  { session, next }: TestSession,
  { backchannelMs, pauseMs }: { backchannelMs: number; pauseMs: number },
): Promise<void> {
  session.appendAudio(speech(backchannelMs));
  await pause(50);
  session.appendAudio(silence(360));
  // Delayed audio arrives at once, before the first word can be recognised.
  if (pauseMs > 0) await pause(pauseMs);
  session.appendAudio(speech(1_200));
  await next('bargeIn');
  session.appendAudio(silence(700));
}
