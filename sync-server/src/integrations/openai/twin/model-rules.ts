/** What OpenAI refuses by model, beyond what its document says of all models: platform.openai.com/docs/guides/reasoning and its pages of models. */
import { type SchemaProblem, wrongValue } from '../schemas/index.ts';

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

interface Reasoning {
  efforts: readonly Effort[];
  /** What the model does when a request says nothing. */
  byDefault: Effort;
}

/** The first that matches a model's name; a model that matches none does not reason. */
const REASONING: readonly [name: RegExp, reasoning: Reasoning][] = [
  [/^gpt-5-pro/, { efforts: ['high'], byDefault: 'high' }],
  [/^gpt-5\.\d+-pro/, { efforts: ['medium', 'high', 'xhigh'], byDefault: 'medium' }],
  [/^gpt-5[\w.-]*-chat/, { efforts: [], byDefault: 'none' }],
  [/^gpt-5(-mini|-nano)?(-\d|$)/, { efforts: ['minimal', 'low', 'medium', 'high'], byDefault: 'medium' }],
  [/^gpt-5\.1/, { efforts: ['none', 'low', 'medium', 'high'], byDefault: 'none' }],
  [/^gpt-5\.[234]/, { efforts: ['none', 'low', 'medium', 'high', 'xhigh'], byDefault: 'none' }],
  [/^gpt-5\.\d/, { efforts: ['none', 'low', 'medium', 'high', 'xhigh'], byDefault: 'medium' }],
  [/^o\d/, { efforts: ['low', 'medium', 'high'], byDefault: 'medium' }],
];

const reasoningOf = (model: string): Reasoning | null => {
  const found = REASONING.find(([name]) => name.test(model))?.[1] ?? null;
  return found === null || found.efforts.length === 0 ? null : found;
};

/** Tokens that are thought before the first word; about what the service takes for a short question. */
const THOUGHT_TOKENS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0,
  low: 150,
  medium: 600,
  high: 1_500,
  xhigh: 3_000,
};

export function thoughtTokens(model: string, effort: string | null): number {
  const reasoning = reasoningOf(model);
  if (reasoning === null) return 0;
  return THOUGHT_TOKENS[reasoning.efforts.find((each) => each === effort) ?? reasoning.byDefault];
}

/** Of a request to Responses or chat completions; null when the model takes it. */
export function modelProblem(
  protocol: 'responses' | 'chat',
  body: Readonly<Record<string, unknown>>,
): SchemaProblem | null {
  const { input } = body;
  if (protocol === 'responses' && (input === undefined || (Array.isArray(input) && input.length === 0)))
    return { code: 'missing_required_parameter', message: "Missing required parameter: 'input'.", param: 'input' };
  const model = String(body['model']);
  const reasoning = reasoningOf(model);
  const param = protocol === 'responses' ? 'reasoning.effort' : 'reasoning_effort';
  const effort = protocol === 'responses' ? effortIn(body['reasoning']) : (body['reasoning_effort'] ?? null);
  if (reasoning === null) return effort === null ? null : unsupported(param);
  if (effort !== null && !reasoning.efforts.some((each) => each === effort)) {
    const { message } = wrongValue(param, effort, reasoning.efforts);
    const rest = message.slice(message.indexOf('Supported'));
    return {
      code: 'unsupported_value',
      message: `Unsupported value: '${asText(effort)}' is not supported with the '${model}' model. ${rest}`,
      param,
    };
  }
  if (protocol === 'chat' && typeof body['max_tokens'] === 'number')
    return {
      ...unsupported('max_tokens'),
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    };
  const thinks = (effort ?? reasoning.byDefault) !== 'none';
  const temperature = body['temperature'] ?? null;
  return thinks && temperature !== null && temperature !== 1 ? unsupported('temperature') : null;
}

const effortIn = (reasoning: unknown): unknown =>
  typeof reasoning === 'object' && reasoning !== null && 'effort' in reasoning ? reasoning.effort : null;

/** A request may hold anything where a word belongs. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const unsupported = (param: string): SchemaProblem => ({
  code: 'unsupported_parameter',
  message: `Unsupported parameter: '${param}' is not supported with this model.`,
  param,
});

/** The document lets any string pass as a voice, since custom voices have names too; the service takes those that it has. */
const SPEECH_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'onyx',
  'nova',
  'sage',
  'shimmer',
  'verse',
  'marin',
  'cedar',
];
const FIRST_SPEECH_VOICES = SPEECH_VOICES.filter((voice) => !['ballad', 'verse', 'marin', 'cedar'].includes(voice));
const REALTIME_VOICES = SPEECH_VOICES.filter((voice) => !['fable', 'onyx', 'nova'].includes(voice));

export function speechProblem({ model, voice, instructions }: Readonly<Record<string, unknown>>): SchemaProblem | null {
  const isFirst = String(model).startsWith('tts-1');
  const known = isFirst ? FIRST_SPEECH_VOICES : SPEECH_VOICES;
  if (typeof voice === 'string' && !known.includes(voice)) return wrongValue('voice', voice, known);
  return isFirst && instructions !== undefined ? unsupported('instructions') : null;
}

/** Only the second generation reasons. */
export function realtimeProblem(model: string, session: Readonly<Record<string, unknown>>): SchemaProblem | null {
  const { audio, reasoning } = session as { audio?: { output?: { voice?: unknown } }; reasoning?: unknown };
  const voice = audio?.output?.voice;
  if (typeof voice === 'string' && !REALTIME_VOICES.includes(voice))
    return wrongValue('session.audio.output.voice', voice, REALTIME_VOICES);
  const isReasoning = model.startsWith('gpt-realtime-2');
  return effortIn(reasoning) !== null && !isReasoning ? unsupported('session.reasoning.effort') : null;
}
