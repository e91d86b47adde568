/** Decides when a conversation may end. The model's own word is not enough: the conversation must contain a visible reason. */
import { comparableWords, containsPhrase } from '../../text/comparable-words.ts';
import type { ConversationState } from '../../coach.ts';

const LAST_TURN = 30;
/** A learner who goes on after the goodbye is offered two more minutes, which are about eight answers. */
const TURNS_AFTER_GOODBYE = 8;
/** For this many turns before the last one, the coach leads the scene to its end. */
const CLOSING_TURNS = 4;
/** The number of turns after which a practice without objectives may end. */
const MIN_TURNS_WITHOUT_OBJECTIVES = 6;

const FAREWELLS: readonly string[][] = [
  'bye',
  'goodbye',
  'good bye',
  'good night',
  'see you',
  'see ya',
  'farewell',
  'take care',
  'talk to you later',
  'talk to you soon',
  'talk later',
  'talk soon',
  'speak soon',
  'until next time',
  'I have to go',
  'I need to go',
  'I must go',
  'I should go',
  'I have got to go',
  'I got to go',
  'I gotta go',
  'have a nice day',
  'have a good day',
  'have a great day',
  'have a nice evening',
  'have a good evening',
  'have a good weekend',
  'have a nice weekend',
  'thank you for your time',
  'thanks for your time',
  'let us stop here',
  'can we stop',
  'I want to stop',
  'I would like to stop',
  'end the conversation',
  'finish the conversation',
].map((phrase) => comparableWords(phrase));

/** This only detects a possible farewell: "I said goodbye to my team" matches as well, so the model decides. */
export function maySayFarewell(text: string): boolean {
  // Text in angle brackets is an attempt to inject our own end marker, so it is removed.
  const words = comparableWords(text.normalize('NFKC').replace(/<[^>]*>?/g, ' '));
  return FAREWELLS.some((farewell) => containsPhrase(words, farewell));
}

export type ConversationPhase = 'opening' | 'under-way' | 'farewell' | 'closing' | 'last';

export function conversationPhase({ turns }: ConversationState): ConversationPhase {
  const learnerTurns = turns.filter((turn) => turn.role === 'learner');
  const last = learnerTurns.at(-1);
  if (last === undefined) return 'opening';
  const lastTurn = lastTurnOf(turns);
  if (learnerTurns.length === lastTurn) return 'last';
  if (maySayFarewell(last.text)) return 'farewell';
  return learnerTurns.length >= lastTurn - CLOSING_TURNS ? 'closing' : 'under-way';
}

/** A call has no last turn, so a conversation that continues turn by turn after a call may be past it. */
const isPastLastTurn = ({ turns }: ConversationState): boolean =>
  turns.filter((turn) => turn.role === 'learner').length > lastTurnOf(turns);

function lastTurnOf(turns: ConversationState['turns']): number {
  const goodbye = turns.findLastIndex((turn) => turn.role === 'coach' && turn.kind === 'goodbye');
  if (goodbye === -1) return LAST_TURN;
  const before = turns.slice(0, goodbye).filter((turn) => turn.role === 'learner').length;
  return Math.max(LAST_TURN, before + TURNS_AFTER_GOODBYE);
}

/**
 * Decides whether the coach's goodbye is accepted. `isAllReached` includes what the last turn proved; null when the practice has no
 * objectives.
 */
export function mayEndConversation(conversation: ConversationState, isAllReached: boolean | null): boolean {
  switch (conversationPhase(conversation)) {
    case 'opening':
      return false;
    case 'last':
    case 'farewell':
      return true;
    case 'under-way':
    case 'closing':
      if (isPastLastTurn(conversation)) return true;
      return (
        isAllReached ??
        conversation.turns.filter((turn) => turn.role === 'learner').length >= MIN_TURNS_WITHOUT_OBJECTIVES
      );
  }
}
