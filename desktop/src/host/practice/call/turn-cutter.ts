/**
 * A learner's turns in a call, on the disk while they are spoken. Where a turn ended is known only when its words are: by then the next one may
 * have begun. So what is being said goes into a recording as it comes, and a turn is cut out of the tape when it is known.
 */
import { MAX_CHUNK_BYTES } from '@parley/contract';
import { ok, type RecordingId, type SessionId, type TurnId } from '@parley/domain';
import { inspectAudio } from '@parley/speech';
import { decodePcm16 } from '@parley/speech/wav';
import type { Answer } from '../../answer/index.ts';
import type { Recordings } from '../../recordings/index.ts';
import type { Tape } from './tape.ts';

export interface SpokenTurn {
  turnId: TurnId;
  recordingId: RecordingId;
}

/** A place on the tape. */
export interface Span {
  fromMs: number;
  toMs: number;
}

export interface TurnCutter {
  /** Since when the learner has been saying what has no words yet; null while they say nothing. */
  readonly sinceMs: number | null;
  begin(fromMs: number): void;
  /** Just put on the tape. */
  hear(pcm: Uint8Array): void;
  /** Whether there is anything to be heard in it. */
  hasVoice(turn: Span): boolean;
  /** Cuts out a turn; it waits to be sent. */
  keep(turn: Span): Answer<SpokenTurn>;
  /** This turn is sent, or was not understood: what was begun after it goes on. */
  passOn(turn: Span): void;
  /** Nothing was said there after all. */
  forget(fromMs: number): void;
  /** Nobody listens any more: what was begun waits to be heard, if anything was said. */
  close(): void;
}

export function createTurnCutter({
  recordings,
  sessionId,
  tape,
}: {
  recordings: Recordings;
  sessionId: SessionId;
  tape: Tape;
}): TurnCutter {
  /** Beginnings of what has no words yet, oldest first. */
  let begun: number[] = [];
  let net: { turnId: TurnId; seq: number } | null = null;

  function write(turnId: TurnId, firstSeq: number, pcm: Uint8Array): Answer<number> {
    let seq = firstSeq;
    for (let at = 0; at < pcm.byteLength; at += MAX_CHUNK_BYTES, seq += 1) {
      const appended = recordings.append({ turnId, seq, pcm: pcm.subarray(at, at + MAX_CHUNK_BYTES) });
      if (!appended.ok) return appended;
    }
    return ok(seq);
  }

  /** A full disk, or three minutes without an end: what is on the disk by then stays there, and the call goes on. */
  function spread(fromMs: number): void {
    const opened = recordings.begin(sessionId);
    if (!opened.ok) return;
    const written = write(opened.value.turnId, 0, tape.cut(fromMs, tape.endMs));
    net = written.ok ? { turnId: opened.value.turnId, seq: written.value } : null;
  }

  const hasVoice = ({ fromMs, toMs }: Span): boolean =>
    inspectAudio(decodePcm16(tape.cut(fromMs, toMs))).verdict !== 'silent';

  return {
    hasVoice,
    get sinceMs() {
      return begun[0] ?? null;
    },
    begin(fromMs) {
      begun.push(fromMs);
      if (net === null) spread(fromMs);
    },
    hear(pcm) {
      if (net === null) return;
      const written = write(net.turnId, net.seq, pcm);
      net = written.ok ? { ...net, seq: written.value } : null;
    },
    keep({ fromMs, toMs }) {
      net = null;
      const opened = recordings.begin(sessionId);
      if (!opened.ok) return opened;
      const written = write(opened.value.turnId, 0, tape.cut(fromMs, toMs));
      if (!written.ok) return written;
      const closed = recordings.close(opened.value.turnId, 0);
      return closed.ok ? opened : closed;
    },
    passOn({ fromMs, toMs }) {
      // The next turn may begin a little before this one's last silence ends, but not in its first half.
      begun = begun.filter((beganMs) => beganMs >= (fromMs + toMs) / 2);
      const [next] = begun;
      const wasOpen = net !== null;
      net = null;
      if (next !== undefined) spread(next);
      else if (wasOpen) recordings.setAside(sessionId);
    },
    forget(fromMs) {
      // The silence alone: a turn may begin at the same place.
      const place = begun.indexOf(fromMs);
      if (place >= 0) begun.splice(place, 1);
      if (begun.length > 0 || net === null) return;
      net = null;
      recordings.setAside(sessionId);
    },
    close() {
      const fromMs = begun[0] ?? tape.endMs;
      if (net !== null && hasVoice({ fromMs, toMs: tape.endMs })) recordings.close(net.turnId, 0);
      else if (net !== null) recordings.setAside(sessionId);
      net = null;
      begun = [];
    },
  };
}
