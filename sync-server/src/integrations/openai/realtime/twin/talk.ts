/** What the twin knows of a conversation, and what it hears and says in it where no script tells it. */
import type { ConversationItem, RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
import { coachLine, madeUpTurn, readPrompt } from '../../stand-in/index.ts';
import type { TwinLine } from './script.ts';

export class TwinTalk {
  /** By their item, oldest first. */
  readonly #messages = new Map<string, { role: string; text: string }>();

  told(itemId: string, item: ConversationItem): void {
    if (item.type !== 'message') return;
    const text = item.content.map((part) => ('text' in part ? (part.text ?? '') : '')).join('');
    this.#messages.set(itemId, { role: item.role, text });
  }

  /** As somebody would tell of it who knows which words are the learner's. */
  heard(itemId: string, transcript: string): void {
    this.#messages.set(itemId, { role: 'user', text: `<said>\n${transcript}\n</said>` });
  }

  forget(itemId: string): void {
    this.#messages.delete(itemId);
  }

  ownTranscript(): string {
    return madeUpTurn(this.#toldWith('').said.filter((text) => text !== '').length);
  }

  /** `ordered` stands in for the session's instructions. */
  ownLine({ instructions, tools }: RealtimeSessionCreateRequest, ordered: string | undefined): TwinLine {
    const { text, isGoodbye } = coachLine(this.#toldWith(ordered ?? instructions ?? ''));
    const ending = tools?.find((tool) => tool.type === 'function');
    const calls = isGoodbye && ending !== undefined && 'name' in ending ? ending.name : undefined;
    return calls === undefined ? { text } : { text, calls };
  }

  #toldWith(instructions: string) {
    return readPrompt({ instructions, messages: [...this.#messages.values()] });
  }
}
