/** The voices of the system, which browsers load only when they are first requested. */

/** How long to wait, because a system without voices announces none. */
const TIMEOUT_MS = 1_000;

const firstVoices = new WeakMap<SpeechSynthesis, Promise<void>>();

/** Waits for the voices on the first call, and only then. */
export async function loadVoices(): Promise<readonly SpeechSynthesisVoice[]> {
  const synthesis = speechSynthesis;
  const waiting = firstVoices.get(synthesis) ?? waitForVoices(synthesis);
  firstVoices.set(synthesis, waiting);
  await waiting;
  return synthesis.getVoices();
}

function waitForVoices(synthesis: SpeechSynthesis): Promise<void> {
  if (synthesis.getVoices().length > 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, TIMEOUT_MS);
    function done(): void {
      clearTimeout(timer);
      synthesis.removeEventListener('voiceschanged', onVoices);
      resolve();
    }
    // On Windows, the first announcement may come before there are any voices.
    function onVoices(): void {
      if (synthesis.getVoices().length > 0) done();
    }
    synthesis.addEventListener('voiceschanged', onVoices);
  });
}
