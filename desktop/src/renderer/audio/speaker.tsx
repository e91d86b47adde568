/** One speaker for the whole app: the coach, a word, a recording. Whoever begins stops who spoke before. */
import type { CoachVoice } from '@parley/domain';
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
import { useHost } from '../app/host-context.tsx';
import type { HostClient } from '../app/connection.ts';
import { speakWithComputer } from './computer-voice.ts';
import { speakLine } from './line-speech.ts';
import { type Clip, playWav } from './play-wav.ts';
import { openSoundLine } from './sound-line.ts';

/** A coach's line that is spoken while it is still being found. */
export interface GrowingLine {
  /** The line from its beginning, as far as it has come. */
  grow: (line: string) => void;
  /** The line is whole. Resolves when it was heard, or stopped. */
  finish: (line: string) => Promise<void>;
  /** Only this one. */
  stop: () => void;
}

export interface Speaker {
  /** What is heard now; null in silence. */
  playing: string | null;
  /** With the system's voice, or the bundled one. Resolves at its end. */
  speak: (text: string, voice?: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** A live coach's line in its own voice, where the server has one; else, and where that breaks off, as `speak`. */
  beginLine: (voice: CoachVoice, options?: { rate?: number }) => GrowingLine;
  /** The same of a line that is whole. */
  speakLine: (text: string, voice: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** Plays a WAV, or a part of it; `id` tells whose button shows it. */
  play: (wav: Blob, options?: { id?: string; clip?: Clip; rate?: number }) => Promise<void>;
  /** The bundled voice as a WAV, so that it can be drawn beside a learner's own. */
  modelVoice: (text: string) => Promise<Blob>;
  stop: () => void;
}

const DEFAULT_VOICE: CoachVoice = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 };
/** What is heard of a line whose end nobody knows. */
const GROWING = '…';

const SpeakerContext = createContext<Speaker | null>(null);

export function useSpeaker(): Speaker {
  const speaker = useContext(SpeakerContext);
  if (speaker === null) throw new Error('no speaker above this component');
  return speaker;
}

export function SpeakerProvider({ children }: { children: ReactNode }): ReactElement {
  const { client } = useHost();
  const [playing, setPlaying] = useState<string | null>(null);
  const player = useRef<Player | null>(null);
  player.current ??= createPlayer(client, setPlaying);
  useEffect(() => () => player.current?.stop(), []);
  const value = useMemo(
    (): Speaker | null => (player.current === null ? null : { ...player.current, playing }),
    [playing],
  );
  return <SpeakerContext value={value}>{children}</SpeakerContext>;
}

type Player = Omit<Speaker, 'playing'>;

function createPlayer(client: HostClient, show: (playing: string | null) => void): Player {
  let current = new AbortController();
  const start = (id: string): AbortController => {
    current.abort();
    current = new AbortController();
    show(id);
    return current;
  };
  const end = (sound: AbortController): void => {
    if (sound === current) show(null);
  };
  const begin = async (id: string, sound: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const begun = start(id);
    await sound(begun.signal).finally(() => end(begun));
  };
  const stop = (sound: AbortController): void => {
    sound.abort();
    end(sound);
  };
  const modelVoice: Player['modelVoice'] = (text) => client.voice.speak({ text, voice: DEFAULT_VOICE, rate: 1 });
  const beginLine: Player['beginLine'] = (voice, { rate = 1 } = {}) => {
    const begun = start(GROWING);
    const line = speakLine({
      rate,
      signal: begun.signal,
      open: openSoundLine,
      voices: {
        fetch: (text, signal) => fetchLine(client, { text, voice, signal }),
        speakHere: (text, signal) => speakWithComputer(client, { text, voice, rate, signal }),
      },
    });
    return {
      grow: line.grow,
      finish: async (text) => {
        if (begun === current && !begun.signal.aborted) show(text);
        await line.finish(text).finally(() => end(begun));
      },
      stop: () => stop(begun),
    };
  };
  return {
    play: (wav, { id = 'clip', clip, rate = 1 } = {}) => begin(id, (signal) => playWav(wav, { clip, rate, signal })),
    speak: (text, voice = DEFAULT_VOICE, { rate = 1 } = {}) =>
      begin(text, (signal) => speakWithComputer(client, { text, voice, rate, signal })),
    beginLine,
    speakLine: (text, voice, options) => beginLine(voice, options).finish(text),
    modelVoice,
    stop: () => stop(current),
  };
}

async function* fetchLine(
  client: HostClient,
  { text, voice, signal }: { text: string; voice: CoachVoice; signal: AbortSignal },
): AsyncGenerator<Int16Array, void> {
  for await (const piece of await client.voice.speakLine({ text, voice }, { signal })) yield samplesOf(piece);
}

const samplesOf = (base64: string): Int16Array =>
  new Int16Array(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer);
