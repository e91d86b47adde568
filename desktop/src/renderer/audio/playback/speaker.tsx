/** The app's only audio output for voices, words and recordings; starting one stops the previous one. */
import { loadVoices } from '@parley/ui/voices';
import { useQuery } from '@tanstack/react-query';
import {
  type ReactElement,
  type ReactNode,
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import { type CuePlayer, createCuePlayer } from '../cues/cue-player.ts';
import { isRecordingSound } from '../microphone/recording-microphones.ts';
import { outputDevice } from '../output/output-device.ts';
import type { Player } from './player.ts';
import type { Speaker } from './speaker-interface.ts';

const SpeakerContext = createContext<Speaker | null>(null);

export function useSpeaker(): Speaker {
  const speaker = useContext(SpeakerContext);
  if (speaker === null) throw new Error('useSpeaker must be used inside a SpeakerProvider.');
  return speaker;
}

export function SpeakerProvider({ children }: { children: ReactNode }): ReactElement {
  const { client, queries } = useHost();
  const [playing, setPlaying] = useState<string | null>(null);
  const player = useRef<Player | null>(null);
  const isSpeaking = useRef(false);
  const device = useQuery(queries.settings.read.queryOptions()).data?.device;
  const hasCues = useRef(false);
  hasCues.current = device?.soundCues ?? false;
  const cues = useRef<CuePlayer | null>(null);
  cues.current ??= createCuePlayer({
    mayPlay: () => hasCues.current && !isSpeaking.current && !isRecordingSound(),
    sound: async (cue, signal) => (await import('../cues/sound-cue.ts')).soundCue(cue, signal),
  });
  player.current ??= createLazyPlayer(client, (started) => {
    isSpeaking.current = started !== null;
    if (started !== null) cues.current?.silence();
    setPlaying(started);
  });
  useEffect(() => () => player.current?.stop(), []);
  // Loaded early, so that the first sentence need not wait for them.
  useEffect(() => void loadVoices(), []);
  const speakerId = device?.speakerId;
  useEffect(() => {
    if (speakerId !== undefined) outputDevice().choose(speakerId);
  }, [speakerId]);
  const value = useMemo(
    (): Speaker | null =>
      player.current === null || cues.current === null ? null : { ...player.current, cue: cues.current.play, playing },
    [playing],
  );
  return <SpeakerContext value={value}>{children}</SpeakerContext>;
}

/**
 * Loads the player with the first sound. Calls made in the meantime keep their order, because all of them wait for the
 * same promise.
 */
function createLazyPlayer(client: HostClient, onPlaying: (playing: string | null) => void): Player {
  let loading: Promise<Player> | null = null;
  const load = (): Promise<Player> =>
    (loading ??= import('./player.ts').then(({ createPlayer }) => createPlayer(client, onPlaying)));
  return {
    play: async (...input) => (await load()).play(...input),
    speak: async (...input) => (await load()).speak(...input),
    speakUtterance: async (...input) => (await load()).speakUtterance(...input),
    synthesiseModel: async (text) => (await load()).synthesiseModel(text),
    beginUtterance: (...input) => {
      const beginning = load().then((player) => player.beginUtterance(...input));
      return {
        update: (line) => void beginning.then(({ update }) => update(line)),
        complete: async (line) => (await beginning).complete(line),
        stop: () => void beginning.then(({ stop }) => stop()),
      };
    },
    // Before the first sound there is nothing to stop.
    stop: () => void loading?.then(({ stop }) => stop()),
  };
}
