/**
 * Parses the provider's realtime events that we use, because the SDK's types are not checked at run time. Other events
 * are ignored.
 */
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime';
import { z } from 'zod';

const TokenCount = z.number().min(0).optional();

const Usage = z.object({
  input_token_details: z
    .object({
      text_tokens: TokenCount,
      audio_tokens: TokenCount,
      cached_tokens_details: z.object({ text_tokens: TokenCount, audio_tokens: TokenCount }).nullish(),
    })
    .nullish(),
  output_token_details: z.object({ text_tokens: TokenCount, audio_tokens: TokenCount }).nullish(),
});

const eventSchema = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

const itemShape = { item_id: z.string() };
const partShape = { item_id: z.string(), content_index: z.number() };
const Response = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  status_details: z
    .object({ reason: z.string().nullish(), error: z.object({ code: z.string().nullish() }).nullish() })
    .nullish(),
  output: z
    .array(
      z.object({
        id: z.string().nullish(),
        type: z.string(),
        name: z.string().nullish(),
        call_id: z.string().nullish(),
      }),
    )
    .optional(),
  usage: Usage.nullish(),
});

const KnownEvent = z.discriminatedUnion('type', [
  eventSchema('session.created', {}),
  eventSchema('session.updated', {}),
  eventSchema('input_audio_buffer.speech_started', { ...itemShape, audio_start_ms: z.number() }),
  eventSchema('input_audio_buffer.speech_stopped', { ...itemShape, audio_end_ms: z.number().optional() }),
  eventSchema('input_audio_buffer.committed', itemShape),
  eventSchema('conversation.item.input_audio_transcription.delta', { ...itemShape, delta: z.string().optional() }),
  eventSchema('conversation.item.input_audio_transcription.completed', {
    ...itemShape,
    transcript: z.string(),
    usage: z
      .object({ type: z.string(), seconds: z.number().optional(), input_tokens: z.number().optional() })
      .nullish(),
  }),
  eventSchema('conversation.item.input_audio_transcription.failed', itemShape),
  eventSchema('response.created', { response: Response }),
  eventSchema('response.output_audio.delta', { ...partShape, delta: z.string() }),
  eventSchema('response.output_audio_transcript.delta', { ...partShape, delta: z.string() }),
  eventSchema('response.done', { response: Response }),
  eventSchema('error', {
    error: z.object({ code: z.string().nullish(), type: z.string(), event_id: z.string().nullish() }),
  }),
]);
export type KnownEvent = z.infer<typeof KnownEvent>;

/** Compile-time check that each parsed event exists in the SDK and matches its type; otherwise the error names the events that do not. */
type SdkEvent<Type extends KnownEvent['type']> = Extract<RealtimeServerEvent, { type: Type }>;
type MismatchedEvent = {
  [Type in KnownEvent['type']]: [SdkEvent<Type>] extends [never]
    ? Type
    : SdkEvent<Type> extends z.input<typeof KnownEvent>
      ? never
      : Type;
}[KnownEvent['type']];
true satisfies [MismatchedEvent] extends [never] ? true : MismatchedEvent;

const TYPES: ReadonlySet<string> = new Set(KnownEvent.options.map(({ shape }) => shape.type.value));

/** Returns null for an event that we ignore and `malformed` for a known event of another shape. */
export function parseServerEvent(rawEvent: { type: string }): KnownEvent | 'malformed' | null {
  if (!TYPES.has(rawEvent.type)) return null;
  const { data } = KnownEvent.safeParse(rawEvent);
  return data ?? 'malformed';
}
