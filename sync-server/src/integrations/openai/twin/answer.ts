/** What the twin's model answers: the script's words, a value of the wished form, or a coach's line; and what that cost. */
import { coachLine } from './coach-lines.ts';
import { valueOfSchema } from './value-of-schema.ts';
import type { TwinAct } from './script.ts';

/** A question in either protocol. */
export interface TwinQuestion {
  model: string;
  instructions: string;
  messages: readonly { role: string; text: string }[];
  maxOutputTokens: number | null;
  /** The JSON schema that the answer must keep to. */
  schema: Record<string, unknown> | null;
  stream: boolean;
}

export interface TwinAnswer {
  text: string;
  ending: 'complete' | 'max_output_tokens' | 'content_filter' | 'refused' | 'failed';
  /** Of a failure. */
  code: string;
  /** Whether a failure is said by an error without a response. */
  isBareError: boolean;
  tokens: { input: number; cached: number; output: number };
}

/** A word is about one. */
const CHARACTERS_PER_TOKEN = 4;
export const REFUSAL = "I'm sorry, but I can't help with that.";

export function answerQuestion(
  question: TwinQuestion,
  { act, isKnownPrompt }: { act: TwinAct; isKnownPrompt: boolean },
): TwinAnswer {
  const given = 'text' in act ? act.text : undefined;
  const { text, ending } = endingOf(act, given ?? ownAnswer(question), question.maxOutputTokens);
  const prompt = [question.instructions, ...question.messages.map((message) => message.text)];
  return {
    text: act.does === 'fail' ? (given ?? '') : text,
    ending,
    code: act.does === 'fail' ? act.code : '',
    isBareError: act.does === 'fail' && act.by === 'error',
    tokens: {
      input: tokensOf(prompt.join('\n')),
      // A prompt that was said before is at hand.
      cached: isKnownPrompt ? tokensOf(question.instructions) : 0,
      output: tokensOf(text),
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

function ownAnswer({ instructions, messages, schema }: TwinQuestion): string {
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const line = coachLine({ instructions, said });
  return schema === null ? line : JSON.stringify(valueOfSchema(schema, { said: said.at(-1) ?? '', line }));
}

export const tokensOf = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** A word with the space before it; never half of a character. */
export const piecesOf = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
