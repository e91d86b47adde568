/** A coach's words as a model finds them, and the judge's proofs among them as soon as they are there. */
import type { CoachEvent } from '@parley/domain';
import type { Proof } from './judge.ts';
import { type Asked, type LanguageModel, ModelFailure } from './language-model.ts';
import type { SpeechGate } from './speech-gate.ts';

/** What the gate lets through. Throws a `ModelFailure`; an answer without a word is `malformed`. */
export async function* speak(model: LanguageModel, asked: Asked, gate: SpeechGate): AsyncGenerator<string, void> {
  // Read to its end also when nothing more of it will be said: only then it is known what it cost.
  for await (const event of model.stream(asked)) {
    asked.signal.throwIfAborted();
    const words = event.type === 'text' ? gate.take(event.text) : '';
    if (words !== '') yield words;
  }
  const rest = gate.finish();
  if (rest !== '') yield rest;
  if (gate.said().trim() === '' && !gate.hasWithheld()) throw new ModelFailure('malformed');
}

/** A judge who has not decided this long after the last word is not waited for. */
export const JUDGE_GRACE_MS = 3_000;

/** Returns what was proved. */
export async function* speakAndJudge(
  words: AsyncGenerator<string, void>,
  judging: Promise<readonly Proof[]>,
): AsyncGenerator<CoachEvent, readonly Proof[]> {
  let proofs: readonly Proof[] | null = null;
  const judged = judging.then((found) => ({ found }));
  try {
    for (;;) {
      const heard = words.next();
      // Whoever stops listening leaves it behind, and it may then fail unheard.
      heard.catch(() => undefined);
      if (proofs === null) {
        const first = await Promise.race([heard, judged]);
        if ('found' in first) {
          proofs = first.found;
          yield* proofs.map(asEvent);
        }
      }
      const step = await heard;
      if (step.done === true) break;
      yield { type: 'words', text: step.value };
    }
    if (proofs === null) {
      proofs = await within(judging, JUDGE_GRACE_MS);
      yield* proofs.map(asEvent);
    }
    return proofs;
  } finally {
    // Not waited for: it may hang on a word that will only come to an end when the caller ends the call.
    words.return().catch(() => undefined);
  }
}

const asEvent = (proof: Proof): CoachEvent => ({ type: 'proved', ...proof });

async function within(judging: Promise<readonly Proof[]>, graceMs: number): Promise<readonly Proof[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly Proof[]>((resolve) => {
    timer = setTimeout(() => resolve([]), graceMs);
  });
  try {
    return await Promise.race([judging, late]);
  } finally {
    clearTimeout(timer);
  }
}
