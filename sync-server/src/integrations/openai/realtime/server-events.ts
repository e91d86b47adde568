/** What we read of the provider's events, parsed: the client's types are a promise that nobody has kept yet. All others are none of ours. */
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime';
import { z } from 'zod';

const Count = z.number().min(0).optional();

const Usage = z.object({
  input_token_details: z
    .object({
      text_tokens: Count,
      audio_tokens: Count,
      cached_tokens_details: z.object({ text_tokens: Count, audio_tokens: Count }).nullish(),
    })
    .nullish(),
  output_token_details: z.object({ text_tokens: Count, audio_tokens: Count }).nullish(),
});
export type RealtimeUsage = z.infer<typeof Usage>;

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

const ofItem = { item_id: z.string() };
const ofPart = { item_id: z.string(), content_index: z.number() };
const Response = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  status_details: z
    .object({ reason: z.string().nullish(), error: z.object({ code: z.string().nullish() }).nullish() })
    .nullish(),
  output: z.array(z.object({ type: z.string(), name: z.string().nullish(), call_id: z.string().nullish() })).optional(),
  usage: Usage.nullish(),
});

const KnownEvent = z.discriminatedUnion('type', [
  event('session.created', {}),
  event('session.updated', {}),
  event('input_audio_buffer.speech_started', { ...ofItem, audio_start_ms: z.number() }),
  event('input_audio_buffer.speech_stopped', { ...ofItem, audio_end_ms: z.number().optional() }),
  event('input_audio_buffer.committed', ofItem),
  event('conversation.item.input_audio_transcription.delta', { ...ofItem, delta: z.string().optional() }),
  event('conversation.item.input_audio_transcription.completed', {
    ...ofItem,
    transcript: z.string(),
    usage: z
      .object({ type: z.string(), seconds: z.number().optional(), input_tokens: z.number().optional() })
      .nullish(),
  }),
  event('conversation.item.input_audio_transcription.failed', ofItem),
  event('response.created', { response: Response }),
  event('response.output_audio.delta', { ...ofPart, delta: z.string() }),
  event('response.output_audio_transcript.delta', { ...ofPart, delta: z.string() }),
  event('response.done', { response: Response }),
  event('error', { error: z.object({ code: z.string().nullish(), type: z.string(), event_id: z.string().nullish() }) }),
]);
export type KnownEvent = z.infer<typeof KnownEvent>;

/** The compiler's word that each of them is one of the provider's, and may look as the provider says; else it names those that do not. */
type Theirs<Type extends KnownEvent['type']> = Extract<RealtimeServerEvent, { type: Type }>;
type Unlike = {
  [Type in KnownEvent['type']]: [Theirs<Type>] extends [never]
    ? Type
    : Theirs<Type> extends z.input<typeof KnownEvent>
      ? never
      : Type;
}[KnownEvent['type']];
true satisfies [Unlike] extends [never] ? true : Unlike;

const TYPES: ReadonlySet<string> = new Set(KnownEvent.options.map(({ shape }) => shape.type.value));

/** Null for an event that is none of ours; `malformed` for one that is, in another shape. */
export function readEvent(sent: { type: string }): KnownEvent | 'malformed' | null {
  if (!TYPES.has(sent.type)) return null;
  const { data } = KnownEvent.safeParse(sent);
  return data ?? 'malformed';
}
