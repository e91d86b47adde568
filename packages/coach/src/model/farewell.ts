/** When a conversation may end. A model's word alone does not end it: there must be a reason that we can see ourselves. */
import { comparableWords, containsPhrase } from '../words.ts';
import type { Held } from '../coach.ts';

/** From here on the coach leads the scene to its end. */
const CLOSING_FROM_TURN = 26;
const LAST_TURN = 30;
/** A practice without objectives has come somewhere after this many. */
const ENOUGH_TURNS = 6;

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

/** Only that it sounds like one: "I said goodbye to my team" does too, and then it is the model that knows better. */
export function soundsLikeFarewell(text: string): boolean {
  // Nobody says anything in brackets: there it is our own mark that was tried.
  const words = comparableWords(text.normalize('NFKC').replace(/<[^>]*>?/g, ' '));
  return FAREWELLS.some((farewell) => containsPhrase(words, farewell));
}

export type Moment = 'opening' | 'under-way' | 'farewell' | 'closing' | 'last';

export function momentOf({ turns }: Held): Moment {
  const learnerTurns = turns.filter((turn) => turn.role === 'learner');
  const last = learnerTurns.at(-1);
  if (last === undefined) return 'opening';
  if (learnerTurns.length >= LAST_TURN) return 'last';
  if (soundsLikeFarewell(last.text)) return 'farewell';
  return learnerTurns.length >= CLOSING_FROM_TURN ? 'closing' : 'under-way';
}

/** Whether a goodbye of the coach is one. `isAllReached`: with what the last turn proved; null where there is nothing to reach. */
export function mayEnd(held: Held, isAllReached: boolean | null): boolean {
  switch (momentOf(held)) {
    case 'opening':
      return false;
    case 'last':
    case 'farewell':
      return true;
    case 'under-way':
    case 'closing':
      return isAllReached ?? held.turns.filter((turn) => turn.role === 'learner').length >= ENOUGH_TURNS;
  }
}
