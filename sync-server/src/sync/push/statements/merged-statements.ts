/**
 * Lets several pushes share a transaction. They run concurrently; when all of them are waiting for the database, their
 * equal statements are sent as one. The fixed cost per statement, which dominates a push of one turn, is then paid once
 * for all of them.
 */
import type { Database } from '../../../db/client.ts';

/** A statement that can be run for several pushes at once. */
export interface MergedStatement<Asked, Answer> {
  /** Returns a result for each input, in the same order. */
  run: (tx: Database, asked: readonly Asked[]) => Promise<readonly Answer[]>;
}

/** A push's view of its transaction. */
export interface PushTransaction {
  ask: <Asked, Answer>(statement: MergedStatement<Asked, Answer>, asked: Asked) => Promise<Answer>;
  /** Runs statements that are not merged. */
  use: <Answer>(work: (tx: Database) => Promise<Answer>) => Promise<Answer>;
}

/** For work that has a transaction to itself. */
export const inOwnTransaction = (tx: Database): PushTransaction => ({
  ask: async (statement, asked) => answerAt(await statement.run(tx, [asked]), 0),
  use: (work) => work(tx),
});

/** A connection runs one statement at a time. */
const ONE_AFTER_ANOTHER: MergedStatement<(tx: Database) => Promise<unknown>, unknown> = {
  async run(tx, works) {
    const answers: unknown[] = [];
    for (const work of works) answers.push(await work(tx));
    return answers;
  },
};

interface Question {
  asked: unknown;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs the work of each member and returns the results in the same order. If one fails, so do the others, and no
 * statement is running any more when the error is thrown; the caller must then roll the transaction back.
 */
export async function shareTransaction<Member, Result>(
  tx: Database,
  members: readonly Member[],
  work: (member: Member, transaction: PushTransaction) => Promise<Result>,
): Promise<Result[]> {
  const [only] = members;
  if (only === undefined) return [];
  if (members.length === 1) return [await work(only, inOwnTransaction(tx))];
  const failures: unknown[] = [];
  let busy = members.length;
  let questions = new Map<MergedStatement<never, unknown>, Question[]>();

  function takeQuestions(): typeof questions {
    const taken = questions;
    questions = new Map();
    return taken;
  }

  function fail(error: unknown, unanswered = takeQuestions()): void {
    failures.push(error);
    for (const { reject } of [...unanswered.values()].flat()) reject(error);
  }

  /** All members of a round continue together, so that their next statements can be merged too. */
  async function send(): Promise<void> {
    const sent = takeQuestions();
    try {
      const answered: (() => void)[] = [];
      for (const [statement, asking] of sent) {
        const answers = await statement.run(tx, asking.map(({ asked }) => asked) as never[]);
        for (const [index, { resolve }] of asking.entries()) {
          const answer = answerAt(answers, index);
          answered.push(() => resolve(answer));
        }
      }
      busy += answered.length;
      for (const answer of answered) answer();
    } catch (error) {
      fail(error, sent);
    }
  }

  /**
   * Called when a member has requested a statement or is done. The statements are sent when all members are waiting.
   */
  function pause(): void {
    busy -= 1;
    if (busy === 0 && questions.size > 0) void send();
  }

  const ask: PushTransaction['ask'] = <Asked, Answer>(statement: MergedStatement<Asked, Answer>, asked: Asked) => {
    if (failures.length > 0) return Promise.reject(failures[0]);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const asking = questions.get(statement) ?? [];
    // A statement returns its results in the order of its inputs.
    questions.set(statement, [...asking, { asked, resolve: resolve as (answer: unknown) => void, reject }]);
    pause();
    return promise;
  };
  const transaction: PushTransaction = {
    ask,
    use: <Answer>(work: (tx: Database) => Promise<Answer>) => ask(ONE_AFTER_ANOTHER, work) as Promise<Answer>,
  };
  const results = await Promise.allSettled(
    members.map(async (member) => {
      try {
        const result = await work(member, transaction);
        pause();
        return result;
      } catch (error) {
        fail(error);
        throw error;
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function answerAt<Answer>(answers: readonly Answer[], index: number): Answer {
  if (index >= answers.length) throw new Error('a statement has fewer answers than it was asked for');
  return answers[index] as Answer;
}
