/** Makes one cheap call of each kind to the configured services, the way the server makes it. */
import { readFileSync } from 'node:fs';
import type { LanguageModel, Usage } from '@parley/coach/model';
import type { CoachVoice } from '@parley/domain';
import { z } from 'zod';
import {
  transcriptionCostMicros,
  realtimeCostMicros,
  speechSynthesisCostMicros,
  tokenCostMicros,
} from '../metering/index.ts';
import type { Payments } from '../ports/payments/index.ts';
import type {
  RecognitionPass,
  PronunciationAssessor,
  RealtimeVoice,
  Synthesiser,
  Transcriber,
} from '../ports/speech/index.ts';

/** The cost of a call by our price list, and a warning about its result. */
export interface CallResult {
  costMicros: number;
  /** Something that works but needs the operator's attention. */
  warning: string | null;
}

export type ServiceCall = (signal: AbortSignal) => Promise<CallResult>;

/** The service answered, but the answer is unusable. */
export class UnusableAnswer extends Error {}

/** Two seconds spoken by our own synthesiser: 16 kHz, 16 bits, mono. */
const SPOKEN_TEXT = 'Good morning. Is the room still free?';
const WAV_HEADER_BYTES = 44;
const recording = (): Uint8Array =>
  readFileSync(new URL('good-morning.wav', import.meta.url)).subarray(WAV_HEADER_BYTES);

const VOICE: CoachVoice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
const MAX_TOKENS = 50;
const succeeded = (costMicros: number): CallResult => ({ costMicros, warning: null });

export const reply =
  (model: LanguageModel): ServiceCall =>
  async (signal) => {
    const bill = trackModelCost(model);
    let text = '';
    const answer = model.stream({
      purpose: 'reply',
      instructions: 'You are a friendly landlady. Answer in one short sentence.',
      messages: [
        { role: 'learner', text: 'Good morning.' },
        { role: 'coach', text: 'Good morning! How can I help you?' },
        { role: 'learner', text: 'Is the room still free?' },
      ],
      maxOutputTokens: MAX_TOKENS,
      signal,
      onUsage: bill.used,
    });
    for await (const event of answer) if (event.type === 'text') text += event.text;
    if (text.trim() === '') throw new UnusableAnswer('The answer was empty.');
    return succeeded(bill.costMicros());
  };

const Judgement = z.object({ isQuestion: z.boolean(), reason: z.string() });

export const structuredAnswer =
  (model: LanguageModel): ServiceCall =>
  async (signal) => {
    const bill = trackModelCost(model);
    await model.structured({
      purpose: 'judge',
      instructions: 'Say whether the sentence is a question, and why, in one short sentence.',
      messages: [{ role: 'learner', text: 'Is the room still free?' }],
      maxOutputTokens: 2 * MAX_TOKENS,
      signal,
      onUsage: bill.used,
      name: 'judgement',
      schema: Judgement,
    });
    return succeeded(bill.costMicros());
  };

function trackModelCost({ name }: LanguageModel): { used: (usage: Usage) => Promise<void>; costMicros: () => number } {
  let costMicros = 0;
  return {
    used: async (usage) => {
      costMicros += tokenCostMicros(name, usage);
    },
    costMicros: () => costMicros,
  };
}

/** Half a second of audio; a shorter result cannot be a sentence. */
const MIN_SPEECH_BYTES = 24_000;

export const voice =
  (synthesiser: Synthesiser): ServiceCall =>
  async (signal) => {
    const text = 'Good morning.';
    let costMicros = 0;
    let bytes = 0;
    const spoken = async (): Promise<void> => {
      costMicros += speechSynthesisCostMicros(synthesiser.name, text);
    };
    for await (const pcm of synthesiser.speak({ text, voice: VOICE, signal, spoken })) bytes += pcm.byteLength;
    if (bytes < MIN_SPEECH_BYTES) throw new UnusableAnswer('Less than half a second of audio was returned.');
    return succeeded(costMicros);
  };

export const transcription =
  (transcriber: Transcriber): ServiceCall =>
  async (signal) => {
    const bill = trackSpeechCost(transcriber.name);
    const text = await transcriber.transcribe({ pcm: [recording()], signal, heard: bill.heard });
    if (text.trim() === '') throw new UnusableAnswer('The transcript of the recording was empty.');
    return succeeded(bill.costMicros());
  };

export const pronunciationScore =
  (assessor: PronunciationAssessor): ServiceCall =>
  async (signal) => {
    const bill = trackSpeechCost(assessor.name);
    const stream = assessor.open({ referenceText: SPOKEN_TEXT, signal, heard: bill.heard });
    stream.write(recording());
    const { assessment } = await stream.end();
    if (assessment.pron === null) throw new UnusableAnswer('The recording was transcribed but not scored.');
    return succeeded(bill.costMicros());
  };

function trackSpeechCost(name: string): { heard: (pass: RecognitionPass) => Promise<void>; costMicros: () => number } {
  let costMicros = 0;
  return {
    heard: async (pass) => {
      costMicros += transcriptionCostMicros(name, pass);
    },
    costMicros: () => costMicros,
  };
}

export const realtimeGreeting =
  (realtime: RealtimeVoice): ServiceCall =>
  async (signal) => {
    let costMicros = 0;
    const sound = Promise.withResolvers<void>();
    const session = await realtime.open(
      {
        instructions: 'Say "Hello" and nothing else.',
        messages: [{ role: 'learner', text: 'Hello.' }],
        voice: VOICE,
        patienceMs: null,
        endFunction: { name: 'end_lesson', description: 'Ends the lesson.' },
      },
      {
        signal,
        onEvent: (event) => {
          if (event.type === 'coachAudio') sound.resolve();
          if (event.type === 'failed') sound.reject(event.failure);
          if (event.type === 'used' && event.used.use === 'reply')
            costMicros += realtimeCostMicros(realtime.name, event.used);
        },
      },
    );
    const giveUp = (): void => sound.reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      session.speak();
      await sound.promise;
      session.interrupt();
    } finally {
      signal.removeEventListener('abort', giveUp);
      await session.close();
    }
    return succeeded(costMicros);
  };

export const catalogue =
  (payments: Payments): ServiceCall =>
  async () => {
    const { prices } = await payments.readCatalogue();
    const warning = prices.some(({ active }) => active)
      ? null
      : 'Stripe has no active price of a product whose metadata says plan = PLUS or PRO: nothing can be bought.';
    return { costMicros: 0, warning };
  };
