/** What OpenAI's twins say where no test tells them: a conversation by simple rules, for somebody who tries the paths without a key. */
export { coachLine, type StandInLine } from './coach-lines.ts';
export { filledForm } from './forms.ts';
export { madeUpTurn } from './made-up-turns.ts';
export { readPrompt, type Told } from './told.ts';
