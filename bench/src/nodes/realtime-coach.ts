/** Starts the OpenAI fake as the coach of calls. Each transcript and each reply is unique, so that it can be found again. */
import { startOpenAiFake } from '@parley/fakes/openai/index.ts';

export interface RealtimeCoach {
  /** Environment variables that make a server use it, with minutes limited by plan. */
  environment: Record<string, string>;
  /** How many of these turns a device sent to the coach with a call that it reopened. */
  countResent: (texts: readonly string[]) => number;
  close: () => Promise<void>;
}

/** The silence that ends a turn, in milliseconds. */
export const PATIENCE_MS = 400;
const REPLY = { audioMs: 600, delayMs: 300 };
/** Audio is generated this many times faster than it plays, in pieces of 100 ms. */
const SPEED = 4;
/** From the end of a turn to the first audio that the fake sends. */
export const COACH_DELAY_MS: number = PATIENCE_MS + REPLY.delayMs + 100 / SPEED;
/** More than a run needs. */
const SCRIPTED_TURNS = 2_000;

export async function startRealtimeCoach(): Promise<RealtimeCoach> {
  const numbers = Array.from({ length: SCRIPTED_TURNS }, (_, index) => index + 1);
  const script = {
    replies: numbers.map((number) => ({ ...REPLY, text: `I have a note of parcel ${number}. What else is late?` })),
    transcripts: numbers.map((number) => `Our delivery ${number} is two days late.`),
  };
  const { url, key, realtime, close } = await startOpenAiFake({ realtime: { speed: SPEED, script } });
  return {
    environment: {
      AI_QUOTA: 'plans',
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: 'gpt-4o-mini',
      OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-mini-transcribe',
      OPENAI_REALTIME_MODEL: 'gpt-realtime',
    },
    countResent: (texts) => {
      const received = JSON.stringify(realtime?.sessions.map((session) => session.received));
      return texts.filter((text) => received.includes(text)).length;
    },
    close,
  };
}
