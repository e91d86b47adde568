/** What to tell a learner whose microphone cannot be used, or whose recording failed for another reason. */
import { ORPCError } from '@orpc/client';
import { errorSentence } from '../app/error-sentence.ts';
import { type MicrophoneFailure, MicrophoneError } from './microphone.ts';

const SENTENCES: Record<MicrophoneFailure, string> = {
  denied:
    'Parley may not use the microphone. Allow it in your system settings under Privacy, Microphone, then try again.',
  none: 'No microphone was found. Plug one in, or switch on the one in your headset, then try again.',
  in_use: 'Another program is using the microphone. Close it, then try again.',
  unplugged: 'The microphone was unplugged. What you said until then is kept. Plug it in, then try again.',
  unsupported: 'The microphone could not be started. Try another one, or restart Parley.',
};

export const microphoneSentence = (error: unknown): string =>
  error instanceof ORPCError
    ? errorSentence(error)
    : SENTENCES[error instanceof MicrophoneError ? error.failure : 'unsupported'];
