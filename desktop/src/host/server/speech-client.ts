/**
 * Speech calls, whose request or response is audio. A turn is uploaded whole or while it is being spoken; an utterance
 * is streamed while it is synthesised.
 */
import { AssessResponse, ENDPOINTS, PCM_MEDIA_TYPE, TranscribeResponse } from '@parley/contract';
import type { CoachVoice } from '@parley/domain';
import { readAnswer } from './check-answer.ts';
import { IdleTimeout } from './idle-timeout.ts';
import { limitBytes } from './limit-answer.ts';

/** More than ten minutes; a coach's line of the maximum length takes about five. */
const MAX_UTTERANCE_BYTES = 32 * 1_048_576;

export interface SpeechClient {
  /** Transcribes 16-bit mono PCM at 16 kHz. `patienceMs` allows for a model that must be loaded first. */
  transcribe(sessionId: string, pcm: Uint8Array, patienceMs?: number): Promise<string>;
  /** Transcribes and assesses audio of the same format. */
  assess(sessionId: string, pcm: Uint8Array): Promise<AssessResponse>;
  /** Does the same while the learner is speaking. Resolves after the audio has ended. */
  assessStream(sessionId: string, sound: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<AssessResponse>;
  /** Streams an utterance in a coach's voice: 16-bit mono PCM at 24 kHz, in whole samples. */
  synthesise(line: { text: string; voice: CoachVoice }, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
}

export interface SpeechClientParts {
  serverUrl: string;
  timeoutMs: number;
  headers: () => Promise<Record<string, string>>;
  ask: (request: Request, ends: readonly AbortSignal[]) => Promise<Response>;
  refusalOf: (response: Response) => Promise<Error>;
}

export function createSpeechClient({ serverUrl, timeoutMs, headers, ask, refusalOf }: SpeechClientParts): SpeechClient {
  const audioRequest = async (
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
      // `fetch` requires this option for a streamed body.
      duplex: 'half' as const,
    };
    return new Request(address, init);
  };

  async function sendRecording(
    path: string,
    sessionId: string,
    { pcm, patienceMs = timeoutMs }: { pcm: Uint8Array; patienceMs?: number | undefined },
  ): Promise<unknown> {
    const request = await audioRequest(path, sessionId, new Uint8Array(pcm));
    const response = await ask(request, [AbortSignal.timeout(patienceMs)]);
    if (!response.ok) throw await refusalOf(response);
    return response.json();
  }

  return {
    transcribe: async (sessionId, pcm, patienceMs) =>
      readAnswer(
        TranscribeResponse,
        await sendRecording(ENDPOINTS.transcribe.path, sessionId, { pcm, patienceMs }),
        'transcribe',
      ).text,
    assess: async (sessionId, pcm) =>
      readAnswer(AssessResponse, await sendRecording(ENDPOINTS.assess.path, sessionId, { pcm }), 'assess'),

    async assessStream(sessionId, sound, signal) {
      // The length of speech is not limited; only a stalled stream or an unresponsive server ends the call.
      const silence = new IdleTimeout(timeoutMs);
      try {
        const body = sound.pipeThrough(silence.passThrough());
        const response = await ask(await audioRequest(ENDPOINTS.assess.path, sessionId, body), [
          silence.signal,
          signal,
        ]);
        if (!response.ok) throw await refusalOf(response);
        return readAnswer(AssessResponse, await response.json(), 'assess');
      } finally {
        silence.stop();
      }
    },

    async *synthesise(line, signal) {
      const silence = new IdleTimeout(timeoutMs);
      try {
        const request = new Request(new URL(ENDPOINTS.speak.path, serverUrl), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(await headers()) },
          body: JSON.stringify(line),
        });
        const response = await ask(request, [silence.signal, signal]);
        if (!response.ok || response.body === null) throw await refusalOf(response);
        yield* wholeSamples(
          response.body.pipeThrough(silence.passThrough()).pipeThrough(limitBytes(MAX_UTTERANCE_BYTES)),
        );
      } finally {
        silence.stop();
      }
    },
  };
}

/** Network chunks may split a two-byte sample. */
async function* wholeSamples(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let half: Uint8Array = new Uint8Array();
  for await (const piece of sound) {
    const bytes = half.byteLength === 0 ? piece : Buffer.concat([half, piece]);
    const whole = bytes.byteLength - (bytes.byteLength % 2);
    half = bytes.slice(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
  }
}
