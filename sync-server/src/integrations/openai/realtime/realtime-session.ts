/** A realtime session over an open connection: combines the coach's side with the learner's and decides whose turn it is. */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import type { RealtimeEvent, RealtimeSession, RealtimeSessionOptions } from '../../../ports/speech/index.ts';
import { type ProviderError, providerErrorFromEvent } from '../connection/provider-error.ts';
import type { Timeouts } from '../connection/timeouts.ts';
import { CoachOutput } from './coach/coach-output.ts';
import type { RealtimeConnection } from './connect-realtime.ts';
import { LearnerTurns } from './learner/learner-turns.ts';
import type { KnownEvent } from './server-events.ts';
import { RealtimeUsageMeter } from './usage-meter.ts';

export interface OpenAiRealtimeSessionOptions {
  settings: Pick<RealtimeSessionOptions, 'instructions' | 'messages' | 'endFunction'>;
  /** Whether the provider transcribes the learner's audio. */
  isTranscribed: boolean;
  timeouts: Timeouts;
  onEvent: (event: RealtimeEvent) => void;
  now?: () => number;
}

export interface OpenAiRealtimeSession {
  session: RealtimeSession;
  handleEvent: (event: KnownEvent) => void;
  onConnectionLost: (trouble: ProviderError) => void;
  /** Sends the earlier messages once the connection is open. */
  start: (connection: RealtimeConnection) => void;
}

/** After a hold, the learner may want to speak first. */
const HOLD_GRACE_MS = 1_500;
/** The last transcript of a learner who has said goodbye is awaited for at most this long. */
const FINISH_WITHIN_MS = 3_000;
/** Marks our events that may be rejected because they crossed one of the provider's. */
const BEST_EFFORT_PREFIX = 'tried_';
/** The coach is already speaking and reports so itself. */
const ALREADY_ANSWERING = 'conversation_already_has_active_response';
const NOTHING_TO_COMMIT = 'input_audio_buffer_commit_empty';

export function createOpenAiRealtimeSession({
  settings,
  isTranscribed,
  timeouts,
  onEvent,
  now,
}: OpenAiRealtimeSessionOptions): OpenAiRealtimeSession {
  let connection: RealtimeConnection | null = null;
  let isOver = false;
  let isOnHold = false;
  let isFinishing = false;
  let holdTimer: NodeJS.Timeout | undefined;
  let rateLimitTimer: NodeJS.Timeout | undefined;
  let bestEffortCount = 0;
  /** A response that the coach has yet to give; `instructions` are set for an explicitly requested one. */
  let pendingResponse: { instructions: string | undefined; hasOwnInstructions: boolean } | null = null;

  const emit = (event: RealtimeEvent): void => {
    if (!isOver || event.type === 'used') onEvent(event);
  };
  const usageMeter = new RealtimeUsageMeter({ onUsageRecorded: (used) => emit({ type: 'used', used }), isTranscribed });
  const send = (event: RealtimeClientEvent): void => {
    usageMeter.recordSent(event);
    connection?.send(event);
  };
  const sendBestEffort = (event: RealtimeClientEvent): void => {
    bestEffortCount += 1;
    send({ ...event, event_id: `${BEST_EFFORT_PREFIX}${bestEffortCount}` });
  };
  const close = async (): Promise<void> => {
    const wasOver = isOver;
    isOver = true;
    clearTimeout(holdTimer);
    clearTimeout(rateLimitTimer);
    learner.close();
    if (!wasOver) await coach.close();
    usageMeter.close();
    connection?.close();
  };
  const onConnectionLost = (trouble: ProviderError): void => {
    if (isOver) return;
    usageMeter.close();
    emit({ type: 'failed', failure: trouble });
    connection?.close();
    void close();
  };
  const requestPendingResponse = (): void => {
    if (pendingResponse === null || isOver || isFinishing || isOnHold || learner.isSpeaking || !coach.isIdle) return;
    // A requested utterance waits until the last one has been heard; an answer to the learner does not.
    if (pendingResponse.hasOwnInstructions && coach.hasItem) return;
    const { instructions } = pendingResponse;
    pendingResponse = null;
    coach.requestResponse(instructions);
  };

  const coach = new CoachOutput({
    send,
    sendBestEffort,
    emit,
    onConnectionLost,
    onIdle: requestPendingResponse,
    onRateLimited: (instructions, pauseMs) => {
      pendingResponse ??= { instructions, hasOwnInstructions: instructions !== undefined };
      clearTimeout(rateLimitTimer);
      rateLimitTimer = setTimeout(requestPendingResponse, pauseMs);
    },
    afterTranscripts: (callback) => learner.afterTranscripts(callback),
    endFunction: settings.endFunction.name,
    timeouts,
    now: now ?? (() => performance.now()),
  });
  const learner = new LearnerTurns({
    send,
    sendBestEffort,
    emit,
    coach: { isSpeaking: () => coach.isSpeaking(), interrupt: () => coach.interrupt() },
    onTurnTaken: () => {
      pendingResponse ??= { instructions: undefined, hasOwnInstructions: false };
      requestPendingResponse();
    },
  });

  return {
    start: (opened) => {
      connection = opened;
      usageMeter.recordContextText(JSON.stringify([settings.instructions, settings.endFunction]));
      for (const message of settings.messages) send(toConversationItem(message));
    },
    onConnectionLost,
    handleEvent: (event) => {
      // Usage is metered first, even after the session is over.
      usageMeter.handleEvent(event);
      if (isOver) return coach.handleEvent(event);
      if (event.type === 'error') {
        const isHarmless =
          event.error.event_id?.startsWith(BEST_EFFORT_PREFIX) === true || event.error.code === ALREADY_ANSWERING;
        if (event.error.code === NOTHING_TO_COMMIT) learner.commitRejected();
        return isHarmless ? undefined : onConnectionLost(providerErrorFromEvent('coach', event.error.code));
      }
      learner.handleEvent(event);
      coach.handleEvent(event);
    },
    session: {
      appendAudio: (pcm) => {
        // Silence replaces the audio; otherwise the provider would wait forever for the end of a sentence.
        if (!isOver && !isFinishing) learner.addAudio(isOnHold ? new Uint8Array(pcm.byteLength) : pcm);
      },
      reportPlayback: (heard) => coach.reportPlayback(heard),
      setOnHold: (onHold) => {
        clearTimeout(holdTimer);
        if (isOnHold === onHold) return;
        isOnHold = onHold;
        coach.setOnHold(onHold);
        if (!onHold && pendingResponse !== null) holdTimer = setTimeout(requestPendingResponse, HOLD_GRACE_MS);
      },
      speak: (instructions) => {
        pendingResponse = { instructions, hasOwnInstructions: true };
        requestPendingResponse();
      },
      interrupt: () => coach.interrupt(),
      finish: async () => {
        if (isOver || isFinishing) return;
        isFinishing = true;
        coach.interrupt();
        const { promise: timedOut, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, FINISH_WITHIN_MS);
        await Promise.race([Promise.all([learner.finish(), coach.whenSilent()]), timedOut]);
        clearTimeout(timer);
        learner.stopWaitingForTranscripts();
      },
      learnerSpeechMs: () => learner.spokenMs,
      close,
    },
  };
}

const toConversationItem = ({ role, text }: RealtimeSessionOptions['messages'][number]): RealtimeClientEvent => ({
  type: 'conversation.item.create',
  item:
    role === 'coach'
      ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
      : { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});
