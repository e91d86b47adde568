/** What the twin's model answers: the script's words, or a stand-in's line or filled form; and what that cost. */
import { coachLine, filledForm, readPrompt } from '../stand-in/index.ts';
import type { Thought } from './dialect.ts';
import { propertiesOf, valueOfSchema } from './value-of-schema.ts';
import type { TwinAct } from './script.ts';

/** A question in either protocol. */
export interface TwinQuestion {
  model: string;
  instructions: string;
  messages: readonly { role: string; text: string }[];
  maxOutputTokens: number | null;
  /** How much the model is asked to think; null when nothing is said of it. */
  effort: string | null;
  /** The name of the form that is wanted. */
  form: string | null;
  /** The JSON schema that the answer must keep to. */
  schema: Record<string, unknown> | null;
  stream: boolean;
}

export interface TwinAnswer {
  text: string;
  /** What the model thought, when that is told apart from the answer. */
  thought: string;
  ending: 'complete' | 'max_output_tokens' | 'content_filter' | 'refused' | 'failed';
  /** Of a failure. */
  code: string;
  /** Whether a failure is said by an error without a response. */
  isBareError: boolean;
  /** `thought` is a part of `output`. */
  tokens: { input: number; cached: number; output: number; thought: number };
}

/** A word is about one. */
const CHARACTERS_PER_TOKEN = 4;
export const REFUSAL = "I'm sorry, but I can't help with that.";

export function answerQuestion(
  question: TwinQuestion,
  { act, isKnownPrompt, thought }: { act: TwinAct; isKnownPrompt: boolean; thought: Thought },
): TwinAnswer {
  const given = 'text' in act ? act.text : undefined;
  const isAloud = thought.place === 'in_answer';
  const whole = `${isAloud ? `<think>\n${thought.text}\n</think>\n\n` : ''}${given ?? ownAnswer(question)}`;
  // A thought counts against the limit of tokens, wherever it is told.
  const { maxOutputTokens } = question;
  const room = maxOutputTokens === null || isAloud ? maxOutputTokens : Math.max(0, maxOutputTokens - thought.tokens);
  const { text, ending } = endingOf(act, whole, room);
  const thoughtTokens = isAloud ? 0 : Math.min(thought.tokens, maxOutputTokens ?? thought.tokens);
  const prompt = [question.instructions, ...question.messages.map((message) => message.text)];
  return {
    text: act.does === 'fail' ? (given ?? '') : text,
    thought: thought.place === 'apart' ? thought.text : '',
    ending,
    code: act.does === 'fail' ? act.code : '',
    isBareError: act.does === 'fail' && act.by === 'error',
    tokens: {
      input: tokensOf(prompt.join('\n')),
      // A prompt that was said before is at hand.
      cached: isKnownPrompt ? tokensOf(question.instructions) : 0,
      output: tokensOf(text) + thoughtTokens,
      thought: thoughtTokens,
    },
  };
}

function endingOf(act: TwinAct, whole: string, limit: number | null): Pick<TwinAnswer, 'text' | 'ending'> {
  const half = whole.slice(0, Math.ceil(whole.length / 2));
  switch (act.does) {
    case 'refuse':
      return { text: REFUSAL, ending: 'refused' };
    case 'stop_short':
      return { text: half, ending: 'max_output_tokens' };
    case 'filter':
      return { text: half, ending: 'content_filter' };
    case 'fail':
      return { text: whole, ending: 'failed' };
    default: {
      const isWhole = limit === null || tokensOf(whole) <= limit;
      return isWhole
        ? { text: whole, ending: 'complete' }
        : { text: whole.slice(0, limit * CHARACTERS_PER_TOKEN), ending: 'max_output_tokens' };
    }
  }
}

function ownAnswer(question: TwinQuestion): string {
  const told = readPrompt(question);
  const { text, isGoodbye } = coachLine(told);
  const line = isGoodbye && told.endMark !== null ? `${text} ${told.endMark}` : text;
  const { schema } = question;
  if (schema === null) return line;
  const made = valueOfSchema(schema, { said: told.said.at(-1) ?? '', line });
  const known = Object.entries(filledForm(question.form, told) ?? {}).filter(([key]) => key in propertiesOf(schema));
  return JSON.stringify(known.length === 0 ? made : Object.assign({}, made, Object.fromEntries(known)));
}

export const tokensOf = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** A word with the space before it; never half of a character. */
export const piecesOf = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
