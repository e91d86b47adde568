/** Builds the fake model's answer from the script or from the default answers, with its usage. */
import { coachReply, structuredAnswer, readPromptFacts } from './default-answers/index.ts';
import type { Thought } from '../openai-compatible/dialects.ts';
import { propertiesOf, generateValue } from './generate-value.ts';
import type { ScriptedBehaviour } from './script.ts';

/** A request to the model in either protocol. */
export interface RecordedModelRequest {
  model: string;
  instructions: string;
  messages: readonly { role: string; text: string }[];
  maxOutputTokens: number | null;
  /** The requested reasoning effort; null when the request does not set one. */
  reasoningEffort: string | null;
  /** Name of the requested output format. */
  formatName: string | null;
  /** The JSON schema of the requested output. */
  schema: Record<string, unknown> | null;
  stream: boolean;
}

export interface ModelAnswer {
  text: string;
  /** Reasoning that is sent apart from the answer. */
  thought: string;
  ending: 'complete' | 'max_output_tokens' | 'content_filter' | 'refused' | 'failed';
  /** Error code of a failure. */
  code: string;
  /** Whether a failure is sent as a plain error without a response. */
  isBareError: boolean;
  /** `thought` is part of `output`. */
  tokens: { input: number; cached: number; output: number; thought: number };
}

/** The average number of characters per word. */
const CHARACTERS_PER_TOKEN = 4;
export const REFUSAL = "I'm sorry, but I can't help with that.";

export function answerRequest(
  request: RecordedModelRequest,
  { act, isKnownPrompt, thought }: { act: ScriptedBehaviour; isKnownPrompt: boolean; thought: Thought },
): ModelAnswer {
  const scriptedText = 'text' in act ? act.text : undefined;
  const isThoughtInAnswer = thought.place === 'in_answer';
  const fullText = `${isThoughtInAnswer ? `<think>\n${thought.text}\n</think>\n\n` : ''}${scriptedText ?? defaultAnswer(request)}`;
  // Reasoning counts against the token limit, wherever it is sent.
  const { maxOutputTokens } = request;
  const remainingTokens =
    maxOutputTokens === null || isThoughtInAnswer ? maxOutputTokens : Math.max(0, maxOutputTokens - thought.tokens);
  const { text, ending } = applyEnding(act, fullText, remainingTokens);
  const thoughtTokens = isThoughtInAnswer ? 0 : Math.min(thought.tokens, maxOutputTokens ?? thought.tokens);
  const prompt = [request.instructions, ...request.messages.map((message) => message.text)];
  return {
    text: act.does === 'fail' ? (scriptedText ?? '') : text,
    thought: thought.place === 'apart' ? thought.text : '',
    ending,
    code: act.does === 'fail' ? act.code : '',
    isBareError: act.does === 'fail' && act.by === 'error',
    tokens: {
      input: countTokens(prompt.join('\n')),
      // Repeated instructions are cached.
      cached: isKnownPrompt ? countTokens(request.instructions) : 0,
      output: countTokens(text) + thoughtTokens,
      thought: thoughtTokens,
    },
  };
}

function applyEnding(
  act: ScriptedBehaviour,
  fullText: string,
  limit: number | null,
): Pick<ModelAnswer, 'text' | 'ending'> {
  const half = fullText.slice(0, Math.ceil(fullText.length / 2));
  switch (act.does) {
    case 'refuse':
      return { text: REFUSAL, ending: 'refused' };
    case 'stop_short':
      return { text: half, ending: 'max_output_tokens' };
    case 'filter':
      return { text: half, ending: 'content_filter' };
    case 'fail':
      return { text: fullText, ending: 'failed' };
    default: {
      const isWhole = limit === null || countTokens(fullText) <= limit;
      return isWhole
        ? { text: fullText, ending: 'complete' }
        : { text: fullText.slice(0, limit * CHARACTERS_PER_TOKEN), ending: 'max_output_tokens' };
    }
  }
}

function defaultAnswer(request: RecordedModelRequest): string {
  const facts = readPromptFacts(request);
  const { text, isGoodbye } = coachReply(facts);
  const line = isGoodbye && facts.endMark !== null ? `${text} ${facts.endMark}` : text;
  const { schema } = request;
  if (schema === null) return line;
  const generated = generateValue(schema, { said: facts.learnerTurns.at(-1) ?? '', line });
  const known = Object.entries(structuredAnswer(request.formatName, facts) ?? {}).filter(
    ([key]) => key in propertiesOf(schema),
  );
  return JSON.stringify(known.length === 0 ? generated : Object.assign({}, generated, Object.fromEntries(known)));
}

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** Splits into words with their leading space and never inside a character. */
export const splitIntoDeltas = (text: string): string[] =>
  text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
