/** Speaks for the coach: a guided line when it appears, a live one while its words come. */
import type { SessionView } from '@parley/contract';
import { useEffect, useRef } from 'react';
import { type GrowingLine, useSpeaker } from '../audio/index.ts';
import type { LiveCoach } from './use-live-coach.ts';

/** `speed` is null until it is known. */
export function useCoachVoice(session: SessionView, live: LiveCoach, speed: number | null): void {
  const speaker = useSpeaker();
  const spoken = useRef<string | null>(null);
  const growing = useRef<GrowingLine | null>(null);
  const { coach } = session;
  const isHeard = session.communicationStyle === 'audio' && session.phase !== 'paused';
  const words = live.status === 'speaking' ? live.words : '';
  const last = session.turns.at(-1);
  const line = isHeard && last?.role === 'coach' ? last : null;

  useEffect(() => {
    if (!isHeard || speed === null || words === '') return;
    growing.current ??= speaker.beginLine(coach.voice, { rate: speed });
    growing.current.grow(words);
  }, [isHeard, words, speed, coach, speaker]);

  useEffect(() => {
    if (line === null || speed === null || spoken.current === line.turnId) return;
    spoken.current = line.turnId;
    const rest = growing.current;
    growing.current = null;
    const speak = line.node === null ? speaker.speakLine : speaker.speak;
    const speaking = rest === null ? speak(line.text, coach.voice, { rate: speed }) : rest.finish(line.text);
    void speaking.catch(() => undefined);
  }, [line, speed, coach, speaker]);

  // A line that broke off is asked for again, from its beginning; so is one in whose middle somebody paused.
  const isBroken = live.status === 'failed' || live.status === 'thinking' || !isHeard;
  useEffect(() => {
    if (!isBroken) return;
    growing.current?.stop();
    growing.current = null;
  }, [isBroken]);

  const stop = useRef(speaker.stop);
  stop.current = speaker.stop;
  useEffect(() => {
    if (!isHeard) stop.current();
  }, [isHeard]);
  useEffect(() => () => stop.current(), []);
}
