/** A language model that says what a test has written for it, and remembers what it was asked. */
import type { Asked, LanguageModel, ModelPurpose } from '../model/language-model.ts';
import { ModelFailure } from '../model/language-model.ts';

/**
 * An answer by purpose: for a reply its text or the pieces in which it comes, else the value. A function is told what was asked, and may wait
 * or throw. Without one the model is out of reach.
 */
export type Script = Partial<Record<ModelPurpose, unknown>>;

export interface ScriptedModel extends LanguageModel {
  readonly asked: Asked[];
  /** The last that was asked for this. */
  askedFor: (purpose: ModelPurpose) => Asked;
}

export function scriptedModel(script: Script): ScriptedModel {
  const asked: Asked[] = [];

  async function answerTo(question: Asked): Promise<unknown> {
    asked.push(question);
    question.signal.throwIfAborted();
    if (!(question.purpose in script)) throw new ModelFailure('unreachable');
    const answer = script[question.purpose];
    return typeof answer === 'function' ? ((await answer(question)) as unknown) : answer;
  }

  return {
    name: 'scripted',
    asked,
    askedFor(purpose) {
      const found = asked.findLast((one) => one.purpose === purpose);
      if (found === undefined) throw new Error(`nobody asked for "${purpose}"`);
      return found;
    },
    async *stream(question) {
      const answer = await answerTo(question);
      for await (const text of (typeof answer === 'string' ? [answer] : answer) as AsyncIterable<string>) {
        question.signal.throwIfAborted();
        yield { type: 'text', text };
      }
      yield { type: 'done' };
    },
    async structured(question) {
      const parsed = question.schema.safeParse(await answerTo(question));
      if (!parsed.success) throw new ModelFailure('malformed');
      return { value: parsed.data };
    },
  };
}

/** A text in pieces of one character, as unkind a cut as there is. */
export const inPieces = (text: string): string[] => text.split('');
