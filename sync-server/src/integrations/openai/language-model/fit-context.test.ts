/** A dialogue that is longer than the context of a self-hosted model. */
import { type OpenAiFake, startOpenAiFake } from '@parley/fakes/openai/index.ts';
import type { Message } from '@parley/coach/model';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRequest, askModel, modelAt } from './test-kit/ask-model.ts';

let fake: OpenAiFake;
afterEach(() => fake.close());

const SCENE: Message = { role: 'learner', text: 'You are a landlady. The learner looks for a room.' };
const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => ({
    role: at % 2 === 0 ? ('coach' as const) : ('learner' as const),
    text: `Turn ${at + 1}: ${'and so on '.repeat(10)}`,
  }));

describe.each(['llama.cpp', 'vllm'] as const)('a context of %s', (dialect) => {
  const start = async (text = 'The room is free from May.') => {
    fake = await startOpenAiFake({ dialect, model: { contextTokens: 1_000 } });
    fake.play({ does: 'answer', text });
    return modelAt(fake, { model: 'qwen3:8b', isSelfHosted: true });
  };

  it('that is too small for a whole conversation holds its scene and its last turns', async () => {
    const model = await start();
    const messages = [SCENE, ...turns(40)];
    const { text, thrown, used } = await askModel(model, aRequest({ messages, maxOutputTokens: 100 }));
    expect({ text, thrown }).toEqual({ text: 'The room is free from May.', thrown: null });
    const shown = fake.modelRequests.at(-1)?.messages ?? [];
    expect(
      shown
        .filter(({ role }) => role !== 'system')
        .map(({ role }) => role)
        .slice(0, 2),
    ).toEqual(['user', 'assistant']);
    expect(shown.map((message) => message.text)).toEqual(expect.arrayContaining([SCENE.text, messages.at(-1)?.text]));
    expect(shown.length).toBeGreaterThan(5);
    // A request that was rejected costs nothing.
    expect(used).toHaveLength(1);
  });

  it('that is too small for a whole review holds a shorter one', async () => {
    const model = await start('{"best":"Clear."}');
    const used: unknown[] = [];
    const { value } = await model.structured({
      ...aRequest({ maxOutputTokens: 100, onUsage: async (usage) => void used.push(usage) }),
      name: 'review',
      schema: z.object({ best: z.string() }),
      messages: [{ role: 'learner', text: 'All of it. '.repeat(2_000) }],
      shorterMessages: [
        [{ role: 'learner', text: 'Half of it. '.repeat(1_000) }],
        [{ role: 'learner', text: 'The end of it.' }],
      ],
    });
    expect(value).toEqual({ best: 'Clear.' });
    expect(fake.modelRequests.at(-1)?.messages.at(-1)?.text).toBe('The end of it.');
    expect(used).toHaveLength(1);
  });

  it('that is too small for the last turn is reported', async () => {
    const model = await start();
    const messages: Message[] = [SCENE, ...turns(3), { role: 'learner', text: 'Well. '.repeat(2_000) }];
    const { thrown } = await askModel(model, aRequest({ messages, maxOutputTokens: 100 }));
    expect(thrown).toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('context_length_exceeded'),
    });
  });
});

describe.each(['ollama', 'lm-studio'] as const)(
  'a context of %s, which would leave out what does not fit',
  (dialect) => {
    const CONTEXT_TOKENS = 4_096;
    const start = async (text: string) => {
      fake = await startOpenAiFake({ dialect, model: { contextTokens: CONTEXT_TOKENS } });
      fake.play({ does: 'answer', text });
      return modelAt(fake, { model: 'qwen3:8b', isSelfHosted: true });
    };
    const shownMessages = () => fake.modelRequests.at(-1)?.messages.map(({ text }) => text) ?? [];

    it('holds the scene and the last turns of a long conversation', async () => {
      const model = await start('The room is free from May.');
      const messages = [SCENE, ...turns(200)];
      const { thrown } = await askModel(model, aRequest({ messages, maxOutputTokens: 300 }));
      expect(thrown).toBeNull();
      expect(shownMessages()).toEqual(expect.arrayContaining([SCENE.text, messages.at(-1)?.text]));
      expect(shownMessages().join('').length / 4).toBeLessThan(CONTEXT_TOKENS - 300);
      expect(shownMessages().length).toBeGreaterThan(20);
    });

    it('holds a shorter review with its instructions', async () => {
      const model = await start('{"best":"Clear."}');
      const { value } = await model.structured({
        ...aRequest({ maxOutputTokens: 1_500 }),
        name: 'review',
        schema: z.object({ best: z.string() }),
        messages: [{ role: 'learner', text: 'All of it. '.repeat(1_400) }],
        shorterMessages: [
          [{ role: 'learner', text: 'Half of it. '.repeat(400) }],
          [{ role: 'learner', text: 'The end of it.' }],
        ],
      });
      expect(value).toEqual({ best: 'Clear.' });
      expect(shownMessages().at(-1)).toMatch(/^Half of it/);
    });

    it('is not asked about for a short conversation', async () => {
      const model = await start('The room is free from May.');
      await askModel(model, aRequest({ messages: [SCENE, ...turns(3)] }));
      expect(fake.calls.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('/api/'));
    });
  },
);
