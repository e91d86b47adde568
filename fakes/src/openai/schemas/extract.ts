/**
 * Extracts from OpenAI's OpenAPI document the schemas that we use, in the simplified form in which the fakes check requests and answers.
 */

type Json = Readonly<Record<string, unknown>>;
export type Schemas = Record<string, Json>;

/** Schemas of what we send and what the fakes answer, with everything they refer to. */
const REQUESTS = [
  'CreateResponse',
  'CreateChatCompletionRequest',
  'CreateSpeechRequest',
  'CreateTranscriptionRequest',
  'RealtimeCreateClientSecretRequest',
];
const ANSWERS = [
  'Response',
  'CreateChatCompletionResponse',
  'CreateChatCompletionStreamResponse',
  'CreateTranscriptionResponseJson',
  'ListModelsResponse',
  'RealtimeCreateClientSecretResponse',
  'ErrorResponse',
];
/** Unions of events; each event is checked against the schema of its own type. */
const EVENTS = ['ResponseStreamEvent', 'RealtimeClientEvent', 'RealtimeServerEvent'];
/** Only the events that the fakes send are kept from these unions. All client events stay, since the fakes must recognise each of them. */
const SENT_EVENTS: ReadonlySet<string> = new Set([
  'ResponseCreatedEvent',
  'ResponseInProgressEvent',
  'ResponseCompletedEvent',
  'ResponseIncompleteEvent',
  'ResponseFailedEvent',
  'ResponseErrorEvent',
  'ResponseOutputItemAddedEvent',
  'ResponseOutputItemDoneEvent',
  'ResponseContentPartAddedEvent',
  'ResponseContentPartDoneEvent',
  'ResponseTextDeltaEvent',
  'ResponseTextDoneEvent',
  'ResponseRefusalDeltaEvent',
  'ResponseRefusalDoneEvent',
  'ResponseReasoningTextDeltaEvent',
  'RealtimeServerEventError',
  'RealtimeServerEventSessionCreated',
  'RealtimeServerEventSessionUpdated',
  'RealtimeServerEventInputAudioBufferSpeechStarted',
  'RealtimeServerEventInputAudioBufferSpeechStopped',
  'RealtimeServerEventInputAudioBufferCommitted',
  'RealtimeServerEventConversationItemAdded',
  'RealtimeServerEventConversationItemDone',
  'RealtimeServerEventConversationItemDeleted',
  'RealtimeServerEventConversationItemTruncated',
  'RealtimeServerEventConversationItemInputAudioTranscriptionDelta',
  'RealtimeServerEventConversationItemInputAudioTranscriptionCompleted',
  'RealtimeServerEventConversationItemInputAudioTranscriptionFailed',
  'RealtimeServerEventResponseCreated',
  'RealtimeServerEventResponseDone',
  'RealtimeServerEventResponseOutputItemAdded',
  'RealtimeServerEventResponseOutputItemDone',
  'RealtimeServerEventResponseContentPartAdded',
  'RealtimeServerEventResponseContentPartDone',
  'RealtimeServerEventResponseAudioDelta',
  'RealtimeServerEventResponseAudioDone',
  'RealtimeServerEventResponseAudioTranscriptDelta',
  'RealtimeServerEventResponseAudioTranscriptDone',
]);

/** Keywords for readers and code generators, which do not affect validation. */
const IGNORED_KEYWORDS: ReadonlySet<string> = new Set([
  'default',
  'deprecated',
  'description',
  'discriminator',
  'example',
  'examples',
  'externalDocs',
  'format',
  'nullable',
  'optional',
  'title',
  '$recursiveAnchor',
]);
const PREFIX = '#/components/schemas/';

