/** Handles one connection to the fake and answers each event as the service does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  RealtimeClientEvent,
  RealtimeErrorEvent,
  RealtimeSessionCreateRequest,
} from 'openai/resources/realtime/realtime';
import type { WebSocket } from 'ws';
import { eventProblem, type SchemaProblem } from '../openai/schemas/index.ts';
import { realtimeProblem } from '../openai/model-rules.ts';
import { assertValidEvent } from '../openai/assert-valid-answer.ts';
import { createSpeechDetector } from './speech-detector.ts';
import type { ScriptedReply, RealtimeScript, RecordedSession } from './script.ts';
import { FakeConversation } from './conversation.ts';
import {
  type ResponseIds,
  responseDoneEvent,
  replyDurationMs,
  replyEvents,
  type EventWithoutId,
} from './reply-events.ts';

export interface FakeSessionOptions {
  socket: WebSocket;
  model: string;
  script: RealtimeScript;
  /** How much faster than real time audio is generated. */
  speed: number;
  transcribeMs: number;
  rejectSessionCode: string | null;
}

export function createFakeSession(options: FakeSessionOptions): RecordedSession {
  const { socket, script, speed } = options;
  const received: RealtimeClientEvent[] = [];
  const speechStartedAt: number[] = [];
  const conversation = new FakeConversation();
  /** Duration of each item's audio. */
  const audioMsByItem = new Map<string, number>();
  let session: RealtimeSessionCreateRequest & { id: string; object: 'realtime.session' } = {
    type: 'realtime',
    object: 'realtime.session',
    id: 'sess_1',
    model: options.model,
  };
  let idCount = 0;
  let speechItem = '';
  let answer: (ResponseIds & { line: ScriptedReply; cancel: AbortController; audioMs: number }) | null = null;

  const nextId = (kind: string): string => `${kind}_${(idCount += 1)}`;
  const send = (event: EventWithoutId): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(JSON.stringify(assertValidEvent('RealtimeServerEvent', { ...event, event_id: nextId('event') })));
  };
  const sendError = (
    cause: { event_id?: string } | null,
    code: string,
    { message = 'The fake rejects this.', param = null }: { message?: string; param?: string | null } = {},
  ): void => {
    const eventId = typeof cause?.event_id === 'string' ? cause.event_id : null;
    send({
      type: 'error',
      error: { type: 'invalid_request_error', code, message, param, event_id: eventId },
    } satisfies Omit<RealtimeErrorEvent, 'event_id'>);
  };
  const sendProblem = (cause: { event_id?: string }, problem: SchemaProblem): void =>
    sendError(cause, problem.code, problem);

  const speechDetector = createSpeechDetector({
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
    const hasSpeech = speechDetector.hasSpeech();
    const ms = speechDetector.commit();
    audioMsByItem.set(itemId, ms);
    send({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: null });
    const item = { id: itemId, type: 'message', role: 'user', content: [{ type: 'input_audio' }] } as const;
    send({ type: 'conversation.item.added', item: { ...item, content: [...item.content] } });
    const text = hasSpeech ? nextTranscript() : '';
    // The model hears the audio itself and needs no transcript to answer.
    conversation.addTranscript(itemId, text ?? '');
    void transcribe(itemId, { seconds: ms / 1_000, text });
  }

  function nextTranscript(): string | null {
    const given = script.nextTranscript();
    return given === undefined ? conversation.defaultTranscript() : given;
  }

  async function transcribe(
    item_id: string,
    { seconds, text }: { seconds: number; text: string | null },
  ): Promise<void> {
    await sleep(options.transcribeMs);
    const at = { item_id, content_index: 0 };
    if (text === null)
      return send({
        type: 'conversation.item.input_audio_transcription.failed',
        ...at,
        error: { code: 'audio_unintelligible', message: 'The fake could not transcribe this.' },
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

  async function respond(reply: ScriptedReply): Promise<void> {
    const ids = { responseId: nextId('resp'), itemId: nextId('item'), callId: nextId('call') };
    const response = { ...ids, line: reply, cancel: new AbortController(), audioMs: 0 };
    const { signal } = response.cancel;
    const wait = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal }).catch(() => undefined);
    answer = response;
    audioMsByItem.set(ids.itemId, 0);
    send({
      type: 'response.created',
      response: { id: ids.responseId, object: 'realtime.response', status: 'in_progress' },
    });
    const failure = reply.failure;
    const endsResponse = failure?.does === 'failed' || failure?.does === 'filtered';
    let hasWords = false;
    await wait(reply.delayMs ?? 0);
    for (const { event, audioMs } of replyEvents(reply, ids)) {
      const newMs = audioMs - response.audioMs;
      if (newMs > 0) await wait(newMs / speed);
      if (signal.aborted || socket.readyState !== socket.OPEN) break;
      send(event);
      response.audioMs = Math.max(response.audioMs, audioMs);
      audioMsByItem.set(ids.itemId, response.audioMs);
      hasWords ||= event.type === 'response.output_audio_transcript.delta';
      if (failure === undefined || (failure.isAfterWords === true && !hasWords)) continue;
      if (response.audioMs < Math.min(failure.afterMs, replyDurationMs(reply))) continue;
      if (endsResponse) break;
      return applyFailure(failure.does, failure.code);
    }
    answer = null;
    const failedStatus = failure?.does === 'filtered' ? 'incomplete' : 'failed';
    const status = signal.aborted ? 'cancelled' : endsResponse ? failedStatus : 'completed';
    send(responseDoneEvent(reply, ids, { status, audioMs: response.audioMs, code: failure?.code }));
  }

  function applyFailure(does: string, code = 'server_error'): void {
    if (does === 'cut') socket.terminate();
    if (does === 'garble_json') socket.send('{"type":"response.output_audio.del');
    if (does === 'garble') socket.send(JSON.stringify({ type: 'response.output_audio.delta', delta: 7 }));
    if (does === 'error') send({ type: 'error', error: { type: 'server_error', code, message: 'The fake fails.' } });
  }

  function update(updateEvent: Extract<RealtimeClientEvent, { type: 'session.update' }>): void {
    if (options.rejectSessionCode !== null) return sendError(updateEvent, options.rejectSessionCode);
    if (updateEvent.session.type !== 'realtime') return sendError(updateEvent, 'invalid_value');
    const problem = realtimeProblem(updateEvent.session.model ?? options.model, { ...updateEvent.session });
    if (problem !== null) return sendProblem(updateEvent, problem);
    session = { ...session, ...updateEvent.session };
    speechDetector.configure(updateEvent.session.audio?.input?.turn_detection ?? null);
    send({ type: 'session.updated', session });
  }

  function handleEvent(event: RealtimeClientEvent): void {
    if (event.type !== 'input_audio_buffer.append') received.push(event);
    switch (event.type) {
      case 'session.update':
        return update(event);
      case 'input_audio_buffer.append':
        return speechDetector.addAudio(Buffer.from(event.audio, 'base64'));
      case 'input_audio_buffer.commit': {
        if (!speechDetector.hasSpeech()) return sendError(event, 'input_audio_buffer_commit_empty');
        const itemId = speechItem;
        // The service treats the rest of the speech as a separate item.
        speechItem = nextId('item');
        return commit(itemId);
      }
      case 'conversation.item.create': {
        const id = event.item.id ?? nextId('item');
        audioMsByItem.set(id, 0);
        conversation.addItem(id, event.item);
        send({ type: 'conversation.item.added', item: { ...event.item, id } });
        return send({ type: 'conversation.item.done', item: { ...event.item, id } });
      }
      case 'conversation.item.delete':
        if (!audioMsByItem.delete(event.item_id)) return sendError(event, 'item_delete_invalid_item_id');
        conversation.removeItem(event.item_id);
        return send({ type: 'conversation.item.deleted', item_id: event.item_id });
      case 'conversation.item.truncate': {
        const { item_id, audio_end_ms, content_index } = event;
        if (audio_end_ms > (audioMsByItem.get(item_id) ?? -1)) return sendError(event, 'invalid_value');
        return send({ type: 'conversation.item.truncated', item_id, audio_end_ms, content_index });
      }
      case 'response.create':
        if (answer !== null) return sendError(event, 'conversation_already_has_active_response');
        return void respond(script.nextReply() ?? conversation.defaultReply(session, event.response?.instructions));
      case 'response.cancel':
        if (answer === null) return sendError(event, 'response_cancel_not_active');
        answer.cancel.abort();
        return;
      default:
        sendError(event, 'unknown_event');
    }
  }

  socket.on('message', (data: Buffer) => {
    let event: RealtimeClientEvent;
    try {
      event = JSON.parse(data.toString()) as RealtimeClientEvent;
    } catch {
      return sendError(null, 'invalid_event');
    }
    const problem = eventProblem('RealtimeClientEvent', event);
    if (problem !== null) return sendProblem(event, problem);
    handleEvent(event);
  });
  socket.on('error', () => undefined);
  send({ type: 'session.created', session });
  return {
    model: options.model,
    received,
    speechStartedAt,
    receivedMs: speechDetector.receivedMs,
    get state() {
      return socket.readyState === socket.OPEN ? ('open' as const) : ('closed' as const);
    },
  };
}
