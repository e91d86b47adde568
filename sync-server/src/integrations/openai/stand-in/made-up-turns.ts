/** What the twins' ears write down, who hear that somebody speaks and not what: true of whoever tries them, and taking leave in the end. */

const TURNS = [
  'Hello, I am trying out this conversation.',
  'I would like to practise my English a little.',
  'My work is easier when I speak it well.',
  'I am not sure yet, because I have only just begun.',
  'I think that a little every day is best.',
  'Thank you, I have to go now. Goodbye!',
] as const;

/** By how many there were before. */
export const madeUpTurn = (before: number): string => TURNS[before % TURNS.length] ?? TURNS[0];
