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
import { chooseVoice } from './choose-voice.ts';

export interface Clip {
  startMs: number;
  endMs: number;
}

export interface Speaker {
  /** What is heard now; null in silence. */
  playing: string | null;
  /** With the system's voice, or the bundled one. Resolves at its end. */
  speak: (text: string, voice?: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** A live coach's line in its own voice, where the server has one; else as `speak`. */
  speakLine: (text: string, voice: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** Plays a WAV, or a part of it; `id` tells whose button shows it. */
  play: (wav: Blob, options?: { id?: string; clip?: Clip; rate?: number }) => Promise<void>;
  /** The bundled voice as a WAV, so that it can be drawn beside a learner's own. */
  modelVoice: (text: string) => Promise<Blob>;
  stop: () => void;
}

const DEFAULT_VOICE: CoachVoice = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 };
const CLIP_MARGIN_MS = 60;

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
  let stopCurrent: () => void = () => undefined;
  const begin = (id: string, start: (done: () => void) => () => void): Promise<void> => {
    stopCurrent();
    return new Promise((resolve) => {
      let stopSound: () => void = () => undefined;
      let isOver = false;
      const done = (): void => {
        if (isOver) return;
        isOver = true;
        show(null);
        resolve();
      };
      stopCurrent = () => {
        stopSound();
        done();
      };
      show(id);
      stopSound = start(done);
    });
  };
  const play: Player['play'] = (wav, { id = 'clip', clip, rate = 1 } = {}) =>
    begin(id, (done) => {
      const url = URL.createObjectURL(wav);
      const audio = new Audio(url);
      audio.preservesPitch = true;
      audio.playbackRate = rate;
      const end = (): void => {
        audio.pause();
        URL.revokeObjectURL(url);
        done();
      };
      if (clip !== undefined) {
        audio.currentTime = Math.max(0, clip.startMs - CLIP_MARGIN_MS) / 1000;
        audio.addEventListener('timeupdate', () => {
          if (audio.currentTime * 1000 >= clip.endMs + CLIP_MARGIN_MS) end();
        });
      }
      audio.addEventListener('ended', end);
      audio.addEventListener('error', end);
      audio.play().catch(end);
      return end;
    });
  const modelVoice: Player['modelVoice'] = (text) => client.voice.speak({ text, voice: DEFAULT_VOICE, rate: 1 });
  const speak: Player['speak'] = async (text, voice = DEFAULT_VOICE, { rate = 1 } = {}) => {
    const systemVoice = chooseVoice(speechSynthesis.getVoices(), voice);
    if (systemVoice === null) {
      stopCurrent();
      const wav = await client.voice.speak({ text, voice, rate: Math.min(2, Math.max(0.4, voice.rate * rate)) });
      return play(wav, { id: text });
    }
    return begin(text, (done) => {
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.voice = systemVoice;
      utterance.lang = systemVoice.lang;
      utterance.rate = voice.rate * rate;
      utterance.pitch = voice.pitch;
      utterance.addEventListener('end', done);
      utterance.addEventListener('error', done);
      speechSynthesis.speak(utterance);
      return () => speechSynthesis.cancel();
    });
  };
  const speakLine: Player['speakLine'] = async (text, voice, { rate = 1 } = {}) => {
    stopCurrent();
    const wav = await client.voice.speakLine({ text, voice }).catch(() => null);
    // Who cannot be reached, or has no voice, is spoken for by this computer.
    return wav === null ? speak(text, voice, { rate }) : play(wav, { id: text, rate });
  };
  return { play, speak, speakLine, modelVoice, stop: () => stopCurrent() };
}
