/** Streams a model's reply, and inserts the judge's proofs as soon as they arrive. */
import { type CoachEvent, ServiceFailure } from '@parley/domain';
import type { Proof } from '../judge.ts';
import type { LanguageModelRequest, LanguageModel } from '../language-model.ts';
import type { SpeechGate } from './speech-gate.ts';

/** Yields what the gate lets through. Throws a `ServiceFailure`; an answer without words is `malformed`. */
export async function* streamSpeech(
  model: LanguageModel,
  request: LanguageModelRequest,
  gate: SpeechGate,
): AsyncGenerator<string, void> {
  // The stream is read to its end even when the gate is closed, because usage is only reported there.
  for await (const event of model.stream(request)) {
    request.signal.throwIfAborted();
    const words = event.type === 'text' ? gate.take(event.text) : '';
    if (words !== '') yield words;
  }
  const rest = gate.finish();
  if (rest !== '') yield rest;
  if (gate.spokenText().trim() === '' && !gate.hasWithheld()) throw new ServiceFailure('coach', 'malformed');
}

/** How long after the last word to wait for the judge. */
export const JUDGE_GRACE_MS = 3_000;

/** Returns the proofs. */
export async function* streamSpeechAndProofs(
  words: AsyncGenerator<string, void>,
  proofsPromise: Promise<readonly Proof[]>,
): AsyncGenerator<CoachEvent, readonly Proof[]> {
  let proofs: readonly Proof[] | null = null;
  const judged = proofsPromise.then((found) => ({ found }));
  try {
    for (;;) {
      const nextWords = words.next();
      // The consumer may stop early, which leaves this promise to reject unobserved.
      nextWords.catch(() => undefined);
      if (proofs === null) {
        const first = await Promise.race([nextWords, judged]);
        if ('found' in first) {
          proofs = first.found;
          yield* proofs.map(toProvedEvent);
        }
      }
      const step = await nextWords;
      if (step.done === true) break;
      yield { type: 'words', text: step.value };
    }
    if (proofs === null) {
      proofs = await withTimeout(proofsPromise, JUDGE_GRACE_MS);
      yield* proofs.map(toProvedEvent);
    }
    return proofs;
  } finally {
    // Not awaited, because it may be blocked until the caller aborts the request.
    words.return().catch(() => undefined);
  }
}

const toProvedEvent = (proof: Proof): CoachEvent => ({ type: 'proved', ...proof });

async function withTimeout(proofsPromise: Promise<readonly Proof[]>, graceMs: number): Promise<readonly Proof[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<readonly Proof[]>((resolve) => {
    timer = setTimeout(() => resolve([]), graceMs);
  });
  try {
    return await Promise.race([proofsPromise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
