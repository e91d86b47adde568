/** Default transcripts of the fakes, which detect speech but not words. They fit anyone who tries the product, and end with a goodbye. */

const TURNS = [
  'Hello, I am trying out this conversation.',
  'I would like to practise my English a little.',
  'My work is easier when I speak it well.',
  'I am not sure yet, because I have only just begun.',
  'I think that a little every day is best.',
  'Thank you, I have to go now. Goodbye!',
] as const;

/** Picks the transcript by the number of earlier turns. */
export const sampleTurn = (previousTurns: number): string => TURNS[previousTurns % TURNS.length] ?? TURNS[0];