/** Throws when the document lacks a schema or has a structure that this code does not support. */
export function extractSchemas(document: unknown): Schemas {
  const all = asObject(asObject(asObject(document)['components'])['schemas']);
  const kept: Record<string, Json> = {};
  const take = (name: string): void => {
    if (name in kept) return;
    if (!(name in all)) throw new Error(`The document has no schema ${name}: it is not OpenAI's, or it was renamed.`);
    const schema = simplify(asObject(all[name]), name);
    kept[name] = EVENTS.includes(name) ? { anyOf: asArray(schema['anyOf']).filter(isUsedEvent(name)) } : schema;
    for (const reference of referencesIn(kept[name])) take(reference);
  };
  for (const name of [...REQUESTS, ...ANSWERS, ...EVENTS]) take(name);
  const flat = Object.fromEntries(Object.keys(kept).map((name) => [name, flatten(kept[name] ?? {}, kept)]));
  const isUsed = reachableFrom([...REQUESTS, ...ANSWERS, ...EVENTS], flat);
  return Object.fromEntries(
    Object.entries(flat)
      .filter(([name]) => isUsed.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const isUsedEvent =
  (union: string) =>
  (member: unknown): boolean =>
    union === 'RealtimeClientEvent' || referencesIn(member).some((name) => SENT_EVENTS.has(name));

/** Removes descriptions and uses one keyword for unions and one for nullable values. */
function simplify(schema: unknown, owner: string): Json {
  const given = asObject(schema);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (IGNORED_KEYWORDS.has(key) || key.startsWith('x-')) continue;
    if (key === '$ref') result['$ref'] = `#/$defs/${String(value).slice(PREFIX.length)}`;
    else if (key === '$recursiveRef') result['$ref'] = `#/$defs/${owner}`;
    else if (key === 'properties')
      result[key] = Object.fromEntries(
        Object.entries(asObject(value)).map(([name, part]) => [name, simplify(part, owner)]),
      );
    // The members of OpenAI's unions overlap, so "exactly one" would reject what the service accepts.
    else if (key === 'anyOf' || key === 'oneOf') result['anyOf'] = asArray(value).map((part) => simplify(part, owner));
    else if (key === 'allOf') result[key] = asArray(value).map((part) => simplify(part, owner));
    else if (
      key === 'items' ||
      key === 'propertyNames' ||
      (key === 'additionalProperties' && typeof value === 'object')
    )
      result[key] = simplify(value, owner);
    else result[key] = value;
  }
  return given['nullable'] === true ? { anyOf: [result, { type: 'null' }] } : result;
}

/** Merges `allOf` into one object; otherwise none of the parts could reject unknown names. */
function flatten(schema: Json, kept: Schemas): Json {
  const result = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, flattenPart(key, value, kept)]));
  if (!Array.isArray(result['allOf'])) return result;
  const { allOf, ...own } = result;
  const parts = [...asArray(allOf).map((part) => resolveReference(asObject(part), kept)), own];
  if (parts.length === 2 && Object.keys(own).every((key) => key === 'type')) return parts[0] ?? own;
  const isMergeable = parts.every((part) =>
    Object.keys(part).every((key) => ['type', 'properties', 'required'].includes(key)),
  );
  if (!isMergeable) throw new Error(`A schema with allOf cannot be merged: ${JSON.stringify(schema).slice(0, 300)}`);
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part['properties'])) as Json,
    required: [...new Set(parts.flatMap((part) => asArray(part['required'] ?? [])))],
  };
}

function flattenPart(key: string, value: unknown, kept: Schemas): unknown {
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(asObject(value)).map(([name, part]) => [name, flatten(asObject(part), kept)]),
    );
  if (key === 'anyOf' || key === 'allOf') return asArray(value).map((part) => flatten(asObject(part), kept));
  if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object'))
    return flatten(asObject(value), kept);
  return value;
}

function resolveReference(part: Json, kept: Schemas): Json {
  const [name] = typeof part['$ref'] === 'string' ? referencesIn(part) : [];
  return name === undefined ? part : flatten(kept[name] ?? {}, kept);
}

export function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part.replace('#/$defs/', '')] : referencesIn(part),
  );
}

function reachableFrom(names: readonly string[], schemas: Schemas): Set<string> {
  const used = new Set<string>();
  const visit = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    for (const reference of referencesIn(schemas[name])) visit(reference);
  };
  for (const name of names) visit(name);
  return used;
}

function asObject(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The document is not an OpenAPI document: an object is missing where one belongs.');
  return value as Json;
}

function asArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('The document is not an OpenAPI document: a list is missing.');
  return value as readonly unknown[];
}
