/** Measures how many pushes a node takes, and how much memory it needs while devices listen. */
import { openLoadTest } from '../load/load-test.ts';

export interface ServerLoadFigures {
  /** The highest rate tried that stays within the limit; 0 if none does. */
  pushesPerSecond: number;
  /** The same for pushes of a spoken answer: two turns with their scores, and an attempt at each word. */
  answersPerSecond: number;
  listeningMb: number;
}

const SECONDS = 6;
const LISTENERS = 5_000;

export async function measureServerLoad(): Promise<ServerLoadFigures> {
  const test = await openLoadTest({ seconds: SECONDS });
  try {
    const first = await test.startNode();
    const learners = await test.addLearners(LISTENERS, 20);
    const push = await test.findHighestRate('push', learners, [first]);
    const answer = await test.findHighestRate('answer', learners, [first]);
    // A separate node, whose memory contains nothing from the load before.
    const { listeners, listeningMb } = await test.listen(learners, await test.startNode());
    listeners.close();
    return {
      pushesPerSecond: push?.perSecond ?? 0,
      answersPerSecond: answer?.perSecond ?? 0,
      listeningMb,
    };
  } finally {
    await test.stop();
  }
}
