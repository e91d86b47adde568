/** Plays voices, words and recordings, one at a time. It is loaded after the first screen, which makes no sound. */
import { MODEL_VOICE } from '@parley/contract';
import type { CoachVoice } from '@parley/domain';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import { speakLocally } from './local-voice.ts';
import { playWav } from './play-wav.ts';
import { speakUtterance } from './speak-utterance.ts';
import type { Speaker } from './speaker-interface.ts';
import { openUtterancePlayback } from './utterance-playback.ts';

/** Stands for the text of an utterance that is not yet complete. */
const STREAMING_ID = '…';

export type Player = Omit<Speaker, 'playing' | 'cue'>;

export function createPlayer(client: HostClient, onPlaying: (playing: string | null) => void): Player {
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
