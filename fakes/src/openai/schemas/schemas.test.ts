import { describe, expect, it } from 'vitest';
import { extractSchemas } from './extract.ts';
import { eventProblem, schemaProblem } from './index.ts';
import { loadSchemas } from './stored-schemas.ts';

const message = { type: 'message', role: 'user', content: 'Hello.' };
const said = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Good morning.', annotations: [], logprobs: [] }],
};

describe('checking a request', () => {
  it.each([
    ['CreateResponse', { model: 'gpt-5-mini', input: [message, said] }],
    ['CreateChatCompletionRequest', { model: 'gpt-5-mini', messages: [{ role: 'user', content: 'Hello.' }] }],
    ['CreateSpeechRequest', { model: 'tts-1', input: 'Hello.', voice: 'nova', speed: 4 }],
  ])('accepts a valid %s', (schema, body) => {
    expect(schemaProblem(schema, body)).toBeNull();
  });

  it.each([
    ['CreateResponse', { model: 'm', input: 'x', foo: 1 }, 'unknown_parameter', 'foo'],
    ['CreateResponse', { model: 'm', input: [{ ...message, colour: 1 }] }, 'unknown_parameter', 'input[0].colour'],
    [
      'CreateResponse',
      { model: 'm', input: 'x', text: { format: { type: 'json_schema', name: 'n', schema: {}, colour: 2 } } },
      'unknown_parameter',
      'text.format.colour',
    ],
    [
      'CreateResponse',
      { model: 'm', input: [{ ...said, content: [{ type: 'text', text: 'x' }] }] },
      'invalid_value',
      'input[0].content[0].type',
    ],
    ['CreateResponse', { model: 'm', reasoning: { effort: 'tiny' } }, 'invalid_value', 'reasoning.effort'],
    ['CreateResponse', { model: 'm', max_output_tokens: 3 }, 'integer_below_min_value', 'max_output_tokens'],
    ['CreateSpeechRequest', { model: 'm', input: 'x', voice: 'ash', speed: 9 }, 'decimal_above_max_value', 'speed'],
    ['CreateSpeechRequest', { model: 'm', input: 'x', voice: 'ash', speed: 0.1 }, 'decimal_below_min_value', 'speed'],
    ['CreateSpeechRequest', { model: 'm', input: 'x'.repeat(4_097), voice: 'ash' }, 'string_above_max_length', 'input'],
    ['CreateSpeechRequest', { model: 'm', voice: 'ash' }, 'missing_required_parameter', 'input'],
    ['CreateChatCompletionRequest', { model: 'm', messages: [] }, 'empty_array', 'messages'],
    ['CreateChatCompletionRequest', { model: 'm', messages: [{ role: 'usr' }] }, 'invalid_value', 'messages[0].role'],
    [
      'CreateChatCompletionRequest',
      { model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: '9' },
      'invalid_type',
      'max_tokens',
    ],
  ])('rejects %s: %j (%s)', (schema, body, code, param) => {
    expect(schemaProblem(schema, body)).toMatchObject({ code, param, message: expect.stringContaining("'") });
  });

  it('lists the values that any member of a union accepts', () => {
    const problem = schemaProblem('CreateChatCompletionRequest', { model: 'm', messages: [{ role: 'usr' }] });
    expect(problem?.message).toMatch(/^Invalid value: 'usr'\. Supported values are: .*'user'.*'assistant'/);
  });
});

