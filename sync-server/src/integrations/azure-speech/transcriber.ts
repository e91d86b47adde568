/** Azure's speech to text behind our port: what was said, in the speaker's own words. */
import type { Transcriber } from '../../speech/index.ts';
import { type AzureSpeechAccess, timeoutsOf } from './access.ts';
import { keepAudio } from './kept-audio.ts';
import { joinTexts } from './phrase.ts';
import { recognise } from './recognise.ts';
import { tryTwice } from './try-twice.ts';

export function createAzureTranscriber(access: AzureSpeechAccess): Transcriber {
  return {
    name: 'azure',
    transcribe: async ({ pcm, signal, heard }) => {
      const audio = keepAudio();
      audio.write(pcm);
      audio.end();
      const pass = { access, audio, mode: 'continuous', assess: null, signal, heard } as const;
      const phrases = await tryTwice(() => recognise(pass), { pauseMs: timeoutsOf(access).retryPauseMs, signal });
      return joinTexts(phrases);
    },
  };
}
