/** What OpenAI rejects for specific models, beyond its document: platform.openai.com/docs/guides/reasoning and its model pages. */
import { type SchemaProblem, wrongValue } from './schemas/index.ts';

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

interface Reasoning {
  efforts: readonly Effort[];
  /** The effort that applies when a request sets none. */
  defaultEffort: Effort;
}

/** The first pattern that matches the model's name applies; other models do not reason. */
const REASONING: readonly [name: RegExp, reasoning: Reasoning][] = [
  [/^gpt-5-pro/, { efforts: ['high'], defaultEffort: 'high' }],
  [/^gpt-5\.\d+-pro/, { efforts: ['medium', 'high', 'xhigh'], defaultEffort: 'medium' }],
  [/^gpt-5[\w.-]*-chat/, { efforts: [], defaultEffort: 'none' }],
  [/^gpt-5(-mini|-nano)?(-\d|$)/, { efforts: ['minimal', 'low', 'medium', 'high'], defaultEffort: 'medium' }],
  [/^gpt-5\.1/, { efforts: ['none', 'low', 'medium', 'high'], defaultEffort: 'none' }],
  [/^gpt-5\.[234]/, { efforts: ['none', 'low', 'medium', 'high', 'xhigh'], defaultEffort: 'none' }],
  [/^gpt-5\.\d/, { efforts: ['none', 'low', 'medium', 'high', 'xhigh'], defaultEffort: 'medium' }],
  [/^o\d/, { efforts: ['low', 'medium', 'high'], defaultEffort: 'medium' }],
];

const findReasoning = (model: string): Reasoning | null => {
  const found = REASONING.find(([name]) => name.test(model))?.[1] ?? null;
  return found === null || found.efforts.length === 0 ? null : found;
};

/** Reasoning tokens before the first word, about what the service uses for a short question. */
const REASONING_TOKENS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0,
  low: 150,
  medium: 600,
  high: 1_500,
  xhigh: 3_000,
};

export function reasoningTokens(model: string, effort: string | null): number {
  const reasoning = findReasoning(model);
  if (reasoning === null) return 0;
  return REASONING_TOKENS[reasoning.efforts.find((each) => each === effort) ?? reasoning.defaultEffort];
}

/** Checks a request to Responses or chat completions; null when the model accepts it. */
export function modelProblem(
  protocol: 'responses' | 'chat',
  body: Readonly<Record<string, unknown>>,
): SchemaProblem | null {
  const { input } = body;
  if (protocol === 'responses' && (input === undefined || (Array.isArray(input) && input.length === 0)))
    return { code: 'missing_required_parameter', message: "Missing required parameter: 'input'.", param: 'input' };
  const model = String(body['model']);
  const reasoning = findReasoning(model);
  const param = protocol === 'responses' ? 'reasoning.effort' : 'reasoning_effort';
  const effort = protocol === 'responses' ? readEffort(body['reasoning']) : (body['reasoning_effort'] ?? null);
  if (reasoning === null) return effort === null ? null : unsupportedParameter(param);
  if (effort !== null && !reasoning.efforts.some((each) => each === effort)) {
    const { message } = wrongValue(param, effort, reasoning.efforts);
    const rest = message.slice(message.indexOf('Supported'));
    return {
      code: 'unsupported_value',
      message: `Unsupported value: '${toText(effort)}' is not supported with the '${model}' model. ${rest}`,
      param,
    };
  }
  if (protocol === 'chat' && typeof body['max_tokens'] === 'number')
    return {
      ...unsupportedParameter('max_tokens'),
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    };
  const reasons = (effort ?? reasoning.defaultEffort) !== 'none';
  const temperature = body['temperature'] ?? null;
  return reasons && temperature !== null && temperature !== 1 ? unsupportedParameter('temperature') : null;
}

const readEffort = (reasoning: unknown): unknown =>
  typeof reasoning === 'object' && reasoning !== null && 'effort' in reasoning ? reasoning.effort : null;

/** A request may contain a value of any type where a string belongs. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const unsupportedParameter = (param: string): SchemaProblem => ({
  code: 'unsupported_parameter',
  message: `Unsupported parameter: '${param}' is not supported with this model.`,
  param,
});

/** The document allows any string as a voice, because custom voices have names too; the service accepts only its own. */
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
const TTS_1_VOICES = SPEECH_VOICES.filter((voice) => !['ballad', 'verse', 'marin', 'cedar'].includes(voice));
const REALTIME_VOICES = SPEECH_VOICES.filter((voice) => !['fable', 'onyx', 'nova'].includes(voice));

export function speechProblem({ model, voice, instructions }: Readonly<Record<string, unknown>>): SchemaProblem | null {
  const isFirst = String(model).startsWith('tts-1');
  const known = isFirst ? TTS_1_VOICES : SPEECH_VOICES;
  if (typeof voice === 'string' && !known.includes(voice)) return wrongValue('voice', voice, known);
  return isFirst && instructions !== undefined ? unsupportedParameter('instructions') : null;
}

/** Only the second generation reasons. */
export function realtimeProblem(model: string, session: Readonly<Record<string, unknown>>): SchemaProblem | null {
  const { audio, reasoning } = session as { audio?: { output?: { voice?: unknown } }; reasoning?: unknown };
  const voice = audio?.output?.voice;
  if (typeof voice === 'string' && !REALTIME_VOICES.includes(voice))
    return wrongValue('session.audio.output.voice', voice, REALTIME_VOICES);
  const isReasoning = model.startsWith('gpt-realtime-2');
  return readEffort(reasoning) !== null && !isReasoning ? unsupportedParameter('session.reasoning.effort') : null;
}
