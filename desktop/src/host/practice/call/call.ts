/** One call: keeps the line to the coach, takes it up again when it breaks, and writes down what is said on it. */
import {
  type CallEvent,
  type LineHeard,
  PCM_SAMPLE_RATE_HZ,
  REALTIME_BYTES_A_MS,
  REALTIME_SAMPLE_RATE_HZ,
  type RealtimeDown,
  type RealtimeEnd,
} from '@parley/contract';
import type { SessionId, TurnId } from '@parley/domain';
import { createResampler, decodePcm16, encodePcm16 } from '@parley/speech/wav';
import type { HostFailure } from '../../answer/index.ts';
import { type CallLine, type CloudCoach, CoachFailed } from '../../coach/index.ts';
import { heldOf } from '../live.ts';
import { createCallRecord, type RecordParts } from './call-record.ts';
import { createCoachWords } from './coach-words.ts';
import { createTurnCutter, type Span } from './turn-cutter.ts';
import { createTape } from './tape.ts';

export interface CallWish {
  sessionId: SessionId;
  takeOver: boolean;
  /** The silence that ends a turn; null where the coach feels it. */
  patienceMs: number | null;
  /** What was being said when the last call broke off: 16-bit mono PCM at 16 kHz. */
  unheard: Uint8Array | null;
  /** Happens in the moment in which nobody can speak any more. */
  whenOver: () => void;
}

export interface CallParts extends RecordParts {
  coach: CloudCoach;
}

export interface Call {
  /** Its last is `over`, or why it failed. */
  events: ReadableStream<CallEvent | CoachFailed>;
  sound(pcm: Uint8Array): void;
  played(heard: LineHeard): void;
  giveMeAMoment(isOn: boolean): void;
  end(): void;
  /** Hangs up without a word. */
  leave(failure: HostFailure | null): void;
  /** Resolves when nobody can speak any more, and what was said is kept. */
  whenOver(): Promise<void>;
  /** Resolves when the scores that were begun are stored. */
  whenScored(): Promise<void>;
}

/** So long a broken line is dialed anew. */
const RECONNECT_MS = 30_000;
const REDIAL_MS = [300, 700, 1_500, 3_000] as const;
/** What the coach is told of what was said while nobody listened: sound may come at most a minute late. */
const CATCH_UP_MS = 55_000;
/** A line that has held for so long did not break at once. */
const HOLDS_MS = 5_000;
/** A coach that fails is called again once. */
const COACH_TRIES = 2;
const MAY_COME_BACK: ReadonlySet<string> = new Set(['coach.unavailable', 'coach.busy']);
/** The server waits for the words of what was said last. */
const END_WITHIN_MS = 4_500;
const FRAME_BYTES = 500 * REALTIME_BYTES_A_MS;

