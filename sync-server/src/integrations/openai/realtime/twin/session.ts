/** One connection to the twin: it answers each event as the service does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  RealtimeClientEvent,
  RealtimeErrorEvent,
  RealtimeSessionCreateRequest,
} from 'openai/resources/realtime/realtime';
import type { WebSocket } from 'ws';
import { eventProblem, type SchemaProblem } from '../../schemas/index.ts';
import { realtimeProblem } from '../../twin/model-rules.ts';
import { checkedEvent } from '../../twin/own-answers.ts';
import { createEars } from './ears.ts';
import type { TwinLine, TwinScript, TwinSession } from './script.ts';
import { TwinTalk } from './talk.ts';
import { type AnswerIds, doneOf, lengthMs, piecesOf, type Unsent } from './voice.ts';

export interface SessionParts {
  socket: WebSocket;
  model: string;
  script: TwinScript;
  /** How much faster than it is heard the twin's sound is made. */
  speed: number;
  transcribeMs: number;
  refusesSession: string | null;
}

export function holdTwinSession(parts: SessionParts): TwinSession {
  const { socket, script, speed } = parts;
  const received: RealtimeClientEvent[] = [];
  const speechStartedAt: number[] = [];
  const talk = new TwinTalk();
  /** How much sound each item has. */
  const audioMsByItem = new Map<string, number>();
  let session: RealtimeSessionCreateRequest & { id: string; object: 'realtime.session' } = {
    type: 'realtime',
    object: 'realtime.session',
    id: 'sess_1',
    model: parts.model,
  };
  let count = 0;
  let speechItem = '';
  let answer: (AnswerIds & { line: TwinLine; cancel: AbortController; audioMs: number }) | null = null;

  const nextId = (kind: string): string => `${kind}_${(count += 1)}`;
  const send = (event: Unsent): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(JSON.stringify(checkedEvent('RealtimeServerEvent', { ...event, event_id: nextId('event') })));
  };
  const refuse = (
    cause: { event_id?: string } | null,
    code: string,
    { message = 'The twin refuses.', param = null }: { message?: string; param?: string | null } = {},
  ): void => {
    const eventId = typeof cause?.event_id === 'string' ? cause.event_id : null;
    send({
      type: 'error',
      error: { type: 'invalid_request_error', code, message, param, event_id: eventId },
    } satisfies Omit<RealtimeErrorEvent, 'event_id'>);
  };
  const refuseFor = (cause: { event_id?: string }, problem: SchemaProblem): void =>
    refuse(cause, problem.code, problem);

  const ears = createEars({
    started: (audio_start_ms) => {
      speechItem = nextId('item');
      speechStartedAt.push(performance.now());
      send({ type: 'input_audio_buffer.speech_started', audio_start_ms, item_id: speechItem });
    },
    stopped: (audio_end_ms) => {
      send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms, item_id: speechItem });
      commit(speechItem);
    },
  });

  function commit(itemId: string): void {
    const holdsSpeech = ears.holdsSpeech();
    const ms = ears.commit();
    audioMsByItem.set(itemId, ms);
    send({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: null });
    const item = { id: itemId, type: 'message', role: 'user', content: [{ type: 'input_audio' }] } as const;
    send({ type: 'conversation.item.added', item: { ...item, content: [...item.content] } });
    const text = holdsSpeech ? transcriptOf() : '';
    // A model that hears needs no transcript to answer.
    talk.heard(itemId, text ?? '');
    void transcribe(itemId, { seconds: ms / 1_000, text });
  }

  function transcriptOf(): string | null {
    const given = script.nextTranscript();
    return given === undefined ? talk.ownTranscript() : given;
  }

  async function transcribe(
    item_id: string,
    { seconds, text }: { seconds: number; text: string | null },
  ): Promise<void> {
    await sleep(parts.transcribeMs);
    const at = { item_id, content_index: 0 };
    if (text === null)
      return send({
        type: 'conversation.item.input_audio_transcription.failed',
        ...at,
        error: { code: 'audio_unintelligible', message: 'The twin did not understand.' },
      });
    for (const delta of text.match(/\S+\s*/g) ?? [])
      send({ type: 'conversation.item.input_audio_transcription.delta', ...at, delta });
    send({
      type: 'conversation.item.input_audio_transcription.completed',
      ...at,
      transcript: text,
      usage: { type: 'duration', seconds },
    });
  }

  async function respond(line: TwinLine): Promise<void> {
    const ids = { responseId: nextId('resp'), itemId: nextId('item'), callId: nextId('call') };
    const mine = { ...ids, line, cancel: new AbortController(), audioMs: 0 };
    const { signal } = mine.cancel;
    const wait = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal }).catch(() => undefined);
    answer = mine;
    audioMsByItem.set(ids.itemId, 0);
    send({
      type: 'response.created',
      response: { id: ids.responseId, object: 'realtime.response', status: 'in_progress' },
    });
    const wrong = line.goesWrong;
    await wait(line.thinksMs ?? 0);
    for (const { event, audioMs } of piecesOf(line, ids)) {
      const newMs = audioMs - mine.audioMs;
      if (newMs > 0) await wait(newMs / speed);
      if (signal.aborted || socket.readyState !== socket.OPEN) break;
      send(event);
      mine.audioMs = Math.max(mine.audioMs, audioMs);
      audioMsByItem.set(ids.itemId, mine.audioMs);
      if (wrong !== undefined && mine.audioMs >= Math.min(wrong.afterMs, lengthMs(line))) {
        if (wrong.does === 'failed') break;
        return goWrong(wrong.does, wrong.code);
      }
    }
    answer = null;
    const status = signal.aborted ? 'cancelled' : wrong?.does === 'failed' ? 'failed' : 'completed';
    send(doneOf(line, ids, { status, audioMs: mine.audioMs, code: wrong?.code }));
  }

  function goWrong(does: string, code = 'server_error'): void {
    if (does === 'cut') socket.terminate();
    if (does === 'garble_json') socket.send('{"type":"response.output_audio.del');
    if (does === 'garble') socket.send(JSON.stringify({ type: 'response.output_audio.delta', delta: 7 }));
    if (does === 'error') send({ type: 'error', error: { type: 'server_error', code, message: 'The twin fails.' } });
  }

  function update(wanted: Extract<RealtimeClientEvent, { type: 'session.update' }>): void {
    if (parts.refusesSession !== null) return refuse(wanted, parts.refusesSession);
    if (wanted.session.type !== 'realtime') return refuse(wanted, 'invalid_value');
    const problem = realtimeProblem(wanted.session.model ?? parts.model, { ...wanted.session });
    if (problem !== null) return refuseFor(wanted, problem);
    session = { ...session, ...wanted.session };
    ears.listen(wanted.session.audio?.input?.turn_detection ?? null);
    send({ type: 'session.updated', session });
  }

  function take(event: RealtimeClientEvent): void {
    if (event.type !== 'input_audio_buffer.append') received.push(event);
    switch (event.type) {
      case 'session.update':
        return update(event);
      case 'input_audio_buffer.append':
        return ears.take(Buffer.from(event.audio, 'base64'));
      case 'input_audio_buffer.commit': {
        if (!ears.holdsSpeech()) return refuse(event, 'input_audio_buffer_commit_empty');
        const itemId = speechItem;
        // For the service the speech goes on, as an item of its own.
        speechItem = nextId('item');
        return commit(itemId);
      }
      case 'conversation.item.create': {
        const id = event.item.id ?? nextId('item');
        audioMsByItem.set(id, 0);
        talk.told(id, event.item);
        send({ type: 'conversation.item.added', item: { ...event.item, id } });
        return send({ type: 'conversation.item.done', item: { ...event.item, id } });
      }
      case 'conversation.item.delete':
        if (!audioMsByItem.delete(event.item_id)) return refuse(event, 'item_delete_invalid_item_id');
        talk.forget(event.item_id);
        return send({ type: 'conversation.item.deleted', item_id: event.item_id });
      case 'conversation.item.truncate': {
        const { item_id, audio_end_ms, content_index } = event;
        if (audio_end_ms > (audioMsByItem.get(item_id) ?? -1)) return refuse(event, 'invalid_value');
        return send({ type: 'conversation.item.truncated', item_id, audio_end_ms, content_index });
      }
      case 'response.create':
        if (answer !== null) return refuse(event, 'conversation_already_has_active_response');
        return void respond(script.nextLine() ?? talk.ownLine(session, event.response?.instructions));
      case 'response.cancel':
        if (answer === null) return refuse(event, 'response_cancel_not_active');
        answer.cancel.abort();
        return;
      default:
        refuse(event, 'unknown_event');
    }
  }

  socket.on('message', (data: Buffer) => {
    let event: RealtimeClientEvent;
    try {
      event = JSON.parse(data.toString()) as RealtimeClientEvent;
    } catch {
      return refuse(null, 'invalid_event');
    }
    const problem = eventProblem('RealtimeClientEvent', event);
    if (problem !== null) return refuseFor(event, problem);
    take(event);
  });
  socket.on('error', () => undefined);
  send({ type: 'session.created', session });
  return {
    model: parts.model,
    received,
    speechStartedAt,
    heardMs: ears.heardMs,
    get state() {
      return socket.readyState === socket.OPEN ? ('open' as const) : ('closed' as const);
    },
  };
}
