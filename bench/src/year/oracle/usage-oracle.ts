/** The usage oracle: an independent record of a learner's metered seconds, to compare with the server's ledger. */
import { SECOND_MS, wallClock } from '../wall-clock.ts';

export type Style = 'turn_based' | 'ultra_realistic';

interface Segment {
  sessionId: string;
  style: Style;
  zone: string;
  fromMs: number;
  untilMs: number;
}

interface HeldLease extends Omit<Segment, 'fromMs' | 'untilMs'> {
  /** Since when the lease has been held without interruption. */
  beganMs: number;
  countedUntilMs: number;
  expiresMs: number;
  /** Whether the server transcribes any speech. */
  isHeard: boolean;
}

/** A local day of the learner, or the time since a moment. */
export type Span = { day: string } | { sinceMs: number };

export interface Used {
  liveS: number;
  callsS: number;
}

/** No local day started longer ago, in any time zone. */
const LONGEST_DAY_MS = 60 * 3_600 * SECOND_MS;
const LEASE_S = 60;

export class UsageOracle {
  #pieces: Segment[] = [];
  #held: HeldLease | null = null;

  /** Whether a lease is held whose time is not fully counted yet. */
  get isOpen(): boolean {
    return this.#held !== null;
  }

  holds(sessionId: string): boolean {
    return this.#held?.sessionId === sessionId;
  }

  get totalS(): number {
    return this.#pieces.reduce((sum, { fromMs, untilMs }) => sum + (untilMs - fromMs) / SECOND_MS, 0);
  }

  /** Counts the time until now, at most until the lease ends. */
  count(nowMs: number): void {
    const held = this.#held;
    if (held === null) return;
    const untilMs = Math.min(nowMs, held.expiresMs);
    const { sessionId, style, zone, countedUntilMs } = held;
    if (untilMs > countedUntilMs) this.#pieces.push({ sessionId, style, zone, fromMs: countedUntilMs, untilMs });
    held.countedUntilMs = Math.max(untilMs, countedUntilMs);
    if (nowMs >= held.expiresMs) this.refundWithoutSpeech(held);
  }

  lease(nowMs: number, of: Pick<HeldLease, 'sessionId' | 'style' | 'zone' | 'isHeard'>, leftS: number): void {
    const before = this.#held;
    const goesOn = before !== null && before.sessionId === of.sessionId && nowMs < before.expiresMs;
    this.#held = {
      ...of,
      beganMs: goesOn ? before.beganMs : nowMs,
      countedUntilMs: nowMs,
      expiresMs: nowMs + Math.min(LEASE_S, leftS) * SECOND_MS,
    };
  }

  end(nowMs: number): void {
    this.count(nowMs);
    if (this.#held !== null) this.refundWithoutSpeech(this.#held);
    this.#held = null;
  }

  refundWithoutSpeech({ isHeard, sessionId, beganMs }: HeldLease): void {
    if (isHeard) return;
    this.#pieces = this.#pieces.filter((piece) => piece.sessionId !== sessionId || piece.fromMs < beganMs);
  }

  used(span: Span, nowMs: number): Used {
    const used = { liveS: 0, callsS: 0 };
    const oldestMs = 'day' in span ? nowMs - LONGEST_DAY_MS : span.sinceMs;
    for (const piece of this.#pieces.toReversed()) {
      if (piece.untilMs <= oldestMs) break;
      const seconds = secondsWithin(piece, span);
      used.liveS += seconds;
      if (piece.style === 'ultra_realistic') used.callsS += seconds;
    }
    return used;
  }

  /** Local days since this moment with at least this much usage. */
  daysWithUsage(seconds: number, sinceMs: number): string[] {
    const byDay = new Map<string, number>();
    for (const piece of this.#pieces) {
      if (piece.untilMs < sinceMs) continue;
      for (const day of new Set([dayOf(piece, piece.fromMs), dayOf(piece, piece.untilMs - 1)]))
        byDay.set(day, (byDay.get(day) ?? 0) + secondsWithin(piece, { day }));
    }
    return [...byDay].flatMap(([day, sum]) => (sum >= seconds ? [day] : []));
  }
}

const dayOf = ({ zone }: Segment, ms: number): string => wallClock(zone).dayOf(ms);

/** Each second belongs to the day and the period in which it passes. */
function secondsWithin(piece: Segment, span: Span): number {
  const { fromMs, untilMs } = piece;
  if ('sinceMs' in span) return Math.max(0, untilMs - Math.max(fromMs, span.sinceMs)) / SECOND_MS;
  const [first, last] = [dayOf(piece, fromMs), dayOf(piece, untilMs - 1)];
  if (first === last) return first === span.day ? (untilMs - fromMs) / SECOND_MS : 0;
  let seconds = 0;
  for (let ms = fromMs; ms < untilMs; ms += SECOND_MS) if (dayOf(piece, ms) === span.day) seconds += 1;
  return seconds;
}
