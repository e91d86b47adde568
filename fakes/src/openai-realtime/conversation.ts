/** Keeps the fake's conversation and supplies default transcripts and answers when no script does. */
import type { ConversationItem, RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
import { coachReply, sampleTurn, readPromptFacts } from '../openai/default-answers/index.ts';
import type { ScriptedReply } from './script.ts';

export class FakeConversation {
  /** Keyed by item, oldest first. */
  readonly #messages = new Map<string, { role: string; text: string }>();

  addItem(itemId: string, item: ConversationItem): void {
    if (item.type !== 'message') return;
    const text = item.content.map((part) => ('text' in part ? (part.text ?? '') : '')).join('');
    this.#messages.set(itemId, { role: item.role, text });
  }

  /** Stores the transcript with the tag that marks the learner's words in a prompt. */
  addTranscript(itemId: string, transcript: string): void {
    this.#messages.set(itemId, { role: 'user', text: `<said>\n${transcript}\n</said>` });
  }

  removeItem(itemId: string): void {
    this.#messages.delete(itemId);
  }

  defaultTranscript(): string {
    return sampleTurn(this.#promptFacts('').learnerTurns.filter((text) => text !== '').length);
  }

  /** `ordered` replaces the session's instructions for this response. */
  defaultReply(
    { instructions, tools }: RealtimeSessionCreateRequest,
    instructionsOverride: string | undefined,
  ): ScriptedReply {
    const { text, isGoodbye } = coachReply(this.#promptFacts(instructionsOverride ?? instructions ?? ''));
    const endFunction = tools?.find((tool) => tool.type === 'function');
    const calls = isGoodbye && endFunction !== undefined && 'name' in endFunction ? endFunction.name : undefined;
    return calls === undefined ? { text } : { text, callsFunction: calls };
  }

  #promptFacts(instructions: string) {
    return readPromptFacts({ instructions, messages: [...this.#messages.values()] });
  }
}
