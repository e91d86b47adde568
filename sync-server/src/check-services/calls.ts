/** One cheap call of each kind against what is configured, made as the server itself would make it. */
import { readFileSync } from 'node:fs';
import type { LanguageModel, Usage } from '@parley/coach/model';
import type { CoachVoice } from '@parley/domain';
import { z } from 'zod';
import { heardCostMicros, realtimeCostMicros, spokenCostMicros, tokenCostMicros } from '../metering/index.ts';
import type { Payments } from '../payments/index.ts';
import type { HeardPass, PronunciationAssessor, RealtimeVoice, Synthesiser, Transcriber } from '../speech/index.ts';

/** What a call cost, by our price list, and what is worth telling of its answer. */
export interface Called {
  costMicros: number;
  /** Something that works and should still be looked at. */
  warning: string | null;
}

export type Call = (signal: AbortSignal) => Promise<Called>;

/** The service answered, and the answer is of no use. */
export class UnusableAnswer extends Error {}

/** Two seconds of our own synthesiser's voice, as a microphone would give them: 16 kHz, 16 bits, mono. */
const SPOKEN_TEXT = 'Good morning. Is the room still free?';
const WAV_HEADER_BYTES = 44;
const recording = (): Uint8Array =>
  readFileSync(new URL('good-morning.wav', import.meta.url)).subarray(WAV_HEADER_BYTES);

const VOICE: CoachVoice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
const MAX_TOKENS = 50;
const good = (costMicros: number): Called => ({ costMicros, warning: null });

export const reply =
  (model: LanguageModel): Call =>
  async (signal) => {
    const bill = billOf(model);
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
      used: bill.used,
    });
    for await (const event of answer) if (event.type === 'text') text += event.text;
    if (text.trim() === '') throw new UnusableAnswer('The answer was empty.');
    return good(bill.costMicros());
  };

const Judgement = z.object({ isQuestion: z.boolean(), reason: z.string() });

export const structuredAnswer =
  (model: LanguageModel): Call =>
  async (signal) => {
    const bill = billOf(model);
    await model.structured({
      purpose: 'judge',
      instructions: 'Say whether the sentence is a question, and why, in one short sentence.',
      messages: [{ role: 'learner', text: 'Is the room still free?' }],
      maxOutputTokens: 2 * MAX_TOKENS,
      signal,
      used: bill.used,
      name: 'judgement',
      schema: Judgement,
    });
    return good(bill.costMicros());
  };

function billOf({ name }: LanguageModel): { used: (usage: Usage) => Promise<void>; costMicros: () => number } {
  let costMicros = 0;
  return {
    used: async (usage) => {
      costMicros += tokenCostMicros(name, usage);
    },
    costMicros: () => costMicros,
  };
}

/** Five tenths of a second, in bytes: less is no sentence. */
const LEAST_SPEECH_BYTES = 24_000;

export const voice =
  (synthesiser: Synthesiser): Call =>
  async (signal) => {
    const text = 'Good morning.';
    let costMicros = 0;
    let bytes = 0;
    const spoken = async (): Promise<void> => {
      costMicros += spokenCostMicros(synthesiser.name, text);
    };
    for await (const pcm of synthesiser.speak({ text, voice: VOICE, signal, spoken })) bytes += pcm.byteLength;
    if (bytes < LEAST_SPEECH_BYTES) throw new UnusableAnswer('Less than half a second of sound came.');
    return good(costMicros);
  };

export const transcription =
  (transcriber: Transcriber): Call =>
  async (signal) => {
    const bill = heardBillOf(transcriber.name);
    const text = await transcriber.transcribe({ pcm: recording(), signal, heard: bill.heard });
    if (text.trim() === '') throw new UnusableAnswer('Nothing was understood of the recording.');
    return good(bill.costMicros());
  };

export const pronunciationScore =
  (assessor: PronunciationAssessor): Call =>
  async (signal) => {
    const bill = heardBillOf(assessor.name);
    const stream = assessor.open({ referenceText: SPOKEN_TEXT, signal, heard: bill.heard });
    stream.write(recording());
    const { assessment } = await stream.end();
    if (assessment.pron === null) throw new UnusableAnswer('The recording was heard and not scored.');
    return good(bill.costMicros());
  };

function heardBillOf(name: string): { heard: (pass: HeardPass) => Promise<void>; costMicros: () => number } {
  let costMicros = 0;
  return {
    heard: async (pass) => {
      costMicros += heardCostMicros(name, pass);
    },
    costMicros: () => costMicros,
  };
}

export const realtimeHello =
  (realtime: RealtimeVoice): Call =>
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
        hear: (event) => {
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
      session.cut();
    } finally {
      signal.removeEventListener('abort', giveUp);
      await session.close();
    }
    return good(costMicros);
  };

export const catalogue =
  (payments: Payments): Call =>
  async () => {
    const { prices } = await payments.catalogue();
    const warning = prices.some(({ active }) => active)
      ? null
      : 'Stripe has no active price of a product whose metadata says plan = PLUS or PRO: nothing can be bought.';
    return { costMicros: 0, warning };
  };
