/** One live conversation between a device and a voice: passes on what is said, and decides when it is over. */
import {
  createLiveCaptions,
  type LiveCaptions,
  mayEndRealtime,
  plainLine,
  type Proof,
  type RealtimeScene,
} from '@parley/coach/model';
import type { Held } from '@parley/coach';
import type { LineHeard, RealtimeDown, RealtimeEnd } from '@parley/contract';
import { GOODBYE_S, type LearnerTurn } from '@parley/domain';
import { type CallEnd, UNHEARD_S } from '../../metering/index.ts';
import type { RealtimeEvent, RealtimeSession, RealtimeUse } from '../../speech/index.ts';
import { asFailure } from './as-failure.ts';
import type { KeptLease } from './keep-lease.ts';
import { TalkRecord } from './talk-record.ts';

/** To the device. */
export interface LiveLine {
  tell: (message: RealtimeDown) => void;
  sound: (line: number, pcm: Uint8Array) => void;
  /** The last of all, in place of `over`. */
  fail: (error: unknown) => void;
}

export interface TalkParts {
  line: LiveLine;
  scene: RealtimeScene;
  began: Held;
  /** Whether the learner has asked for a moment. */
  isMoment: boolean;
  /** Instructions for the goodbye when there is no more time. */
  farewell: string;
  now: () => Date;
  newId: () => string;
  checkEveryMs: number;
  judge: ((before: Held, asked: { said: LearnerTurn; signal: AbortSignal }) => Promise<Proof[]>) | null;
  used: (used: RealtimeUse) => Promise<void>;
}

export interface LiveTalk {
  /** From the voice. */
  take: (event: RealtimeEvent) => void;
  begin: (session: RealtimeSession, lease: KeptLease) => Promise<void>;
  low: (remainingS: number) => void;
  out: () => void;
  fail: (error: unknown) => void;
  /** From the device. */
  hear: (pcm: Uint8Array) => void;
  played: (heard: LineHeard) => void;
  giveMeAMoment: (isOn: boolean) => void;
  /** The learner has enough: it is over when what they said last is written down. */
  end: () => void;
  /** Nobody is there any more. */
  drop: () => void;
  /** Resolves when the voice was hung up, the ledger written and the lease given back. */
  closed: Promise<void>;
}

/** Who says nothing for so long has left the room, and nobody should pay for the silence. */
const IDLE_AFTER_MS = 180_000;
/** Providers end a session after an hour, in the middle of a word. */
const LONGEST_MS = 55 * 60_000;