describe('checking a client event', () => {
  it.each([
    ['of unknown type', { type: 'session.create' }, 'invalid_value', 'type'],
    ['without a type', { session: {} }, 'missing_required_parameter', 'type'],
    [
      'with a session of the beta',
      { type: 'session.update', session: { type: 'realtime', modalities: ['audio'] } },
      'unknown_parameter',
      'session.modalities',
    ],
    [
      'with an audio format of the beta',
      { type: 'session.update', session: { type: 'realtime', input_audio_format: 'pcm16' } },
      'unknown_parameter',
      'session.input_audio_format',
    ],
    [
      'whose session has no type',
      { type: 'session.update', session: { instructions: 'x' } },
      'missing_required_parameter',
      'session.type',
    ],
    [
      'whose speed is too high',
      { type: 'session.update', session: { type: 'realtime', audio: { output: { speed: 1.6 } } } },
      'decimal_above_max_value',
      'session.audio.output.speed',
    ],
    [
      'with assistant content of the beta',
      {
        type: 'conversation.item.create',
        item: { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      },
      'invalid_value',
      'item.content[0].type',
    ],
    [
      'with response modalities of the beta',
      { type: 'response.create', response: { modalities: ['audio'] } },
      'unknown_parameter',
      'response.modalities',
    ],
  ])('rejects one %s', (_what, event, code, param) => {
    expect(eventProblem('RealtimeClientEvent', event)).toMatchObject({ code, param });
  });
});

describe('checking a server event', () => {
  it('rejects the event names of the beta', () => {
    const delta = { event_id: 'e', response_id: 'r', item_id: 'i', output_index: 0, content_index: 0, delta: '' };
    expect(eventProblem('RealtimeServerEvent', { ...delta, type: 'response.output_audio.delta' })).toBeNull();
    expect(eventProblem('RealtimeServerEvent', { ...delta, type: 'response.audio.delta' })).toMatchObject({
      param: 'type',
    });
  });
});

describe('the stored schemas', () => {
  it('have a date and contain everything they refer to', () => {
    const { revised, schemas } = loadSchemas();
    expect(revised).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const references = [...JSON.stringify(schemas).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name ?? '');
    expect(references.length).toBeGreaterThan(400);
    expect(references.filter((name) => !(name in schemas))).toEqual([]);
  });
});

describe('extracting schemas', () => {
  const REQUIRED = [
    'CreateResponse',
    'CreateChatCompletionRequest',
    'CreateSpeechRequest',
    'CreateTranscriptionRequest',
    'RealtimeCreateClientSecretRequest',
    'Response',
    'CreateChatCompletionResponse',
    'CreateChatCompletionStreamResponse',
    'CreateTranscriptionResponseJson',
    'ListModelsResponse',
    'RealtimeCreateClientSecretResponse',
    'ErrorResponse',
  ];
  const EVENTS = ['ResponseStreamEvent', 'RealtimeClientEvent', 'RealtimeServerEvent'];
  const aDocument = (schemas: Record<string, unknown>) => ({
    components: {
      schemas: {
        ...Object.fromEntries(REQUIRED.map((name) => [name, { type: 'object' }])),
        ...Object.fromEntries(EVENTS.map((name) => [name, { anyOf: [] }])),
        ...schemas,
      },
    },
  });

  it('merges allOf and keeps only referenced schemas', () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const made = extractSchemas(
      aDocument({
        CreateResponse: {
          allOf: [ref('Base'), { type: 'object', properties: { tool: ref('Tool') }, required: ['tool'] }],
        },
        Base: { type: 'object', properties: { description: { type: 'string', description: 'Words.' } } },
        Tool: { oneOf: [{ type: 'string', nullable: true }, { $recursiveRef: '#' }], title: 'A tool' },
        Other: { type: 'string' },
      }),
    );
    expect(made['CreateResponse']).toEqual({
      type: 'object',
      properties: { description: { type: 'string' }, tool: { $ref: '#/$defs/Tool' } },
      required: ['tool'],
    });
    expect(made['Tool']).toEqual({
      anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { $ref: '#/$defs/Tool' }],
    });
    expect(Object.keys(made)).not.toContain('Other');
    expect(Object.keys(made)).not.toContain('Base');
  });

  it('names schemas that another document lacks', () => {
    expect(() => extractSchemas({})).toThrow('OpenAPI');
    const { ErrorResponse: _left, ...rest } = aDocument({}).components.schemas;
    expect(() => extractSchemas({ components: { schemas: rest } })).toThrow('ErrorResponse');
  });
});
