/**
 * Meters a realtime session's usage: each response and transcript as the provider counts it, or an estimate when it broke off. An
 * estimate carries the id of what it estimates, so a late count does not charge twice.
 */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { RealtimeUse, TokenCount } from '../../../ports/speech/index.ts';
import { estimateTokens } from '../connection/usage-metering.ts';
import type { KnownEvent } from './server-events.ts';

export interface RealtimeUsageMeterOptions {
  onUsageRecorded: (used: RealtimeUse) => void;
  /** Whether the provider also transcribes the learner's audio. */
  isTranscribed: boolean;
}

type DoneResponse = Extract<KnownEvent, { type: 'response.done' }>['response'];
type TranscriptionCompleted = Extract<KnownEvent, { type: 'conversation.item.input_audio_transcription.completed' }>;

/** OpenAI's "Managing costs" of the Realtime API: a token of input audio lasts 100 ms, one of output audio 50 ms. */
const INPUT_MS_PER_TOKEN = 100;
const OUTPUT_MS_PER_TOKEN = 50;
const BYTES_PER_MS = 48;
const decodedLength = (base64: string): number => Math.floor((base64.length * 3) / 4);

const NO_TOKENS: TokenCount = { input: 0, cached: 0, output: 0 };

export class RealtimeUsageMeter {
  readonly #options: RealtimeUsageMeterOptions;
  /** The response that is being generated. */
  #response: { id: string; text: string; audioMs: number } | null = null;
  /** Estimated input of the next response. */
  #context = { text: NO_TOKENS, audio: NO_TOKENS };
  #sentMs = 0;
  /** Start of each item's audio. An item without a reported start begins where the last one ended. */
  readonly #startMsByItem = new Map<string, number>();
  readonly #endMsByItem = new Map<string, number>();
  #lastEndMs = 0;
  /** Duration of audio by item that waits for its transcript. */
  readonly #pendingTranscriptMs = new Map<string, number>();

  constructor(options: RealtimeUsageMeterOptions) {
    this.#options = options;
  }

  recordSent(event: RealtimeClientEvent): void {
    if (event.type === 'input_audio_buffer.append') this.#sentMs += decodedLength(event.audio) / BYTES_PER_MS;
    if (event.type === 'conversation.item.create') this.recordContextText(JSON.stringify(event.item));
  }

  /** Adds text that every later response takes as input. */
  recordContextText(text: string): void {
    this.#addContext('text', estimateTokens(text));
  }

  handleEvent(event: KnownEvent): void {
    switch (event.type) {
      case 'input_audio_buffer.speech_started':
        this.#startMsByItem.set(event.item_id, event.audio_start_ms);
        return;
      case 'input_audio_buffer.speech_stopped':
        if (event.audio_end_ms !== undefined) this.#endMsByItem.set(event.item_id, event.audio_end_ms);
        return;
      case 'input_audio_buffer.committed':
        return this.#audioCommitted(event.item_id);
      case 'conversation.item.input_audio_transcription.completed':
        return this.#transcriptDone(event.item_id, event.usage);
      case 'conversation.item.input_audio_transcription.failed':
        return this.#transcriptDone(event.item_id, null);
      case 'response.created':
        this.#response = { id: event.response.id ?? `answer-at-${Math.round(this.#sentMs)}`, text: '', audioMs: 0 };
        return;
      case 'response.output_audio_transcript.delta':
        if (this.#response !== null) this.#response.text += event.delta;
        return;
      case 'response.output_audio.delta':
        if (this.#response !== null) this.#response.audioMs += decodedLength(event.delta) / BYTES_PER_MS;
        return;
      case 'response.done':
        return this.#responseDone(event.response);
      default:
    }
  }

  /** Estimates everything that is still open, because nothing more will be counted. */
  close(): void {
    for (const itemId of this.#pendingTranscriptMs.keys()) this.#transcriptDone(itemId, null);
    this.#estimateResponse();
  }

  #audioCommitted(itemId: string): void {
    const fromMs = this.#startMsByItem.get(itemId) ?? this.#lastEndMs;
    const toMs = this.#endMsByItem.get(itemId) ?? this.#sentMs;
    this.#lastEndMs = toMs;
    this.#startMsByItem.delete(itemId);
    this.#endMsByItem.delete(itemId);
    const durationMs = Math.max(0, toMs - fromMs);
    this.#addContext('audio', Math.ceil(durationMs / INPUT_MS_PER_TOKEN));
    if (this.#options.isTranscribed) this.#pendingTranscriptMs.set(itemId, durationMs);
  }

  #transcriptDone(id: string, usage: TranscriptionCompleted['usage']): void {
    const durationMs = this.#pendingTranscriptMs.get(id) ?? 0;
    this.#pendingTranscriptMs.delete(id);
    const tokens = usage?.input_tokens ?? durationMs / INPUT_MS_PER_TOKEN;
    const seconds = usage?.seconds ?? (tokens * INPUT_MS_PER_TOKEN) / 1_000;
    this.#options.onUsageRecorded({
      use: 'transcribe',
      id,
      seconds,
      isEstimate: usage === null || usage === undefined,
    });
  }

  #responseDone({ id, usage }: DoneResponse): void {
    if (usage === null || usage === undefined) return this.#estimateResponse();
    const { input_token_details: input, output_token_details: output } = usage;
    const count = (kind: 'text_tokens' | 'audio_tokens'): TokenCount => ({
      input: input?.[kind] ?? 0,
      cached: input?.cached_tokens_details?.[kind] ?? 0,
      output: output?.[kind] ?? 0,
    });
    const used = { text: count('text_tokens'), audio: count('audio_tokens') };
    this.#recordResponse(id ?? this.#response?.id, { ...used, isEstimate: false });
  }

  #estimateResponse(): void {
    if (this.#response === null) return;
    const { id, text, audioMs } = this.#response;
    this.#recordResponse(id, {
      text: { ...this.#context.text, output: estimateTokens(text) },
      audio: { ...this.#context.audio, output: Math.ceil(audioMs / OUTPUT_MS_PER_TOKEN) },
      isEstimate: true,
    });
  }

  /** The next response takes this response and all of its input. */
  #recordResponse(id: string | undefined, used: { text: TokenCount; audio: TokenCount; isEstimate: boolean }): void {
    this.#response = null;
    const next = ({ input, cached, output }: TokenCount): TokenCount => ({ input: input + output, cached, output: 0 });
    this.#context = { text: next(used.text), audio: next(used.audio) };
    if (id !== undefined) this.#options.onUsageRecorded({ use: 'reply', id, ...used });
  }

  #addContext(kind: 'text' | 'audio', tokens: number): void {
    const { [kind]: count } = this.#context;
    this.#context[kind] = { ...count, input: count.input + tokens };
  }
}
