/** Runs the adapter against each kind of server, including what the real one rejects, ignores and adds. */
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRequest, aMeteredRequest, askModel, modelAt, PATIENT_TIMEOUTS } from './test-kit/ask-model.ts';
import { DEFAULT_TIMEOUTS, SELF_HOSTED_TIMEOUTS } from '../connection/timeouts.ts';
import {
  DIALECTS,
  documentProblem,
  type OpenAiFake,
  type OpenAiFakeOptions,
  startOpenAiFake,
} from '@parley/fakes/openai/index.ts';

const fakes: OpenAiFake[] = [];
afterEach(() => Promise.all(fakes.splice(0).map((fake) => fake.close())));
async function startFake(options: OpenAiFakeOptions): Promise<OpenAiFake> {
  const fake = await startOpenAiFake(options);
  fakes.push(fake);
  return fake;
}

const THOUGHT = 'The learner wants the room. A landlady would be glad, and ask when they can move in. '
  .repeat(3)
  .trim();
const WORDS = 'The room is free from May.';
const Turn = z.object({ reply: z.string(), isFinished: z.boolean() });

describe.each(DIALECTS)('a server that imitates %s', (dialect) => {
  const isOwnServer = dialect !== 'openai';
  const name = isOwnServer ? 'qwen3:8b' : 'gpt-5-mini';
  const start = async (options: OpenAiFakeOptions = {}) => {
    const fake = await startFake({ dialect, ...options });
    return { fake, model: modelAt(fake, { model: name, isSelfHosted: isOwnServer }) };
  };
  const thinking = isOwnServer ? { model: { thought: THOUGHT } } : {};

  it('sees the whole dialogue in requests that match OpenAI’s document', async () => {
    const { fake, model } = await start(thinking);
    fake.play({ does: 'answer', text: WORDS });
    const said = aRequest();
    expect(await askModel(model, said)).toMatchObject({ text: WORDS, thrown: null });
    const shown = fake.modelRequests.at(-1)?.messages.map(({ text }) => text);
    for (const { text } of said.messages) expect(shown).toContain(text);
    expect(await model.structured({ ...aRequest(), name: 'turn', schema: Turn })).toMatchObject({
      value: expect.anything(),
    });
    expect(fake.calls.length).toBeGreaterThan(1);
    for (const { path, body } of fake.calls) expect(documentProblem(path, body), path).toBeNull();
  });

  it('returns a value of the schema, also when it reasons', async () => {
    const { model } = await start(thinking);
    for (let time = 0; time < 2; time += 1) {
      const { value } = await model.structured({ ...aRequest(), name: 'turn', schema: Turn });
      expect(Turn.safeParse(value)).toMatchObject({ success: true });
    }
  });

  it('keeps reasoning out of the text but meters it', async () => {
    const { fake, model } = await start(thinking);
    fake.play({ does: 'answer', text: WORDS });
    const { text, used, thrown } = await askModel(model, aRequest({ maxOutputTokens: 400 }));
    expect({ text, thrown }).toEqual({ text: WORDS, thrown: null });
    expect(used).toHaveLength(1);
    const isThinking = isOwnServer && dialect !== 'ollama';
    const words = Math.ceil(WORDS.length / 4);
    if (isThinking) expect(used[0]?.output).toBeGreaterThan(words + THOUGHT.length / 5);
    else expect(used[0]?.output).toBe(words);
    expect(used[0]?.isEstimate).toBeUndefined();
  });

  it('answers after reasoning used up the limit, and meters each attempt', async () => {
    const { fake, model } = await start(thinking);
    fake.play({ does: 'answer', text: WORDS, times: 3 });
    const { text, used, thrown } = await askModel(model, aRequest({ maxOutputTokens: 20 }));
    expect({ text, thrown }).toEqual({ text: WORDS, thrown: null });
    expect(used).toHaveLength(fake.modelRequests.length);
  });

  it('is retried after the time it names, and metered once', async () => {
    const { fake, model } = await start();
    fake.play({ does: 'reject', status: 429, retryAfterMs: 20 }, { does: 'answer', text: WORDS });
    const { text, used } = await askModel(model, aRequest());
    expect(text).toBe(WORDS);
    expect(used).toHaveLength(1);
  });

  it('is retried when it drops before the first word and never after it', async () => {
    const { fake, model } = await start();
    fake.play({ does: 'cut', afterEvents: 1 }, { does: 'answer', text: WORDS });
    const first = await askModel(model, aRequest());
    expect(first).toMatchObject({ text: WORDS, thrown: null });
    expect(first.used.map(({ isEstimate }) => isEstimate ?? false)).toEqual([true, false]);
    fake.play({ does: 'cut', afterEvents: 7 });
    const second = await askModel(model, aRequest());
    expect(second).toMatchObject({ thrown: { reason: 'unreachable' }, used: [{ isEstimate: true }] });
    expect(second.pieces).toBeGreaterThan(0);
  });

  it('costs nothing when it rejects every variant of a request', async () => {
    const { fake, model } = await start();
    fake.play({ does: 'reject', status: 400, times: 8 });
    expect(await askModel(model, aRequest())).toMatchObject({ thrown: { reason: 'unreachable' }, used: [] });
  });

  it('gets no fallback for a model that it does not have', async () => {
    const { fake, model } = await start({ models: ['another'] });
    const { thrown, used } = await askModel(model, aRequest());
    expect({ used, thrown }).toMatchObject({ used: [], thrown: { reason: 'unreachable' } });
    expect(thrown).toMatchObject({ message: expect.stringContaining('model_not_found') });
    expect(fake.calls).toHaveLength(1);
  });

  it('lists its models where the real server does', async () => {
    const { fake } = await start({ models: [name] });
    const get = async (path: string): Promise<Response> =>
      fetch(new URL(path, fake.url), { headers: { authorization: `Bearer ${fake.key}` } });
    expect(await (await get('/v1/models')).json()).toMatchObject({ data: [{ id: name }] });
    const tags = await get('/api/tags');
    if (dialect === 'ollama') expect(await tags.json()).toMatchObject({ models: [{ name }] });
    else expect(tags.status).toBe(404);
  });
});

