/** The app's only audio output for voices, words and recordings; each new sound stops the previous one. */
import type { CoachVoice } from '@parley/domain';
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
import { outputDevice } from '../output/output-device.ts';
import { speakLocally } from './local-voice.ts';
import { speakUtterance } from './speak-utterance.ts';
import { type Clip, playWav } from './play-wav.ts';
import { openUtterancePlayback } from './utterance-playback.ts';

/** An utterance that is spoken while its text is still streaming. */
export interface StreamingUtterance {
  /** Takes the whole text received so far. */
  update: (line: string) => void;
  /** Takes the complete text. Resolves when it has been spoken or stopped. */
  complete: (line: string) => Promise<void>;
  /** Stops this utterance only. */
  stop: () => void;
}

export interface Speaker {
  /** The id or text of what is playing, or null. */
  playing: string | null;
  /** Speaks with the system's or the bundled voice. Resolves at its end. */
  speak: (text: string, voice?: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** Streams a model coach's utterance in its own voice, and falls back to `speak` when that is missing or fails. */
  beginUtterance: (voice: CoachVoice, options?: { rate?: number }) => StreamingUtterance;
  /** Speaks a complete utterance in the same way. */
  speakUtterance: (text: string, voice: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** Plays a WAV or a clip of it; `id` identifies the button that shows it as playing. */
  play: (wav: Blob, options?: { id?: string; clip?: Clip; rate?: number }) => Promise<void>;
  /** Returns the bundled voice as a WAV so that its waveform can be drawn beside the learner's. */
  synthesiseModel: (text: string) => Promise<Blob>;
  stop: () => void;
}

/** The voice of models and of single words. */
export const MODEL_VOICE: CoachVoice = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 };
/** Stands for the text of an utterance that is not yet complete. */
const STREAMING_ID = '…';

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
  player.current ??= createPlayer(client, setPlaying);
  useEffect(() => () => player.current?.stop(), []);
  const speakerId = useQuery(queries.settings.read.queryOptions()).data?.device.speakerId;
  useEffect(() => {
    if (speakerId !== undefined) outputDevice().choose(speakerId);
  }, [speakerId]);
  const value = useMemo(
    (): Speaker | null => (player.current === null ? null : { ...player.current, playing }),
    [playing],
  );
  return <SpeakerContext value={value}>{children}</SpeakerContext>;
}

type Player = Omit<Speaker, 'playing'>;

function createPlayer(client: HostClient, onPlaying: (playing: string | null) => void): Player {
  let current = new AbortController();
  const start = (id: string): AbortController => {
    current.abort();
    current = new AbortController();
    onPlaying(id);
    return current;
  };
  const end = (sound: AbortController): void => {
    if (sound === current) onPlaying(null);
  };
  const playExclusively = async (id: string, sound: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const playback = start(id);
    await sound(playback.signal).finally(() => end(playback));
  };
  const stop = (sound: AbortController): void => {
    sound.abort();
    end(sound);
  };
  const synthesiseModel: Player['synthesiseModel'] = (text) =>
    client.voice.speak({ text, voice: MODEL_VOICE, rate: 1 });
  const beginUtterance: Player['beginUtterance'] = (voice, { rate = 1 } = {}) => {
    const playback = start(STREAMING_ID);
    const utterance = speakUtterance({
      rate,
      signal: playback.signal,
      openPlayback: openUtterancePlayback,
      voices: {
        synthesise: (text, signal) => streamUtterancePcm(client, { text, voice, signal }),
        speakLocally: (text, signal) => speakLocally(client, { text, voice, rate, signal }),
      },
    });
    return {
      update: utterance.update,
      complete: async (text) => {
        if (playback === current && !playback.signal.aborted) onPlaying(text);
        await utterance.complete(text).finally(() => end(playback));
      },
      stop: () => stop(playback),
    };
  };
  return {
    play: (wav, { id = 'clip', clip, rate = 1 } = {}) =>
      playExclusively(id, (signal) => playWav(wav, { clip, rate, signal })),
    speak: (text, voice = MODEL_VOICE, { rate = 1 } = {}) =>
      playExclusively(text, (signal) => speakLocally(client, { text, voice, rate, signal })),
    beginUtterance,
    speakUtterance: (text, voice, options) => beginUtterance(voice, options).complete(text),
    synthesiseModel,
    stop: () => stop(current),
  };
}

async function* streamUtterancePcm(
  client: HostClient,
  { text, voice, signal }: { text: string; voice: CoachVoice; signal: AbortSignal },
): AsyncGenerator<Int16Array, void> {
  for await (const piece of await client.voice.speakLine({ text, voice }, { signal })) yield decodePcm(piece);
}

const decodePcm = (base64: string): Int16Array =>
  new Int16Array(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer);