export function holdTalk(parts: TalkParts): LiveTalk {
  const { line, scene, now } = parts;
  const record = new TalkRecord(parts.began, parts);
  const lines = new Map<string, { number: number; captions: LiveCaptions }>();
  const judging = new AbortController();
  const writing = new Set<Promise<void>>();
  const { promise: closed, resolve: close, reject: breakOff } = Promise.withResolvers<void>();
  const nowMs = (): number => now().getTime();
  const beganAtMs = nowMs();
  let open: { session: RealtimeSession; lease: KeptLease } | null = null;
  /** Null until there is somebody to talk to. */
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  let isEnding = false;
  let lineCount = 0;
  let activeAtMs = beganAtMs;
  /** A device that is there sends sound as time goes by, silence too. */
  let deviceAtMs = beganAtMs;
  let { isMoment } = parts;
  let farewell: { until: number; reason: 'quota' | 'limit' } | null = null;

  /** `servedUntilMs`: what went by after it is not counted, whoever it was that left. */
  interface Stop {
    outcome: CallEnd['outcome'];
    servedUntilMs?: number;
  }
  function stop(last: () => void, why: Stop): void {
    if (isOver) return;
    isOver = true;
    const servedUntil = new Date(Math.min(nowMs(), why.servedUntilMs ?? nowMs()));
    if (timer !== null) clearInterval(timer);
    judging.abort();
    last();
    if (open === null) return close();
    hangUp(open, { outcome: why.outcome, servedUntil }).then(close, breakOff);
  }
  async function hangUp(
    { session, lease }: NonNullable<typeof open>,
    end: Pick<CallEnd, 'outcome' | 'servedUntil'>,
  ): Promise<void> {
    await session.close();
    await Promise.all(writing);
    await lease.end({ ...end, spokenS: Math.round(session.spokenMs() / 1_000) });
  }
  const finish = (reason: RealtimeEnd, why: Stop = { outcome: 'ended' }): void =>
    stop(() => line.tell({ type: 'over', reason }), why);
  const fail = (error: unknown, outcome: CallEnd['outcome'] = 'ended'): void =>
    stop(() => line.fail(asFailure(error)), { outcome });

  const look = (): void => {
    if (farewell !== null) return nowMs() >= farewell.until ? finish(farewell.reason) : undefined;
    if (nowMs() - beganAtMs >= LONGEST_MS) beginFarewell('limit');
    // Since then neither of them has said a word.
    else if (nowMs() - activeAtMs >= IDLE_AFTER_MS) finish('idle', { outcome: 'ended', servedUntilMs: activeAtMs });
  };

  function beginFarewell(reason: 'quota' | 'limit'): void {
    if (isOver) return;
    farewell = { until: nowMs() + GOODBYE_S * 1_000, reason };
    orderFarewell();
  }
  /** Whoever speaks before the goodbye was said, or breaks in on it, gets it in answer. */
  function orderFarewell(): void {
    if (farewell !== null) open?.session.speak(parts.farewell);
  }

  function coachEnded(event: Extract<RealtimeEvent, { type: 'coachEnded' }>): void {
    const captions = lines.get(event.itemId)?.captions;
    lines.delete(event.itemId);
    const text = captions?.heard(plainLine(event.text)) ?? '';
    const wantsToEnd = event.wantsToEnd || captions?.saysGoodbye() === true;
    const isGoodbye = !event.wasCut && (event.isOrdered || (wantsToEnd && mayEndRealtime(scene, record.held)));
    record.coachSaid(text, isGoodbye ? 'goodbye' : 'line');
    line.tell({ type: 'coachEnded', itemId: event.itemId, text, wasCut: event.wasCut, isGoodbye });
    if (isEnding) return;
    if (isGoodbye) finish(farewell?.reason ?? 'goodbye');
    else orderFarewell();
  }

  function learnerSaid(event: Extract<RealtimeEvent, { type: 'learnerSaid' }>): void {
    const { itemId, text } = event;
    line.tell(event);
    if (text === null || text === '') return;
    const before = record.held;
    const said = record.learnerSaid(text);
    // It never rejects, and costs nobody a moment: the coach answers meanwhile.
    void parts.judge?.(before, { said, signal: judging.signal }).then((proofs) => {
      for (const { objectiveId, words } of isOver ? [] : proofs) {
        record.proved(objectiveId);
        line.tell({ type: 'proved', objectiveId, itemId, words });
      }
    });
  }

  function write(used: RealtimeUse): void {
    const written = parts.used(used).catch((error: unknown) => fail(error));
    writing.add(written);
    void written.finally(() => writing.delete(written));
  }

  function take(event: RealtimeEvent): void {
    // What was used is paid for, also when nobody listens any more.
    if (event.type === 'used') return write(event.used);
    if (isOver) return;
    activeAtMs = nowMs();
    switch (event.type) {
      case 'coachStarted':
        lineCount += 1;
        lines.set(event.itemId, { number: lineCount, captions: createLiveCaptions() });
        return line.tell({ ...event, line: lineCount });
      case 'coachAudio':
        return line.sound(lines.get(event.itemId)?.number ?? lineCount, event.pcm);
      case 'coachWords': {
        const captions = lines.get(event.itemId)?.captions;
        const text = captions?.take(event.text) ?? '';
        if (text !== '') line.tell({ ...event, text });
        return captions?.mustStop() === true ? open?.session.cut() : undefined;
      }
      case 'coachEnded':
        return coachEnded(event);
      case 'learnerSaid':
        return learnerSaid(event);
      case 'learnerStarted':
        line.tell(event);
        return orderFarewell();
      case 'failed':
        return fail(event.failure, 'failed');
      default:
        return line.tell(event);
    }
  }

  return {
    take,
    begin: async (session, lease) => {
      if (isOver) {
        await session.close();
        return lease.giveBack();
      }
      open = { session, lease };
      timer = setInterval(look, parts.checkEveryMs);
      timer.unref();
      line.tell({ type: 'ready', ...lease.lease });
      if (isMoment) session.giveMeAMoment(true);
      if (record.isCoachsTurn) session.speak();
    },
    low: (remainingS) => line.tell({ type: 'quota', remainingS }),
    out: () => {
      if (isOver) return;
      line.tell({ type: 'quota', remainingS: 0 });
      beginFarewell('quota');
    },
    fail,
    hear: (pcm) => {
      deviceAtMs = nowMs();
      open?.session.hear(pcm);
    },
    played: (heard) => {
      deviceAtMs = nowMs();
      open?.session.played(heard);
    },
    giveMeAMoment: (isOn) => {
      deviceAtMs = nowMs();
      isMoment = isOn;
      open?.session.giveMeAMoment(isOn);
    },
    end: () => {
      if (open === null || isOver) return finish('ended');
      if (isEnding) return;
      isEnding = true;
      void open.session.finish().then(() => finish('ended'));
    },
    drop: () => finish('ended', { outcome: 'dropped', servedUntilMs: deviceAtMs + UNHEARD_S * 1_000 }),
    closed,
  };
}
