/** Prepares a learner's text for reading. */
import { writeOutText } from '../../text/short-forms.ts';
import { withoutSelfCorrections } from '../rules/corrections/self-corrections.ts';
import { MAX_READ_CHARACTERS } from '../turn/understand-turn.ts';

/** What the learner means, in the words of an author. */
export const asWritten = (said: string): string =>
  withoutSelfCorrections(writeOutText(said.slice(0, MAX_READ_CHARACTERS)));