export function holdCall(parts: CallParts, wish: CallWish): Call {
  const { store, coach, recordings, logger } = parts;
  const { sessionId, whenOver } = wish;
  const record = createCallRecord(parts, sessionId);
  const tape = createTape();
  const spoken = createTurnCutter({ recordings, sessionId, tape });
  const coachWords = createCoachWords(() => store.clock.now().getTime());
  const turnIdByItem = new Map<string, TurnId>();
  const itemByLine = new Map<number, string>();
  const queue = openQueue();
  const { promise: isOverNow, resolve: noteOver } = Promise.withResolvers<void>();
  const timers = new Set<NodeJS.Timeout>();
  let dialed: CallLine | null = null;
  let heard: { line: CallLine; originMs: number; resample: (piece: Float32Array) => Float32Array } | null = null;
  let isOver = false;
  let isMoment = false;
  let isEnding = false;
  let hasBeenOpen = false;
  let failedTries = 0;
  let redials = 0;
  let brokeAtMs: number | null = null;
  /** Since when nobody has heard what is being said; null while somebody does. */
  let unheardFromMs: number | null = 0;
  /** Since when there was no line, if the learner said nothing by then; null when they did. */
  let silentFromMs: number | null = null;

  if (wish.unheard !== null && wish.unheard.byteLength > 0) tape.append(wish.unheard);
  else silentFromMs = 0;
  // Also what is said while it rings is on the disk, and is told to the coach.
  spoken.begin(0);
  queue.tell({ type: 'connecting', isAgain: false });
  dial();

  function stop(last: () => void): void {
    if (isOver) return;
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    keepWhatWasHeard();
    dialed?.close();
    heard = null;
    spoken.close();
    whenOver();
    last();
    queue.close();
    noteOver();
  }
  /** Of an utterance of the coach that was broken off. */
  function keepWhatWasHeard(): void {
    const text = coachWords.brokeOff();
    if (text !== '') record.coachSaid(text, 'line');
  }
  const fail = (failure: HostFailure): void => stop(() => queue.tell(new CoachFailed(failure)));
  const over = (reason: RealtimeEnd): void => stop(() => queue.tell({ type: 'over', reason }));
  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  function showSession(): void {
    const session = isOver ? null : record.view();
    if (session !== null) queue.tell({ type: 'session', session });
  }

  function dial(): void {
    keepWhatWasHeard();
    const session = record.session();
    if (session === null) return fail({ code: 'session.ended' });
    const { patienceMs } = wish;
    const takeOver = wish.takeOver && !hasBeenOpen;
    const isThis = (): boolean => dialed === line && !isOver;
    const line = coach.call(
      { held: heldOf(session), patienceMs, takeOver, isMoment },
      {
        message: (message) => isThis() && take(line, message),
        sound: (number, pcm) => {
          const itemId = itemByLine.get(number);
          if (!isThis() || itemId === undefined) return;
          coachWords.sound(itemId, pcm);
          queue.tell({ type: 'coachSound', itemId, pcm: Buffer.from(pcm).toString('base64') });
        },
        gone: (failure) => isThis() && lost(failure),
      },
    );
    dialed = line;
  }

  function open(line: CallLine, remainingS: number | null): void {
    const nowMs = tape.endMs;
    const originMs = Math.max(0, nowMs - CATCH_UP_MS, unheardFromMs ?? nowMs);
    heard = { line, originMs, resample: createResampler(PCM_SAMPLE_RATE_HZ, REALTIME_SAMPLE_RATE_HZ) };
    hasBeenOpen = true;
    unheardFromMs = null;
    later(HOLDS_MS, () => heard?.line === line && itHolds());
    itemByLine.clear();
    turnIdByItem.clear();
    send(tape.cut(originMs, nowMs));
    queue.tell({ type: 'open', remainingS });
  }

  /** From here on a break is a new one. */
  function itHolds(): void {
    brokeAtMs = null;
    redials = 0;
    if (silentFromMs !== null) spoken.forget(silentFromMs);
    silentFromMs = null;
  }

  function send(pcm: Uint8Array): void {
    if (heard === null || pcm.byteLength === 0) return;
    const sound = encodePcm16(heard.resample(decodePcm16(pcm)));
    for (let at = 0; at < sound.byteLength; at += FRAME_BYTES) heard.line.sound(sound.subarray(at, at + FRAME_BYTES));
  }

  function lost(failure: HostFailure | null): void {
    coachWords.stopped();
    unheardFromMs = spoken.sinceMs ?? (heard === null ? unheardFromMs : tape.endMs);
    // Whatever is said from here on is on the disk, whether anybody ever asks for it or not.
    if (spoken.sinceMs === null) {
      silentFromMs = tape.endMs;
      spoken.begin(silentFromMs);
    }
    heard = null;
    dialed = null;
    if (isEnding) return over('ended');
    const nowMs = store.clock.now().getTime();
    if (failure !== null) {
      failedTries += 1;
      if (!MAY_COME_BACK.has(failure.code) || failedTries >= COACH_TRIES) return fail(failure);
    } else if (!hasBeenOpen || nowMs - (brokeAtMs ?? nowMs) >= RECONNECT_MS) {
      return fail({ code: 'coach.unavailable', detail: 'line' });
    }
    brokeAtMs ??= nowMs;
    const waitMs = REDIAL_MS[Math.min(redials, REDIAL_MS.length - 1)] ?? 0;
    redials += 1;
    // The window stops the coach, and says how far it came, before there is another line.
    queue.tell({ type: 'connecting', isAgain: hasBeenOpen });
    later(waitMs, dial);
  }

  function learnerSaid({ itemId, text, fromMs, toMs }: Extract<RealtimeDown, { type: 'learnerSaid' }>): void {
    const known = turnIdByItem.get(itemId);
    const words = text === null ? null : text.trim();
    if (known !== undefined) {
      if (words !== null && words !== '') record.wrote(known, words);
      void record.score(known).then(showSession);
      return showSession();
    }
    const originMs = heard?.originMs ?? 0;
    const turn = { fromMs: originMs + fromMs, toMs: originMs + toMs };
    keepTurn(itemId, words, turn);
    spoken.passOn(turn);
    queue.tell({ type: 'learnerSaid', text: words ?? '' });
    showSession();
  }

  /** `words`: null where nobody could write them down. Then there is the sound, for whoever can. */
  function keepTurn(itemId: string, words: string | null, turn: Span): void {
    if (words === '' || (words === null && !spoken.hasVoice(turn))) return;
    const kept = spoken.keep(turn);
    if (!kept.ok) logger.warn({ sessionId, code: kept.error.code }, 'a turn of a call is kept without its sound');
    if (!kept.ok && words === null) return;
    const turnId = record.learnerSaid(words, kept.ok ? kept.value : null);
    if (turnId === null) return;
    turnIdByItem.set(itemId, turnId);
    void record.score(turnId).then(showSession);
  }

  function take(line: CallLine, message: RealtimeDown): void {
    switch (message.type) {
      case 'ready':
        return open(line, message.remainingS);
      case 'coachStarted':
        itemByLine.set(message.line, message.itemId);
        return coachWords.began(message.itemId);
      case 'coachWords':
        coachWords.said(message.itemId, message.text);
        return queue.tell(message);
      case 'coachEnded':
        failedTries = 0;
        itHolds();
        coachWords.ended(message.itemId);
        if (message.text !== '') record.coachSaid(message.text, message.isGoodbye ? 'goodbye' : 'line');
        queue.tell({ type: 'coachEnded', itemId: message.itemId });
        return showSession();
      case 'learnerStarted':
        spoken.begin((heard?.originMs ?? 0) + message.fromMs);
        return queue.tell({ type: 'learnerStarted' });
      case 'learnerSaid':
        return learnerSaid(message);
      case 'proved': {
        const turnId = turnIdByItem.get(message.itemId);
        if (turnId === undefined) return;
        record.proved(turnId, message);
        return showSession();
      }
      case 'bargeIn':
        coachWords.stopped();
        return queue.tell(message);
      case 'over':
        return over(message.reason);
      case 'failed':
        return lost(message);
      default:
        return queue.tell(message);
    }
  }

  return {
    events: queue.events,
    sound(pcm) {
      if (isOver) return;
      tape.append(pcm);
      spoken.hear(pcm);
      send(pcm);
    },
    played(heardOf) {
      coachWords.played(heardOf);
      heard?.line.tell({ type: 'played', ...heardOf });
    },
    giveMeAMoment(isOn) {
      isMoment = isOn;
      coachWords.giveMeAMoment(isOn);
      heard?.line.tell({ type: 'giveMeAMoment', on: isOn });
    },
    end() {
      if (heard === null) return over('ended');
      isEnding = true;
      heard.line.tell({ type: 'end' });
      later(END_WITHIN_MS, () => over('ended'));
    },
    leave: (failure) => (failure === null ? over('ended') : fail(failure)),
    whenOver: () => isOverNow,
    whenScored: record.whenScored,
  };
}

type Told = CallEvent | CoachFailed;

/** Events wait for their reader, however slow: there is nothing among them that may be left out. */
function openQueue(): { events: ReadableStream<Told>; tell: (event: Told) => void; close: () => void } {
  let controller: ReadableStreamDefaultController<Told> | undefined;
  const events = new ReadableStream<Told>({
    start: (opened) => {
      controller = opened;
    },
  });
  return { events, tell: (event) => controller?.enqueue(event), close: () => controller?.close() };
}
