/**
 * Which form of a question a server understands. OpenAI takes the first; servers of one's own differ in what they refuse, so that the forms
 * are tried from the best to the plainest, and the one that was answered is remembered.
 */
import type { ModelEvent } from '@parley/coach/model';
import type { ReasoningEffort } from 'openai/resources/shared';
import { askOverChat } from './chat-protocol.ts';
import { hideThinking } from './hide-thinking.ts';
import { malformed, ProviderTrouble } from './provider-trouble.ts';
import type { AskOnce, Question } from './question.ts';
import { type Asking, askOverResponses } from './responses-protocol.ts';

/** Tokens that a model which thinks may spend before it speaks: they count as output. */
const THINKING_ROOM = 4_096;

interface Form {
  protocol: 'responses' | 'chat';
  ask: AskOnce;
}

export interface Dialects {
  ask: AskOnce;
  /** The same over chat completions alone, where servers hold an answer to a schema that ignore it elsewhere. Null for OpenAI. */
  askOverChat: AskOnce | null;
}

export interface DialectOptions extends Omit<Asking, 'reasoningEffort'> {
  /** Undefined: as little as is known of the model; null leaves it to the server. */
  reasoningEffort: ReasoningEffort | undefined;
  /** A server of one's own rather than OpenAI: it may refuse what OpenAI takes. */
  isOwnServer: boolean;
}

/** Create one for the process. */
export function createDialects(options: DialectOptions): Dialects {
  const forms = formsOf(options);
  const thinking = { startsThinking: false, room: thinksByItself(options) ? THINKING_ROOM : 0 };
  const overChat = forms.filter(({ protocol }) => protocol === 'chat');
  const spoken =
    (ask: AskOnce): AskOnce =>
    (question) =>
      withoutThinking(ask, question, thinking);
  return {
    ask: spoken(tryInTurn(forms, options)),
    askOverChat: options.isOwnServer ? spoken(tryInTurn(overChat, options)) : null,
  };
}

function formsOf({ isOwnServer, reasoningEffort, ...asking }: DialectOptions): Form[] {
  const responses = (effort: ReasoningEffort): Form => ({
    protocol: 'responses',
    ask: askOverResponses({ ...asking, reasoningEffort: effort }),
  });
  const chat = (effort: ReasoningEffort): Form => ({
    protocol: 'chat',
    ask: askOverChat({ ...asking, reasoningEffort: effort, isOwnServer }),
  });
  if (!isOwnServer || reasoningEffort !== undefined) {
    const effort = reasoningEffort === undefined ? effortOf(asking.model) : reasoningEffort;
    return [responses(effort), chat(effort)];
  }
  // Ollama's models that can think do so unless they are told not to; other servers refuse to be told.
  return [responses('none'), responses(null), chat('none'), chat(null)];
}

/** OpenAI's models that think at length unless they are told not to; a learner waits for the first word. */
function effortOf(model: string): ReasoningEffort {
  if (/-pro\b/.test(model)) return null;
  if (/^gpt-5(-mini|-nano)?(-\d|$)/.test(model)) return 'minimal';
  // Some of these think at medium effort by default, and all of them take `none`, which the first generation refuses.
  if (/^gpt-5\.\d+(-mini|-nano)?(-\d|$)/.test(model)) return 'none';
  return /^o\d/.test(model) ? 'low' : null;
}

const thinksByItself = ({ model, isOwnServer }: DialectOptions): boolean =>
  !isOwnServer && (/^o\d/.test(model) || /-pro\b/.test(model));

function tryInTurn(forms: readonly Form[], { isOwnServer }: Pick<DialectOptions, 'isOwnServer'>): AskOnce {
  /** Null until the server has answered one. */
  let known: number | null = null;
  return async function* ask(question) {
    let failure: unknown = null;
    for (let at = known ?? 0; at < forms.length; at += 1) {
      const form = forms[at];
      if (form === undefined || (isUnknownPath(failure) && form.protocol === 'responses')) continue;
      let hasBegun = false;
      try {
        for await (const event of form.ask(question)) {
          hasBegun = true;
          known = at;
          yield event;
        }
        return;
      } catch (error) {
        // A server that has answered over this path knows it, and so refuses something else.
        const hasAnsweredHere = known !== null && forms[known]?.protocol === 'responses';
        const canStepDown = (isUnknownPath(error) && !hasAnsweredHere) || (isOwnServer && isRefused(error));
        if (hasBegun || !canStepDown) throw failure !== null && isRefused(error) ? failure : error;
        failure ??= error;
      }
    }
    throw failure ?? malformed('no form of the question is left');
  };
}

const isUnknownPath = (error: unknown): boolean => error instanceof ProviderTrouble && error.isUnknownPath;
const isRefused = (error: unknown): boolean =>
  error instanceof ProviderTrouble && error.reason !== 'declined' && (error.status === 400 || error.status === 422);

/** What the model thinks is neither spoken nor kept; where it thinks, it gets room for that. */
async function* withoutThinking(
  ask: AskOnce,
  question: Question,
  thinking: { startsThinking: boolean; room: number },
): AsyncGenerator<ModelEvent, void> {
  const filter = hideThinking(thinking);
  let hasSpoken = false;
  const speak = function* (text: string): Generator<ModelEvent> {
    // A line break is left where a thought ended.
    const spoken = hasSpoken ? text : text.trimStart();
    hasSpoken ||= spoken !== '';
    if (spoken !== '') yield { type: 'text', text: spoken };
  };
  const asked = { ...question, maxOutputTokens: question.maxOutputTokens + thinking.room };
  try {
    for await (const event of ask(asked)) {
      if (event.type === 'text') {
        const text = filter.take(event.text);
        if (filter.hasStrayEnd()) throw malformed('a thought in the answer');
        yield* speak(text);
        continue;
      }
      yield* speak(filter.rest());
      if (!hasSpoken) throw malformed('an empty answer');
      yield event;
    }
  } catch (error) {
    // Cut off in a thought, or by a limit that the thought used up: the next try has room for both.
    if (!hasSpoken && error instanceof ProviderTrouble && error.reason === 'malformed') thinking.room = THINKING_ROOM;
    throw error;
  } finally {
    if (filter.hasThought()) thinking.room = THINKING_ROOM;
    thinking.startsThinking ||= filter.hasStrayEnd();
  }
}
