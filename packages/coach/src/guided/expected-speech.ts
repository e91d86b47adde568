/** The replies that a dialogue expects from learners, which a recogniser listens for. */
import { type Dialogue, PRACTICE_DIFFICULTIES } from '@parley/domain';

/** The model replies and the example answers and questions, at every difficulty, because an answer may come early or late. */
export const expectedSpeech = ({ nodes, facts = [] }: Dialogue): string[] => [
  ...nodes.flatMap(({ replies, understanding }) => [
    ...PRACTICE_DIFFICULTIES.flatMap((difficulty) => replies[difficulty].map(({ text }) => text)),
    ...(understanding === undefined
      ? []
      : [...understanding.intents.flatMap(({ examples }) => examples), ...understanding.unforeseen]),
  ]),
  ...facts.flatMap(({ asks }) => asks),
];
