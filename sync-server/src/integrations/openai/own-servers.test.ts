/** The adapter before each server that it may meet, with what the real one refuses, ignores and adds. */
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asked, askedAndCharged, hear, modelAt, PATIENT } from './test-kit/asked.ts';
import { DEFAULT_TIMEOUTS, OWN_SERVER_TIMEOUTS } from './timeouts.ts';
import { DIALECTS, documentProblem, type OpenAiTwin, type OpenAiTwinOptions, startOpenAiTwin } from './twin/index.ts';

const twins: OpenAiTwin[] = [];
afterEach(() => Promise.all(twins.splice(0).map((twin) => twin.close())));
async function startTwin(options: OpenAiTwinOptions): Promise<OpenAiTwin> {
  const twin = await startOpenAiTwin(options);
  twins.push(twin);
  return twin;
}

const THOUGHT = 'The learner wants the room. A landlady would be glad, and ask when they can move in. '
  .repeat(3)
  .trim();
const WORDS = 'The room is free from May.';
const Turn = z.object({ reply: z.string(), isFinished: z.boolean() });

describe.each(DIALECTS)('a server that speaks as %s does', (dialect) => {
  const isOwnServer = dialect !== 'openai';
  const name = isOwnServer ? 'qwen3:8b' : 'gpt-5-mini';
  const start = async (options: OpenAiTwinOptions = {}) => {
    const twin = await startTwin({ dialect, ...options });
    return { twin, model: modelAt(twin, { model: name, isOwnServer }) };
  };
  const thinking = isOwnServer ? { model: { thought: THOUGHT } } : {};

  it('is shown all that was said, over requests that OpenAI’s document allows', async () => {
    const { twin, model } = await start(thinking);
    twin.play({ does: 'answer', text: WORDS });
    const said = asked();
    expect(await hear(model, said)).toMatchObject({ text: WORDS, thrown: null });
    const shown = twin.shown.at(-1)?.messages.map(({ text }) => text);
    for (const { text } of said.messages) expect(shown).toContain(text);
    expect(await model.structured({ ...asked(), name: 'turn', schema: Turn })).toMatchObject({
      value: expect.anything(),
    });
    expect(twin.calls.length).toBeGreaterThan(1);
    for (const { path, body } of twin.calls) expect(documentProblem(path, body), path).toBeNull();
  });

  it('gives a value of the wished form, also when it thinks', async () => {
    const { model } = await start(thinking);
    for (let time = 0; time < 2; time += 1) {
      const { value } = await model.structured({ ...asked(), name: 'turn', schema: Turn });
      expect(Turn.safeParse(value)).toMatchObject({ success: true });
    }
  });

  it('never has its thought spoken, and is charged for what it counts', async () => {
    const { twin, model } = await start(thinking);
    twin.play({ does: 'answer', text: WORDS });
    const { text, used, thrown } = await hear(model, asked({ maxOutputTokens: 400 }));
    expect({ text, thrown }).toEqual({ text: WORDS, thrown: null });
    expect(used).toHaveLength(1);
    const isThinking = isOwnServer && dialect !== 'ollama';
    const words = Math.ceil(WORDS.length / 4);
    if (isThinking) expect(used[0]?.output).toBeGreaterThan(words + THOUGHT.length / 5);
    else expect(used[0]?.output).toBe(words);
    expect(used[0]?.isEstimate).toBeUndefined();
  });

  it('answers in the end when a thought used up the limit, and each try is charged', async () => {
    const { twin, model } = await start(thinking);
    twin.play({ does: 'answer', text: WORDS, times: 3 });
    const { text, used, thrown } = await hear(model, asked({ maxOutputTokens: 20 }));
    expect({ text, thrown }).toEqual({ text: WORDS, thrown: null });
    expect(used).toHaveLength(twin.shown.length);
  });

  it('is asked again after the time that it names, and charged once', async () => {
    const { twin, model } = await start();
    twin.play({ does: 'reject', status: 429, retryAfterMs: 20 }, { does: 'answer', text: WORDS });
    const { text, used } = await hear(model, asked());
    expect(text).toBe(WORDS);
    expect(used).toHaveLength(1);
  });

  it('loses nothing when its stream is cut: it is asked again before the first word, and never after it', async () => {
    const { twin, model } = await start();
    twin.play({ does: 'cut', afterEvents: 1 }, { does: 'answer', text: WORDS });
    const first = await hear(model, asked());
    expect(first).toMatchObject({ text: WORDS, thrown: null });
    expect(first.used.map(({ isEstimate }) => isEstimate ?? false)).toEqual([true, false]);
    twin.play({ does: 'cut', afterEvents: 7 });
    const second = await hear(model, asked());
    expect(second).toMatchObject({ thrown: { reason: 'unreachable' }, used: [{ isEstimate: true }] });
    expect(second.pieces).toBeGreaterThan(0);
  });

  it('costs nothing when it refuses every form of a request', async () => {
    const { twin, model } = await start();
    twin.play({ does: 'reject', status: 400, times: 8 });
    expect(await hear(model, asked())).toMatchObject({ thrown: { reason: 'unreachable' }, used: [] });
  });

  it('is not asked another way for a model that it does not have', async () => {
    const { twin, model } = await start({ models: ['another'] });
    const { thrown, used } = await hear(model, asked());
    expect({ used, thrown }).toMatchObject({ used: [], thrown: { reason: 'unreachable' } });
    expect((thrown as Error).cause).toMatchObject({ message: expect.stringContaining('model_not_found') });
    expect(twin.calls).toHaveLength(1);
  });

  it('lists its models where the real one does', async () => {
    const { twin } = await start({ models: [name] });
    const get = async (path: string): Promise<Response> =>
      fetch(new URL(path, twin.url), { headers: { authorization: `Bearer ${twin.key}` } });
    expect(await (await get('/v1/models')).json()).toMatchObject({ data: [{ id: name }] });
    const tags = await get('/api/tags');
    if (dialect === 'ollama') expect(await tags.json()).toMatchObject({ models: [{ name }] });
    else expect(tags.status).toBe(404);
  });
});

