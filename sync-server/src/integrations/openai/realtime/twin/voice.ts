/** The twin's voice: an answer as the events in which the service sends it, each with how much of its sound is out by then. */
import type {
  RealtimeConversationItemAssistantMessage,
  RealtimeResponse,
  RealtimeResponseUsage,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime';
import type { TwinLine } from './script.ts';

const SAMPLES_A_MS = 24;
const PIECE_MS = 100;
const MS_A_CHARACTER = 60;
const LOUDNESS = 2_500;

export type Unsent = RealtimeServerEvent extends infer Event
  ? Event extends { event_id: string }
    ? Omit<Event, 'event_id'>
    : Event
  : never;

export interface Piece {
  event: Unsent;
  /** Of sound, with this event. */
  audioMs: number;
}

export interface AnswerIds {
  responseId: string;
  itemId: string;
  callId: string;
}

export const lengthMs = ({ audioMs, text }: TwinLine): number => audioMs ?? text.length * MS_A_CHARACTER;

/** Everything between `response.created` and the end of the item. */
export function* piecesOf(line: TwinLine, { responseId, itemId }: AnswerIds): Generator<Piece> {
  const totalMs = lengthMs(line);
  if (line.text === '') return;
  const at = { response_id: responseId, item_id: itemId, output_index: 0, content_index: 0 };
  yield piece({
    type: 'response.output_item.added',
    response_id: responseId,
    output_index: 0,
    item: messageOf(itemId, '', 'in_progress'),
  });
  yield piece({ type: 'conversation.item.added', item: messageOf(itemId, '', 'in_progress') });
  yield piece({ type: 'response.content_part.added', ...at, part: { type: 'audio', transcript: '' } });
  const words = line.text.match(/\S+\s*/g) ?? [];
  let said = 0;
  for (let fromMs = 0; fromMs < totalMs; fromMs += PIECE_MS) {
    const toMs = Math.min(totalMs, fromMs + PIECE_MS);
    // Words run ahead of their sound by a piece or two.
    const wordsDue = Math.min(words.length, Math.ceil((words.length * (toMs + 2 * PIECE_MS)) / totalMs));
    if (wordsDue > said)
      yield piece({
        type: 'response.output_audio_transcript.delta',
        ...at,
        delta: words.slice(said, wordsDue).join(''),
      });
    said = Math.max(said, wordsDue);
    const delta = toneOf(fromMs, toMs, totalMs).toString('base64');
    yield { event: { type: 'response.output_audio.delta', ...at, delta }, audioMs: toMs };
  }
  yield piece({ type: 'response.output_audio.done', ...at }, totalMs);
  yield piece({ type: 'response.output_audio_transcript.done', ...at, transcript: line.text }, totalMs);
  yield piece({ type: 'response.content_part.done', ...at, part: { type: 'audio', transcript: line.text } }, totalMs);
  const item = messageOf(itemId, line.text, 'completed');
  yield piece({ type: 'response.output_item.done', response_id: responseId, output_index: 0, item }, totalMs);
  yield piece({ type: 'conversation.item.done', item }, totalMs);
}

const piece = (event: Unsent, audioMs = 0): Piece => ({ event, audioMs });

export const messageOf = (
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

export function doneOf(
  line: TwinLine,
  ids: AnswerIds,
  end: { status: 'completed' | 'cancelled' | 'failed'; audioMs: number; code?: string | undefined },
): Unsent {
  const { status, audioMs } = end;
  const message =
    line.text === '' ? [] : [messageOf(ids.itemId, line.text, status === 'completed' ? status : 'incomplete')];
  const call =
    line.calls === undefined || status !== 'completed'
      ? []
      : [{ type: 'function_call' as const, call_id: ids.callId, name: line.calls, arguments: '{}' }];
  return {
    type: 'response.done',
    response: {
      id: ids.responseId,
      object: 'realtime.response',
      status,
      output: [...message, ...call],
      output_modalities: ['audio'],
      ...(status === 'cancelled' ? { status_details: { type: status, reason: 'client_cancelled' } } : {}),
      ...(status === 'failed'
        ? { status_details: { type: status, error: { type: 'server_error', code: end.code ?? 'server_error' } } }
        : {}),
      usage: usageOf(line, audioMs),
    } satisfies RealtimeResponse,
  };
}

/** Sound is twenty tokens a second when it is made. */
function usageOf({ text }: TwinLine, audioMs: number): RealtimeResponseUsage {
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

/** A soft hum that swells and falls away. */
function toneOf(fromMs: number, toMs: number, totalMs: number): Buffer {
  const [from, to] = [fromMs * SAMPLES_A_MS, toMs * SAMPLES_A_MS];
  const tone = Buffer.alloc((to - from) * 2);
  for (let at = from; at < to; at += 1) {
    const fade = Math.min(1, at / 600, (totalMs * SAMPLES_A_MS - at) / 600);
    tone.writeInt16LE(Math.round(Math.sin((2 * Math.PI * 200 * at) / 24_000) * LOUDNESS * fade), (at - from) * 2);
  }
  return tone;
}
