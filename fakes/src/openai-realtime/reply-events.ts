/** Generates a response as the events that the service sends, each with the amount of audio sent so far. */
import type {
  RealtimeConversationItemAssistantMessage,
  RealtimeResponse,
  RealtimeResponseUsage,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime';
import type { ScriptedReply } from './script.ts';

const SAMPLES_PER_MS = 24;
const PIECE_MS = 100;
const MS_PER_CHARACTER = 60;
const AMPLITUDE = 2_500;

export type EventWithoutId = RealtimeServerEvent extends infer Event
  ? Event extends { event_id: string }
    ? Omit<Event, 'event_id'>
    : Event
  : never;

export interface TimedEvent {
  event: EventWithoutId;
  /** Duration of audio sent up to and including this event. */
  audioMs: number;
}

export interface ResponseIds {
  responseId: string;
  itemId: string;
  callId: string;
}

export const replyDurationMs = ({ audioMs, text }: ScriptedReply): number => audioMs ?? text.length * MS_PER_CHARACTER;

/** Yields everything between `response.created` and the end of the item. */
export function* replyEvents(reply: ScriptedReply, { responseId, itemId }: ResponseIds): Generator<TimedEvent> {
  const totalMs = replyDurationMs(reply);
  if (reply.text === '') return;
  const at = { response_id: responseId, item_id: itemId, output_index: 0, content_index: 0 };
  yield timedEvent({
    type: 'response.output_item.added',
    response_id: responseId,
    output_index: 0,
    item: assistantMessage(itemId, '', 'in_progress'),
  });
  yield timedEvent({ type: 'conversation.item.added', item: assistantMessage(itemId, '', 'in_progress') });
  yield timedEvent({ type: 'response.content_part.added', ...at, part: { type: 'audio', transcript: '' } });
  const words = reply.text.match(/\S+\s*/g) ?? [];
  let sentWords = 0;
  for (let fromMs = 0; fromMs < totalMs; fromMs += PIECE_MS) {
    const toMs = Math.min(totalMs, fromMs + PIECE_MS);
    // The transcript runs ahead of the audio by a chunk or two.
    const wordsDue = Math.min(words.length, Math.ceil((words.length * (toMs + 2 * PIECE_MS)) / totalMs));
    if (wordsDue > sentWords)
      yield timedEvent({
        type: 'response.output_audio_transcript.delta',
        ...at,
        delta: words.slice(sentWords, wordsDue).join(''),
      });
    sentWords = Math.max(sentWords, wordsDue);
    const delta = generateTone(fromMs, toMs, totalMs).toString('base64');
    yield { event: { type: 'response.output_audio.delta', ...at, delta }, audioMs: toMs };
  }
  yield timedEvent({ type: 'response.output_audio.done', ...at }, totalMs);
  yield timedEvent({ type: 'response.output_audio_transcript.done', ...at, transcript: reply.text }, totalMs);
  yield timedEvent(
    { type: 'response.content_part.done', ...at, part: { type: 'audio', transcript: reply.text } },
    totalMs,
  );
  const item = assistantMessage(itemId, reply.text, 'completed');
  yield timedEvent({ type: 'response.output_item.done', response_id: responseId, output_index: 0, item }, totalMs);
  yield timedEvent({ type: 'conversation.item.done', item }, totalMs);
}

const timedEvent = (event: EventWithoutId, audioMs = 0): TimedEvent => ({ event, audioMs });

export const assistantMessage = (
  id: string,
  transcript: string,
  status: 'in_progress' | 'completed' | 'incomplete',
): RealtimeConversationItemAssistantMessage => ({
  id,
  object: 'realtime.item',
  type: 'message',
  role: 'assistant',
  status,
  content: status === 'in_progress' ? [] : [{ type: 'output_audio', transcript }],
});

export function responseDoneEvent(
  reply: ScriptedReply,
  ids: ResponseIds,
  end: { status: 'completed' | 'cancelled' | 'failed' | 'incomplete'; audioMs: number; code?: string | undefined },
): EventWithoutId {
  const { status, audioMs } = end;
  const message =
    reply.text === '' ? [] : [assistantMessage(ids.itemId, reply.text, status === 'completed' ? status : 'incomplete')];
  const call =
    reply.callsFunction === undefined || status !== 'completed'
      ? []
      : [{ type: 'function_call' as const, call_id: ids.callId, name: reply.callsFunction, arguments: '{}' }];
  return {
    type: 'response.done',
    response: {
      id: ids.responseId,
      object: 'realtime.response',
      status,
      output: [...message, ...call],
      output_modalities: ['audio'],
      ...(status === 'cancelled' ? { status_details: { type: status, reason: 'client_cancelled' } } : {}),
      ...(status === 'incomplete' ? { status_details: { type: status, reason: 'content_filter' } } : {}),
      ...(status === 'failed'
        ? { status_details: { type: status, error: { type: 'server_error', code: end.code ?? 'server_error' } } }
        : {}),
      usage: replyUsage(reply, audioMs),
    } satisfies RealtimeResponse,
  };
}

/** Generated audio counts as twenty tokens per second. */
function replyUsage({ text }: ScriptedReply, audioMs: number): RealtimeResponseUsage {
  const out = { text_tokens: Math.ceil(text.length / 4), audio_tokens: Math.ceil(audioMs / 50) };
  return {
    total_tokens: 500 + out.text_tokens + out.audio_tokens,
    input_tokens: 500,
    output_tokens: out.text_tokens + out.audio_tokens,
    input_token_details: {
      text_tokens: 400,
      audio_tokens: 100,
      cached_tokens: 300,
      cached_tokens_details: { text_tokens: 300, audio_tokens: 0 },
    },
    output_token_details: out,
  };
}

/** A soft hum that fades in and out. */
function generateTone(fromMs: number, toMs: number, totalMs: number): Buffer {
  const [from, to] = [fromMs * SAMPLES_PER_MS, toMs * SAMPLES_PER_MS];
  const tone = Buffer.alloc((to - from) * 2);
  for (let at = from; at < to; at += 1) {
    const fade = Math.min(1, at / 600, (totalMs * SAMPLES_PER_MS - at) / 600);
    tone.writeInt16LE(Math.round(Math.sin((2 * Math.PI * 200 * at) / 24_000) * AMPLITUDE * fade), (at - from) * 2);
  }
  return tone;
}
