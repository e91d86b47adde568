/** Default answers of OpenAI's fakes: a rule-based conversation, for tests without a script and for trying the product without a key. */
export { coachReply, type DefaultReply } from './coach-reply.ts';
export { structuredAnswer } from './structured-answers.ts';
export { sampleTurn } from './sample-turns.ts';
export { readPromptFacts, type PromptFacts } from './prompt-facts.ts';
