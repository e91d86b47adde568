/** Speaks with a voice of the computer's system. */
import type { CoachVoice } from '@parley/domain';

/** `rate` multiplies the coach's own speed. Resolves when the speech ends or is aborted. */
export function speakWithSystemVoice(
  systemVoice: SpeechSynthesisVoice,
  { text, voice, rate, signal }: { text: string; voice: CoachVoice; rate: number; signal: AbortSignal },
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const stop = (): void => {
      speechSynthesis.cancel();
      done();
    };
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.voice = systemVoice;
    utterance.lang = systemVoice.lang;
    utterance.rate = voice.rate * rate;
    utterance.pitch = voice.pitch;
    utterance.addEventListener('end', done);
    utterance.addEventListener('error', done);
    signal.addEventListener('abort', stop);
    speechSynthesis.speak(utterance);
  });
}
