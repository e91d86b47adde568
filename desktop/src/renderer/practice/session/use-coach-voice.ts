/** Speaks the coach's turns: a guided coach's when they appear, a model coach's while they stream. */
import type { SessionView } from '@parley/contract';
import type { TurnId } from '@parley/domain';
import { useEffect, useRef, useState } from 'react';
import { type StreamingUtterance, useSpeaker } from '../../audio/index.ts';
import type { CoachReply } from './use-coach-reply.ts';

/** The conversation's interface to the coach's voice. */
export interface CoachVoice {
  /** The coach's most recently spoken turn, once it is over or was stopped. */
  spokenTurnId: TurnId | null;
  /** Silences the reply that is being spoken, even if more of it arrives. */
  silence: () => void;
  /** Speaks the silenced reply after all, because the coach continues. */
  unsilence: () => void;
}

/** `speed` is 1 at the normal tempo, and null until the settings are loaded. */
export function useCoachVoice(session: SessionView, live: CoachReply, speed: number | null): CoachVoice {
  const speaker = useSpeaker();
  const [spokenTurnId, setSpokenTurnId] = useState<TurnId | null>(null);
  const lastSpokenTurnId = useRef<string | null>(null);
  const streamingUtterance = useRef<StreamingUtterance | null>(null);
  /** The number of turns before the reply that was silenced. */
  const silencedAt = useRef<number | null>(null);
  const { coach } = session;
  const turnCount = session.turns.length;
  const isAudible = session.communicationStyle === 'audio' && session.phase !== 'paused';
  const streamedText = live.status === 'speaking' ? live.words : '';
  const last = session.turns.at(-1);
  const coachTurn = isAudible && last?.role === 'coach' ? last : null;

  useEffect(() => {
    if (!isAudible || speed === null || streamedText === '' || silencedAt.current === turnCount) return;
    streamingUtterance.current ??= speaker.beginUtterance(coach.voice, { rate: speed });
    streamingUtterance.current.update(streamedText);
  }, [isAudible, streamedText, speed, coach, speaker, turnCount]);

  useEffect(() => {
    if (coachTurn === null || speed === null || lastSpokenTurnId.current === coachTurn.turnId) return;
    lastSpokenTurnId.current = coachTurn.turnId;
    const streaming = streamingUtterance.current;
    streamingUtterance.current = null;
    if (silencedAt.current === turnCount - 1) return;
    const speak = coachTurn.node === null ? speaker.speakUtterance : speaker.speak;
    const speaking =
      streaming === null ? speak(coachTurn.text, coach.voice, { rate: speed }) : streaming.complete(coachTurn.text);
    void speaking.catch(() => undefined).then(() => setSpokenTurnId(coachTurn.turnId));
  }, [coachTurn, speed, coach, speaker, turnCount]);

  // A reply that failed or was paused is requested again from the start, so its unfinished speech is dropped.
  const isInterrupted = live.status === 'failed' || live.status === 'thinking' || !isAudible;
  useEffect(() => {
    if (!isInterrupted) return;
    streamingUtterance.current?.stop();
    streamingUtterance.current = null;
  }, [isInterrupted]);

  const stop = useRef(speaker.stop);
  stop.current = speaker.stop;
  useEffect(() => {
    if (!isAudible) stop.current();
  }, [isAudible]);
  useEffect(() => () => stop.current(), []);
  return {
    spokenTurnId,
    silence: () => {
      silencedAt.current = turnCount;
      streamingUtterance.current?.stop();
      streamingUtterance.current = null;
      speaker.stop();
    },
    unsilence: () => {
      silencedAt.current = null;
    },
  };
}
