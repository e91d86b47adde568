/** Plays the model, the learner or both in turn, at any speed; a chosen phrase is repeated until it is stopped. */
import { useEffect, useRef, useState } from 'react';
import { useSpeaker } from '../audio/index.ts';

export const VOICES = ['model', 'own', 'both'] as const;
export type PlayedVoices = (typeof VOICES)[number];

export interface PlayableClip {
  wav: Blob;
  /** Null for the whole recording. */
  clip: { startMs: number; endMs: number } | null;
}

export interface Playback {
  playing: PlayedVoices | null;
  play: (voices: PlayedVoices, clips: readonly PlayableClip[], options: { rate: number; repeats: boolean }) => void;
  stop: () => void;
}

export function usePlayback(): Playback {
  const speaker = useSpeaker();
  const [playing, setPlaying] = useState<PlayedVoices | null>(null);
  const latest = useRef(0);
  const latestSpeaker = useRef(speaker);
  latestSpeaker.current = speaker;
  useEffect(
    () => () => {
      latest.current += 1;
    },
    [],
  );
  const run: Playback['play'] = (voices, clips, { rate, repeats }) => {
    latest.current += 1;
    const id = latest.current;
    const playAll = async (): Promise<void> => {
      do {
        for (const { wav, clip } of clips) {
          await latestSpeaker.current.play(wav, { rate, ...(clip === null ? {} : { clip }) });
          if (id !== latest.current) return;
        }
      } while (repeats && clips.length > 0);
      setPlaying(null);
    };
    setPlaying(voices);
    void playAll();
  };
  return {
    playing,
    play: run,
    stop: () => {
      latest.current += 1;
      setPlaying(null);
      latestSpeaker.current.stop();
    },
  };
}
