/** The calls whose body or answer is sound. What was said goes up whole, or while it is spoken; a coach's line comes down while it is made. */
import { Assessed, PCM_MEDIA_TYPE, Transcribed } from '@parley/contract';
import type { CoachVoice } from '@parley/domain';
import { Silence } from './silence.ts';

const TRANSCRIBE_PATH = '/v1/speech/transcribe';
const ASSESS_PATH = '/v1/speech/assess';
const SPEAK_PATH = '/v1/speech/speak';

export interface SpeechCalls {
  /** What was said; 16-bit mono PCM at 16 kHz. `patienceMs`: where its model may have to be loaded first. */
  transcribe(sessionId: string, pcm: Uint8Array, patienceMs?: number): Promise<string>;
  /** What was said, and how well; the same sound. */
  assess(sessionId: string, pcm: Uint8Array): Promise<Assessed>;
  /** The same, while it is spoken: answered when the sound has come to its end. */
  assessWhileSpoken(sessionId: string, sound: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Assessed>;
  /** A line in a coach's voice, while it is made: 16-bit mono PCM at 24 kHz, in whole samples. */
  speak(line: { text: string; voice: CoachVoice }, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
}

export interface SpeechCallParts {
  serverUrl: string;
  timeoutMs: number;
  headers: () => Promise<Record<string, string>>;
  ask: (request: Request, ends: readonly AbortSignal[]) => Promise<Response>;
  refusalOf: (response: Response) => Promise<Error>;
}

export function createSpeechCalls({ serverUrl, timeoutMs, headers, ask, refusalOf }: SpeechCallParts): SpeechCalls {
  const soundRequest = async (
    path: string,
    sessionId: string,
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  ): Promise<Request> => {
    const address = new URL(path, serverUrl);
    address.searchParams.set('sessionId', sessionId);
    const init = {
      body,
      method: 'POST',
      headers: { 'content-type': PCM_MEDIA_TYPE, ...(await headers()) },
      // `fetch` sends no body that grows without this.
      duplex: 'half' as const,
    };
    return new Request(address, init);
  };

  async function sendWhole(
    path: string,
    sessionId: string,
    { pcm, patienceMs = timeoutMs }: { pcm: Uint8Array; patienceMs?: number | undefined },
  ): Promise<unknown> {
    const request = await soundRequest(path, sessionId, new Uint8Array(pcm));
    const response = await ask(request, [AbortSignal.timeout(patienceMs)]);
    if (!response.ok) throw await refusalOf(response);
    return response.json();
  }

  return {
    transcribe: async (sessionId, pcm, patienceMs) =>
      Transcribed.parse(await sendWhole(TRANSCRIBE_PATH, sessionId, { pcm, patienceMs })).text,
    assess: async (sessionId, pcm) => Assessed.parse(await sendWhole(ASSESS_PATH, sessionId, { pcm })),

    async assessWhileSpoken(sessionId, sound, signal) {
      // However long somebody speaks: only a microphone that falls silent, or a server that does not answer, is given up.
      const silence = new Silence(timeoutMs);
      try {
        const body = sound.pipeThrough(silence.listening());
        const response = await ask(await soundRequest(ASSESS_PATH, sessionId, body), [silence.signal, signal]);
        if (!response.ok) throw await refusalOf(response);
        return Assessed.parse(await response.json());
      } finally {
        silence.stop();
      }
    },

    async *speak(line, signal) {
      const silence = new Silence(timeoutMs);
      try {
        const request = new Request(new URL(SPEAK_PATH, serverUrl), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(await headers()) },
          body: JSON.stringify(line),
        });
        const response = await ask(request, [silence.signal, signal]);
        if (!response.ok || response.body === null) throw await refusalOf(response);
        yield* wholeSamples(response.body.pipeThrough(silence.listening()));
      } finally {
        silence.stop();
      }
    },
  };
}

/** A network cuts where it likes, also through a sample of two bytes. */
async function* wholeSamples(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let half: Uint8Array = new Uint8Array();
  for await (const piece of sound) {
    const bytes = half.byteLength === 0 ? piece : Buffer.concat([half, piece]);
    const whole = bytes.byteLength - (bytes.byteLength % 2);
    half = bytes.slice(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
  }
}
