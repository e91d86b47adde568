/**
 * Finds the request variant that a server understands. OpenAI accepts the first; self-hosted servers reject different ones, so variants
 * are tried from the best to the plainest and the one that worked is remembered.
 */
import type { ModelEvent } from '@parley/coach/model';
import type { ReasoningEffort } from 'openai/resources/shared';
import { createChatProtocol } from './chat-protocol.ts';
import { createReasoningFilter } from './reasoning-filter.ts';
import { malformedError, ProviderError } from '../connection/provider-error.ts';
import type { SendRequest, ModelRequest } from './model-request.ts';
import { type ProtocolOptions, createResponsesProtocol } from './responses-protocol.ts';

/** Output tokens that a reasoning model may use before its answer. */
const REASONING_TOKENS = 4_096;

interface ProtocolVariant {
  protocol: 'responses' | 'chat';
  ask: SendRequest;
}

export interface ProtocolFallback {
  ask: SendRequest;
  /**
   * The same over chat completions only, where some servers enforce a schema that they ignore elsewhere. Null for
   * OpenAI.
   */
  askChatCompletions: SendRequest | null;
}

export interface ProtocolFallbackOptions extends Omit<ProtocolOptions, 'reasoningEffort'> {
  /** Undefined uses the least effort known for the model; null leaves it to the server. */
  reasoningEffort: ReasoningEffort | undefined;
  /** A self-hosted server may reject what OpenAI accepts. */
  isSelfHosted: boolean;
}

/** Create one per process, because it remembers what the server accepts. */
export function createProtocolFallback(options: ProtocolFallbackOptions): ProtocolFallback {
  const variants = protocolVariants(options);
  const reasoning = { startsInReasoning: false, reservedTokens: alwaysReasons(options) ? REASONING_TOKENS : 0 };
  const overChat = variants.filter(({ protocol }) => protocol === 'chat');
  const withoutReasoning =
    (ask: SendRequest): SendRequest =>
    (request) =>
      stripReasoning(ask, request, reasoning);
  return {
    ask: withoutReasoning(withFallback(variants, options)),
    askChatCompletions: options.isSelfHosted ? withoutReasoning(withFallback(overChat, options)) : null,
  };
}

function protocolVariants({
  isSelfHosted,
  reasoningEffort,
  ...protocolOptions
}: ProtocolFallbackOptions): ProtocolVariant[] {
  const responses = (effort: ReasoningEffort): ProtocolVariant => ({
    protocol: 'responses',
    ask: createResponsesProtocol({ ...protocolOptions, reasoningEffort: effort }),
  });
  const chat = (effort: ReasoningEffort): ProtocolVariant => ({
    protocol: 'chat',
    ask: createChatProtocol({ ...protocolOptions, reasoningEffort: effort, isOwnServer: isSelfHosted }),
  });
  if (!isSelfHosted || reasoningEffort !== undefined) {
    const effort = reasoningEffort === undefined ? defaultEffort(protocolOptions.model) : reasoningEffort;
    return [responses(effort), chat(effort)];
  }
  // Ollama's reasoning models reason unless told not to; other servers reject that instruction.
  return [responses('none'), responses(null), chat('none'), chat(null)];
}

/** Returns the least effort for OpenAI models that would reason at length, since the learner waits for the first word. */
function defaultEffort(model: string): ReasoningEffort {
  if (/-pro\b/.test(model)) return null;
  if (/^gpt-5(-mini|-nano)?(-\d|$)/.test(model)) return 'minimal';
  // Some of these reason at medium effort by default, and all of them accept `none`, which the first generation rejects.
  if (/^gpt-5\.\d+(-mini|-nano)?(-\d|$)/.test(model)) return 'none';
  return /^o\d/.test(model) ? 'low' : null;
}

const alwaysReasons = ({ model, isSelfHosted }: ProtocolFallbackOptions): boolean =>
  !isSelfHosted && (/^o\d/.test(model) || /-pro\b/.test(model));

function withFallback(
  variants: readonly ProtocolVariant[],
  { isSelfHosted }: Pick<ProtocolFallbackOptions, 'isSelfHosted'>,
): SendRequest {
  /** Null until the server has accepted a variant. */
  let workingIndex: number | null = null;
  return async function* ask(request) {
    let failure: unknown = null;
    for (let index = workingIndex ?? 0; index < variants.length; index += 1) {
      const variant = variants[index];
      if (variant === undefined || (hasUnknownPath(failure) && variant.protocol === 'responses')) continue;
      let hasStarted = false;
      try {
        for await (const event of variant.ask(request)) {
          hasStarted = true;
          workingIndex = index;
          yield event;
        }
        return;
      } catch (error) {
        // A server that has answered on this path knows it, so the rejection is about something else.
        const hasAnsweredHere = workingIndex !== null && variants[workingIndex]?.protocol === 'responses';
        const canFallBack = (hasUnknownPath(error) && !hasAnsweredHere) || (isSelfHosted && isRejected(error));
        if (hasStarted || !canFallBack) throw failure !== null && isRejected(error) ? failure : error;
        failure ??= error;
      }
    }
    throw failure ?? malformedError('coach', 'no form of the question is left');
  };
}

const hasUnknownPath = (error: unknown): boolean => error instanceof ProviderError && error.isUnknownPath;
/** Another variant may be accepted. */
const isRejected = (error: unknown): boolean =>
  error instanceof ProviderError &&
  error.reason !== 'declined' &&
  !error.isTooLong &&
  (error.status === 400 || error.status === 422);

/** Removes the model's reasoning from the answer and reserves tokens for it. */
async function* stripReasoning(
  ask: SendRequest,
  request: ModelRequest,
  reasoning: { startsInReasoning: boolean; reservedTokens: number },
): AsyncGenerator<ModelEvent, void> {
  const filter = createReasoningFilter(reasoning);
  let hasText = false;
  const emitText = function* (text: string): Generator<ModelEvent> {
    // A line break is left where reasoning ended.
    const withoutReasoning = hasText ? text : text.trimStart();
    hasText ||= withoutReasoning !== '';
    if (withoutReasoning !== '') yield { type: 'text', text: withoutReasoning };
  };
  const requestWithReserve = { ...request, maxOutputTokens: request.maxOutputTokens + reasoning.reservedTokens };
  try {
    for await (const event of ask(requestWithReserve)) {
      if (event.type === 'text') {
        const text = filter.push(event.text);
        if (filter.hasUnopenedEnd()) throw malformedError('coach', 'a thought in the answer');
        yield* emitText(text);
        continue;
      }
      yield* emitText(filter.flush());
      if (!hasText) throw malformedError('coach', 'an empty answer');
      yield event;
    }
  } catch (error) {
    // Reasoning was cut off or used up the limit; the next attempt reserves room for both.
    if (!hasText && error instanceof ProviderError && error.reason === 'malformed')
      reasoning.reservedTokens = REASONING_TOKENS;
    throw error;
  } finally {
    if (filter.hasReasoning()) reasoning.reservedTokens = REASONING_TOKENS;
    reasoning.startsInReasoning ||= filter.hasUnopenedEnd();
  }
}