describe('a model that is not loaded', () => {
  /** A hundredth of the real times: forty seconds of loading take 400 ms. */
  const scaleDown = ({ firstByteMs, silenceMs }: typeof DEFAULT_TIMEOUTS) => ({
    ...PATIENT_TIMEOUTS,
    firstByteMs: firstByteMs / 100,
    silenceMs: silenceMs / 100,
  });
  const coldModel = { dialect: 'ollama', load: { loadMs: 400, keepAliveMs: 3_000 } } as const;

  it('is loaded once', async () => {
    const fake = await startFake(coldModel);
    const model = modelAt(fake, { isSelfHosted: true, timeouts: scaleDown(SELF_HOSTED_TIMEOUTS) });
    expect(await askModel(model, aRequest())).toMatchObject({ thrown: null, used: [{}] });
    expect(await askModel(model, aRequest())).toMatchObject({ thrown: null });
    expect(fake.loadCounts).toEqual({ begun: 1, givenUp: 0 });
  });

  it("never loads for a client with OpenAI's timeouts", async () => {
    const fake = await startFake(coldModel);
    const model = modelAt(fake, { isSelfHosted: true, timeouts: scaleDown(DEFAULT_TIMEOUTS) });
    expect(await askModel(model, aRequest())).toMatchObject({ thrown: { reason: 'unreachable' } });
    await expect.poll(() => fake.loadCounts).toEqual({ begun: 1, givenUp: 1 });
  });

  it('stops loading when the learner leaves and reloads after idle time', async () => {
    let nowMs = 0;
    const fake = await startFake({ ...coldModel, load: { loadMs: 60, keepAliveMs: 300_000, now: () => nowMs } });
    const model = modelAt(fake, { isSelfHosted: true });
    const gone = new AbortController();
    const hearing = askModel(model, aRequest({ signal: gone.signal }));
    await expect.poll(() => fake.loadCounts.begun).toBe(1);
    gone.abort(new Error('the learner left'));
    await hearing;
    await expect.poll(() => fake.loadCounts.givenUp).toBe(1);
    expect(await askModel(model, aRequest())).toMatchObject({ thrown: null });
    nowMs += 300_001;
    expect(await askModel(model, aRequest())).toMatchObject({ thrown: null });
    expect(fake.loadCounts).toEqual({ begun: 3, givenUp: 1 });
  });
});

describe('an imitated quirk', () => {
  const send = async (fake: OpenAiFake, path: string, body: object) => {
    const response = await fetch(`${fake.url}${path}`, {
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

  it('llama.cpp rejects an untyped assistant item', async () => {
    const fake = await startFake({ dialect: 'llama.cpp' });
    expect(await send(fake, '/responses', { input })).toEqual({
      status: 400,
      error: expect.objectContaining({ code: 400, message: "Cannot determine type of 'item'" }),
    });
  });

  it('llama.cpp follows the format only over chat completions', async () => {
    const fake = await startFake({ dialect: 'llama.cpp' });
    const model = modelAt(fake, { isSelfHosted: true });
    const { request, used } = aMeteredRequest();
    await model.structured({ ...request, name: 'turn', schema: Turn });
    expect(fake.modelRequests.map(({ formatName }) => formatName)).toEqual([null, 'turn']);
    // The unusable answer is charged as well.
    expect(used).toHaveLength(2);
    await model.structured({ ...request, name: 'turn', schema: Turn });
    expect(fake.modelRequests.map(({ formatName }) => formatName)).toEqual([null, 'turn', 'turn']);
  });

  it('older vLLM drops assistant strings, so the adapter sends none', async () => {
    const fake = await startFake({ dialect: 'vllm', model: { dropsAssistantStrings: true } });
    await send(fake, '/responses', { input });
    expect(fake.modelRequests.at(-1)?.messages.map(({ text }) => text)).toEqual(['Begin.', '']);
    await askModel(modelAt(fake, { isSelfHosted: true }), aRequest());
    expect(fake.modelRequests.at(-1)?.messages.every(({ text }) => text !== '')).toBe(true);
  });

  it('vLLM sends reasoning in the answer unless it has a parser', async () => {
    const texts = async (hasReasoningParser: boolean) => {
      const fake = await startFake({ dialect: 'vllm', model: { thought: THOUGHT, hasReasoningParser } });
      const response = await fetch(`${fake.url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Begin.' }], stream: true }),
      });
      return response.text();
    };
    expect(await texts(false)).toContain('<think>');
    expect(await texts(true)).not.toContain('<think>');
    expect(await texts(true)).toContain('reasoning_content');
  });

  it('Ollama rejects effort "minimal" and LM Studio format "json_object"', async () => {
    const ollama = await startFake({ dialect: 'ollama' });
    expect(await send(ollama, '/responses', { input, reasoning: { effort: 'minimal' } })).toMatchObject({
      status: 400,
    });
    const studio = await startFake({ dialect: 'lm-studio' });
    const body = { messages: [{ role: 'user', content: 'Begin.' }], response_format: { type: 'json_object' } };
    expect(await send(studio, '/chat/completions', body)).toMatchObject({ status: 400 });
  });
});
