/** A language model for tests that returns scripted answers and records its requests. */
import { ServiceFailure } from '@parley/domain';
import type { LanguageModelRequest, LanguageModel, ModelPurpose } from '../model/language-model.ts';

/**
 * Answers by purpose: text or text deltas for a reply, otherwise a value. A function receives the request and may wait or throw. A purpose
 * without an answer fails as unreachable.
 */
export type Script = Partial<Record<ModelPurpose, unknown>>;

export interface ScriptedModel extends LanguageModel {
  readonly requests: LanguageModelRequest[];
  /** The latest request with this purpose. */
  requestFor: (purpose: ModelPurpose) => LanguageModelRequest;
}

export function scriptedModel(script: Script): ScriptedModel {
  const asked: LanguageModelRequest[] = [];

  async function scriptedAnswer(request: LanguageModelRequest): Promise<unknown> {
    asked.push(request);
    request.signal.throwIfAborted();
    if (!(request.purpose in script)) throw new ServiceFailure('coach', 'unreachable');
    const answer = script[request.purpose];
    return typeof answer === 'function' ? ((await answer(request)) as unknown) : answer;
  }

  return {
    name: 'scripted',
    requests: asked,
    requestFor(purpose) {
      const found = asked.findLast((one) => one.purpose === purpose);
      if (found === undefined) throw new Error(`the model received no request for "${purpose}"`);
      return found;
    },
    async *stream(request) {
      const answer = await scriptedAnswer(request);
      for await (const text of (typeof answer === 'string' ? [answer] : answer) as AsyncIterable<string>) {
        request.signal.throwIfAborted();
        yield { type: 'text', text };
      }
      yield { type: 'done' };
    },
    async structured(request) {
      const parsed = request.schema.safeParse(await scriptedAnswer(request));
      if (!parsed.success) throw new ServiceFailure('coach', 'malformed');
      return { value: parsed.data };
    },
  };
}

/** One character per delta, the hardest way to split a text. */
export const toCharacters = (text: string): string[] => text.split('');
