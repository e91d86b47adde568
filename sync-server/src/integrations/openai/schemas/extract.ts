/** Takes from OpenAI's OpenAPI document the schemas that we use, in the plain form in which the fakes check requests and answers. */

type Json = Readonly<Record<string, unknown>>;
export type Schemas = Record<string, Json>;

/** What we send, and what the fakes answer; each brings along what it refers to. */
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
/** Of these unions, only the events that the fakes send. All client events stay, since the fakes must recognise each of them. */
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

/** Words for readers, and hints for code generators: none of them decides whether a value is valid. */
const NOT_CHECKED: ReadonlySet<string> = new Set([
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

/** Throws when the document lacks a schema, or is of another make than the one that this was written for. */
export function extractSchemas(document: unknown): Schemas {
  const all = asObject(asObject(asObject(document)['components'])['schemas']);
  const kept: Record<string, Json> = {};
  const take = (name: string): void => {
    if (name in kept) return;
    if (!(name in all)) throw new Error(`The document has no schema ${name}: it is not OpenAI's, or it was renamed.`);
    const schema = plain(asObject(all[name]), name);
    kept[name] = EVENTS.includes(name) ? { anyOf: asArray(schema['anyOf']).filter(isSent(name)) } : schema;
    for (const reference of referencesIn(kept[name])) take(reference);
  };
  for (const name of [...REQUESTS, ...ANSWERS, ...EVENTS]) take(name);
  const flat = Object.fromEntries(Object.keys(kept).map((name) => [name, flatten(kept[name] ?? {}, kept)]));
  const isUsed = usedFrom([...REQUESTS, ...ANSWERS, ...EVENTS], flat);
  return Object.fromEntries(
    Object.entries(flat)
      .filter(([name]) => isUsed.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const isSent =
  (union: string) =>
  (member: unknown): boolean =>
    union === 'RealtimeClientEvent' || referencesIn(member).some((name) => SENT_EVENTS.has(name));

/** The schema without words, with one keyword for a union and one for a value that may be null. */
function plain(schema: unknown, owner: string): Json {
  const given = asObject(schema);
  const made: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (NOT_CHECKED.has(key) || key.startsWith('x-')) continue;
    if (key === '$ref') made['$ref'] = `#/$defs/${String(value).slice(PREFIX.length)}`;
    else if (key === '$recursiveRef') made['$ref'] = `#/$defs/${owner}`;
    else if (key === 'properties')
      made[key] = Object.fromEntries(Object.entries(asObject(value)).map(([name, part]) => [name, plain(part, owner)]));
    // The members of OpenAI's unions overlap, so that "exactly one" refuses what the service takes.
    else if (key === 'anyOf' || key === 'oneOf') made['anyOf'] = asArray(value).map((part) => plain(part, owner));
    else if (key === 'allOf') made[key] = asArray(value).map((part) => plain(part, owner));
    else if (
      key === 'items' ||
      key === 'propertyNames' ||
      (key === 'additionalProperties' && typeof value === 'object')
    )
      made[key] = plain(value, owner);
    else made[key] = value;
  }
  return given['nullable'] === true ? { anyOf: [made, { type: 'null' }] } : made;
}

/** One object in place of several that all apply: else none of them could refuse names that it does not have itself. */
function flatten(schema: Json, kept: Schemas): Json {
  const made = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, flattenPart(key, value, kept)]));
  if (!Array.isArray(made['allOf'])) return made;
  const { allOf, ...own } = made;
  const parts = [...asArray(allOf).map((part) => resolved(asObject(part), kept)), own];
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

function resolved(part: Json, kept: Schemas): Json {
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

function usedFrom(names: readonly string[], schemas: Schemas): Set<string> {
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
