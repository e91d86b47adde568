/** A conversation over a dialed line: the coach's side and the learner's, and whose turn it is. */
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import { type RealtimeEvent, type RealtimeSession, type RealtimeWish, SpeechFailure } from '../../../speech/index.ts';
import { asSpeechFailure, type ProviderTrouble, troubleOfEvent } from '../provider-trouble.ts';
import type { Timeouts } from '../timeouts.ts';
import { CoachSpeech } from './coach-speech.ts';
import type { DialedLine } from './dial.ts';
import { LearnerSpeech } from './learner-speech.ts';
import type { KnownEvent } from './server-events.ts';
import { TalkBill } from './talk-bill.ts';

export interface ConversationParts {
  wish: Pick<RealtimeWish, 'instructions' | 'messages' | 'endFunction'>;
  /** Whether the provider writes down what it hears. */
  isTranscribed: boolean;
  timeouts: Timeouts;
  hear: (event: RealtimeEvent) => void;
  now?: () => number;
}

export interface HeldConversation {
  session: RealtimeSession;
  take: (event: KnownEvent) => void;
  lost: (trouble: ProviderTrouble) => void;
  /** Once the line is open: tells what was said before. */
  begin: (line: DialedLine) => void;
}

/** After "give me a moment": whoever asked for it may want to speak first. */
const MOMENT_GRACE_MS = 1_500;
/** Whoever has said goodbye to a conversation does not wait longer for what was said last to be written down. */
const FINISH_WITHIN_MS = 3_000;
/** An event of ours that may be refused, for it crossed one of the provider's. */
const TRIED = 'tried_';
/** Says that the coach speaks already: it will say so itself. */
const ALREADY_ANSWERING = 'conversation_already_has_active_response';
const NOTHING_TO_COMMIT = 'input_audio_buffer_commit_empty';

export function holdConversation({ wish, isTranscribed, timeouts, hear, now }: ConversationParts): HeldConversation {
  let line: DialedLine | null = null;
  let isOver = false;
  let isMoment = false;
  let isFinishing = false;
  let moment: NodeJS.Timeout | undefined;
  let tried = 0;
  /** An answer that the coach owes; `instructions` for one that was ordered. */
  let owed: { instructions: string | undefined; isOrdered: boolean } | null = null;

  const tell = (event: RealtimeEvent): void => {
    if (!isOver || event.type === 'used') hear(event);
  };
  const bill = new TalkBill({ tell: (used) => tell({ type: 'used', used }), isTranscribed });
  const send = (event: RealtimeClientEvent): void => {
    bill.sent(event);
    line?.send(event);
  };
  const tryTo = (event: RealtimeClientEvent): void => {
    tried += 1;
    send({ ...event, event_id: `${TRIED}${tried}` });
  };
  const close = async (): Promise<void> => {
    const wasOver = isOver;
    isOver = true;
    clearTimeout(moment);
    learner.close();
    if (!wasOver) await coach.close();
    bill.close();
    line?.close();
  };
  const lost = (trouble: ProviderTrouble): void => {
    if (isOver) return;
    const failure = asSpeechFailure(trouble);
    bill.close();
    tell({ type: 'failed', failure: failure instanceof SpeechFailure ? failure : new SpeechFailure('unreachable') });
    line?.close();
    void close();
  };
  const settle = (): void => {
    if (owed === null || isOver || isFinishing || isMoment || learner.isSpeaking || !coach.isFree) return;
    // What was ordered can wait until the last line was heard; what was asked cannot.
    if (owed.isOrdered && coach.hasLine) return;
    const { instructions } = owed;
    owed = null;
    coach.answer(instructions);
  };

  const coach = new CoachSpeech({
    send,
    tryTo,
    tell,
    lost,
    free: settle,
    afterWords: (callback) => learner.afterWords(callback),
    endFunction: wish.endFunction.name,
    timeouts,
    now: now ?? (() => performance.now()),
  });
  const learner = new LearnerSpeech({
    send,
    tryTo,
    tell,
    coach: { isSpeaking: () => coach.isSpeaking(), interrupt: () => coach.interrupt() },
    turnTaken: () => {
      owed ??= { instructions: undefined, isOrdered: false };
      settle();
    },
  });

  return {
    begin: (dialed) => {
      line = dialed;
      bill.told(JSON.stringify([wish.instructions, wish.endFunction]));
      for (const message of wish.messages) send(itemOf(message));
    },
    lost,
    take: (event) => {
      // Before anybody acts on it, and also when nobody listens any more.
      bill.take(event);
      if (isOver) return coach.take(event);
      if (event.type === 'error') {
        const isHarmless = event.error.event_id?.startsWith(TRIED) === true || event.error.code === ALREADY_ANSWERING;
        if (event.error.code === NOTHING_TO_COMMIT) learner.commitRefused();
        return isHarmless ? undefined : lost(troubleOfEvent(event.error.code));
      }
      learner.take(event);
      coach.take(event);
    },
    session: {
      hear: (pcm) => {
        // Silence in its place: else the provider would wait for ever for the end of a sentence that was begun.
        if (!isOver && !isFinishing) learner.hear(isMoment ? new Uint8Array(pcm.byteLength) : pcm);
      },
      played: (heard) => coach.played(heard),
      giveMeAMoment: (isOn) => {
        clearTimeout(moment);
        if (isMoment === isOn) return;
        isMoment = isOn;
        coach.giveMeAMoment(isOn);
        if (!isOn && owed !== null) moment = setTimeout(settle, MOMENT_GRACE_MS);
      },
      speak: (instructions) => {
        owed = { instructions, isOrdered: true };
        settle();
      },
      cut: () => coach.interrupt(),
      finish: async () => {
        if (isOver || isFinishing) return;
        isFinishing = true;
        coach.interrupt();
        const { promise: late, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, FINISH_WITHIN_MS);
        await Promise.race([Promise.all([learner.finish(), coach.silent()]), late]);
        clearTimeout(timer);
        learner.stopWaiting();
      },
      spokenMs: () => learner.spokenMs,
      close,
    },
  };
}

const itemOf = ({ role, text }: RealtimeWish['messages'][number]): RealtimeClientEvent => ({
  type: 'conversation.item.create',
  item:
    role === 'coach'
      ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
      : { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});
