/** Implements transcription with Azure's speech to text. */
import type { Transcriber } from '../../../ports/speech/index.ts';
import { type AzureSpeechAccess, resolveTimeouts } from '../connection/speech-config.ts';
import { createReplayableAudio } from './replayable-audio.ts';
import { joinTexts } from './phrase.ts';
import { recognise } from './recognise.ts';
import { retryOnce } from '../connection/retry-once.ts';

export function createAzureTranscriber(access: AzureSpeechAccess): Transcriber {
  return {
    name: 'azure',
    transcribe: async ({ pcm, signal, heard }) => {
      const audio = createReplayableAudio();
      for (const piece of pcm) audio.write(piece);
      audio.end();
      const pass = { access, audio, mode: 'continuous', assess: null, signal, heard } as const;
      const phrases = await retryOnce(() => recognise(pass), { pauseMs: resolveTimeouts(access).retryPauseMs, signal });
      return joinTexts(phrases);
    },
  };
}