describe('a model that is not in memory', () => {
  /** A hundredth of the times that apply: forty seconds of loading are 400 ms. */
  const hastened = ({ firstByteMs, silenceMs }: typeof DEFAULT_TIMEOUTS) => ({
    ...PATIENT,
    firstByteMs: firstByteMs / 100,
    silenceMs: silenceMs / 100,
  });
  const cold = { dialect: 'ollama', load: { loadMs: 400, keepAliveMs: 3_000 } } as const;

  it('is waited for, once', async () => {
    const twin = await startTwin(cold);
    const model = modelAt(twin, { isOwnServer: true, timeouts: hastened(OWN_SERVER_TIMEOUTS) });
    expect(await hear(model, asked())).toMatchObject({ thrown: null, used: [{}] });
    expect(await hear(model, asked())).toMatchObject({ thrown: null });
    expect(twin.loads).toEqual({ begun: 1, givenUp: 0 });
  });

  it('would never be there for a client as impatient as before OpenAI, whose every try gives the load up', async () => {
    const twin = await startTwin(cold);
    const model = modelAt(twin, { isOwnServer: true, timeouts: hastened(DEFAULT_TIMEOUTS) });
    expect(await hear(model, asked())).toMatchObject({ thrown: { reason: 'unreachable' } });
    await expect.poll(() => twin.loads).toEqual({ begun: 1, givenUp: 1 });
  });

  it('is not loaded for a learner who has gone, and is loaded again after five idle minutes', async () => {
    let nowMs = 0;
    const twin = await startTwin({ ...cold, load: { loadMs: 60, keepAliveMs: 300_000, now: () => nowMs } });
    const model = modelAt(twin, { isOwnServer: true });
    const gone = new AbortController();
    const hearing = hear(model, asked({ signal: gone.signal }));
    await expect.poll(() => twin.loads.begun).toBe(1);
    gone.abort(new Error('the learner left'));
    await hearing;
    await expect.poll(() => twin.loads.givenUp).toBe(1);
    expect(await hear(model, asked())).toMatchObject({ thrown: null });
    nowMs += 300_001;
    expect(await hear(model, asked())).toMatchObject({ thrown: null });
    expect(twin.loads).toEqual({ begun: 3, givenUp: 1 });
  });
});

describe('a quirk is there to be met', () => {
  const send = async (twin: OpenAiTwin, path: string, body: object) => {
    const response = await fetch(`${twin.url}${path}`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', ...body }),
    });
    const { error } = (await response.json()) as { error?: { code: unknown; message: string } };
    return { status: response.status, ...(error === undefined ? {} : { error }) };
  };
  const input = [
    { role: 'user', content: 'Begin.' },
    { role: 'assistant', content: 'Good morning.' },
  ];

  it('llama.cpp cannot tell what an untyped item of the assistant is', async () => {
    const twin = await startTwin({ dialect: 'llama.cpp' });
    expect(await send(twin, '/responses', { input })).toEqual({
      status: 400,
      error: expect.objectContaining({ code: 400, message: "Cannot determine type of 'item'" }),
    });
  });

  it('llama.cpp ignores a form over Responses and keeps to it over chat completions', async () => {
    const twin = await startTwin({ dialect: 'llama.cpp' });
    const model = modelAt(twin, { isOwnServer: true });
    const { question, used } = askedAndCharged();
    await model.structured({ ...question, name: 'turn', schema: Turn });
    expect(twin.shown.map(({ form }) => form)).toEqual([null, 'turn']);
    // The answer that was of no use was paid for as well.
    expect(used).toHaveLength(2);
    await model.structured({ ...question, name: 'turn', schema: Turn });
    expect(twin.shown.map(({ form }) => form)).toEqual([null, 'turn', 'turn']);
  });

  it('older versions of vLLM do not show a model the plain strings of the assistant, so the adapter sends none', async () => {
    const twin = await startTwin({ dialect: 'vllm', model: { misreadsStrings: true } });
    await send(twin, '/responses', { input });
    expect(twin.shown.at(-1)?.messages.map(({ text }) => text)).toEqual(['Begin.', '']);
    await hear(modelAt(twin, { isOwnServer: true }), asked());
    expect(twin.shown.at(-1)?.messages.every(({ text }) => text !== '')).toBe(true);
  });

  it('vLLM tells a thought in the answer, and apart from it with a reasoning parser', async () => {
    const texts = async (hasReasoningParser: boolean) => {
      const twin = await startTwin({ dialect: 'vllm', model: { thought: THOUGHT, hasReasoningParser } });
      const response = await fetch(`${twin.url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Begin.' }], stream: true }),
      });
      return response.text();
    };
    expect(await texts(false)).toContain('<think>');
    expect(await texts(true)).not.toContain('<think>');
    expect(await texts(true)).toContain('reasoning_content');
  });

  it('Ollama knows no effort "minimal", and LM Studio no form "json_object"', async () => {
    const ollama = await startTwin({ dialect: 'ollama' });
    expect(await send(ollama, '/responses', { input, reasoning: { effort: 'minimal' } })).toMatchObject({
      status: 400,
    });
    const studio = await startTwin({ dialect: 'lm-studio' });
    const body = { messages: [{ role: 'user', content: 'Begin.' }], response_format: { type: 'json_object' } };
    expect(await send(studio, '/chat/completions', body)).toMatchObject({ status: 400 });
  });
});
