/**
 * What a conversation costs at the provider: each answer and each transcript as it counts them, or about as much of what was taken on and then
 * broke off. An estimate has the id of what it stands for, so that a count that comes after all is not a second one.
 */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { RealtimeUse, TokenCount } from '../../../speech/index.ts';
import { tokensAbout } from '../charge.ts';
import type { KnownEvent } from './server-events.ts';

export interface TalkBillParts {
  tell: (used: RealtimeUse) => void;
  /** Whether the provider writes down what it hears, too. */
  isTranscribed: boolean;
}

type Answered = Extract<KnownEvent, { type: 'response.done' }>['response'];
type Transcribed = Extract<KnownEvent, { type: 'conversation.item.input_audio_transcription.completed' }>;

/** OpenAI's "Managing costs" of the Realtime API: a token of the learner's sound lasts 100 ms, one of the coach's 50 ms. */
const HEARD_MS_A_TOKEN = 100;
const SPOKEN_MS_A_TOKEN = 50;
const BYTES_A_MS = 48;
const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4);

const NONE: TokenCount = { input: 0, cached: 0, output: 0 };

export class TalkBill {
  readonly #parts: TalkBillParts;
  /** In the making. */
  #answer: { id: string; text: string; audioMs: number } | null = null;
  /** What the next answer is told, as far as it is known. */
  #context = { text: NONE, audio: NONE };
  #sentMs = 0;
  /** Where the sound of an item begins; one that the provider did not tell of begins where the last ended. */
  readonly #beginsAtMs = new Map<string, number>();
  readonly #endsAtMs = new Map<string, number>();
  #boundaryMs = 0;
  /** Sound by item that is being written down. */
  readonly #pendingMs = new Map<string, number>();

  constructor(parts: TalkBillParts) {
    this.#parts = parts;
  }

  /** By us. */
  sent(event: RealtimeClientEvent): void {
    if (event.type === 'input_audio_buffer.append') this.#sentMs += bytesOf(event.audio) / BYTES_A_MS;
    if (event.type === 'conversation.item.create') this.told(JSON.stringify(event.item));
  }

  /** Text of ours that every answer takes in. */
  told(text: string): void {
    this.#addContext('text', tokensAbout(text));
  }

  take(event: KnownEvent): void {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        this.#beginsAtMs.set(event.item_id, event.audio_start_ms);
        return;
      case 'input_audio_buffer.speech_stopped':
        if (event.audio_end_ms !== undefined) this.#endsAtMs.set(event.item_id, event.audio_end_ms);
        return;
      case 'input_audio_buffer.committed':
        return this.#heard(event.item_id);
      case 'conversation.item.input_audio_transcription.completed':
        return this.#transcribed(event.item_id, event.usage);
      case 'conversation.item.input_audio_transcription.failed':
        return this.#transcribed(event.item_id, null);
      case 'response.created':
        this.#answer = { id: event.response.id ?? `answer-at-${Math.round(this.#sentMs)}`, text: '', audioMs: 0 };
        return;
      case 'response.output_audio_transcript.delta':
        if (this.#answer !== null) this.#answer.text += event.delta;
        return;
      case 'response.output_audio.delta':
        if (this.#answer !== null) this.#answer.audioMs += bytesOf(event.delta) / BYTES_A_MS;
        return;
      case 'response.done':
        return this.#answered(event.response);
      default:
    }
  }

  /** Nothing more will be counted: what is open is estimated. */
  close(): void {
    for (const itemId of this.#pendingMs.keys()) this.#transcribed(itemId, null);
    this.#estimateAnswer();
  }

  #heard(itemId: string): void {
    const fromMs = this.#beginsAtMs.get(itemId) ?? this.#boundaryMs;
    const toMs = this.#endsAtMs.get(itemId) ?? this.#sentMs;
    this.#boundaryMs = toMs;
    this.#beginsAtMs.delete(itemId);
    this.#endsAtMs.delete(itemId);
    const heardMs = Math.max(0, toMs - fromMs);
    this.#addContext('audio', Math.ceil(heardMs / HEARD_MS_A_TOKEN));
    if (this.#parts.isTranscribed) this.#pendingMs.set(itemId, heardMs);
  }

  #transcribed(id: string, usage: Transcribed['usage']): void {
    const heardMs = this.#pendingMs.get(id) ?? 0;
    this.#pendingMs.delete(id);
    const tokens = usage?.input_tokens ?? heardMs / HEARD_MS_A_TOKEN;
    const seconds = usage?.seconds ?? (tokens * HEARD_MS_A_TOKEN) / 1_000;
    this.#parts.tell({ use: 'transcribe', id, seconds, isEstimate: usage === null || usage === undefined });
  }

  #answered({ id, usage }: Answered): void {
    if (usage === null || usage === undefined) return this.#estimateAnswer();
    const { input_token_details: input, output_token_details: output } = usage;
    const count = (kind: 'text_tokens' | 'audio_tokens'): TokenCount => ({
      input: input?.[kind] ?? 0,
      cached: input?.cached_tokens_details?.[kind] ?? 0,
      output: output?.[kind] ?? 0,
    });
    const used = { text: count('text_tokens'), audio: count('audio_tokens') };
    this.#tell(id ?? this.#answer?.id, { ...used, isEstimate: false });
  }

  #estimateAnswer(): void {
    if (this.#answer === null) return;
    const { id, text, audioMs } = this.#answer;
    this.#tell(id, {
      text: { ...this.#context.text, output: tokensAbout(text) },
      audio: { ...this.#context.audio, output: Math.ceil(audioMs / SPOKEN_MS_A_TOKEN) },
      isEstimate: true,
    });
  }

  /** The next answer is told all that this one was told, and this one. */
  #tell(id: string | undefined, used: { text: TokenCount; audio: TokenCount; isEstimate: boolean }): void {
    this.#answer = null;
    const next = ({ input, cached, output }: TokenCount): TokenCount => ({ input: input + output, cached, output: 0 });
    this.#context = { text: next(used.text), audio: next(used.audio) };
    if (id !== undefined) this.#parts.tell({ use: 'reply', id, ...used });
  }

  #addContext(kind: 'text' | 'audio', tokens: number): void {
    const { [kind]: count } = this.#context;
    this.#context[kind] = { ...count, input: count.input + tokens };
  }
}
