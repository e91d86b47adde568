import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database } from '../../../db/client.ts';
import { type MergedStatement, type PushTransaction, shareTransaction } from './merged-statements.ts';

const NO_DATABASE = {} as Database;

/** The maximum number of statements that ran at the same moment. */
let mostAtOnce = 0;
let running = 0;

/** A statement that adds one to each number, and the inputs of each run. */
function createAddition(): { statement: MergedStatement<number, number>; runs: number[][] } {
  const runs: number[][] = [];
  const statement: MergedStatement<number, number> = {
    async run(_tx, asked) {
      runs.push([...asked]);
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      await wait(1);
      running -= 1;
      return asked.map((number) => number + 1);
    },
  };
  return { statement, runs };
}

it('sends equal statements as one when all members wait', async () => {
  const { statement, runs } = createAddition();
  const work = async (member: number, { ask }: PushTransaction) => ask(statement, await ask(statement, member));
  expect(await shareTransaction(NO_DATABASE, [10, 20, 30], work)).toEqual([12, 22, 32]);
  expect(runs).toEqual([
    [10, 20, 30],
    [11, 21, 31],
  ]);
});

it('sends different statements one after another, and keeps the members in step', async () => {
  const [one, other] = [createAddition(), createAddition()];
  const work = async (member: number, { ask }: PushTransaction): Promise<number> => {
    if (member === 1) return member;
    const first = await ask(member === 2 ? one.statement : other.statement, member);
    return ask(one.statement, first);
  };
  expect(await shareTransaction(NO_DATABASE, [1, 2, 3], work)).toEqual([1, 4, 5]);
  expect(one.runs).toEqual([[2], [3, 4]]);
  expect(other.runs).toEqual([[3]]);
  expect(mostAtOnce).toBe(1);
});

it('runs statements that are not merged one at a time', async () => {
  const { statement } = createAddition();
  const work = async (member: number, { use }: PushTransaction): Promise<number> =>
    use(async (tx) => (await statement.run(tx, [member]))[0] ?? 0);
  expect(await shareTransaction(NO_DATABASE, [1, 2, 3], work)).toEqual([2, 3, 4]);
  expect(mostAtOnce).toBe(1);
});

it('fails as a whole with the first error, after the last statement has ended', async () => {
  const { statement, runs } = createAddition();
  let isRunning = false;
  const slow: MergedStatement<number, number> = {
    async run(_tx, asked) {
      isRunning = true;
      await wait(20);
      isRunning = false;
      return asked;
    },
  };
  const work = async (member: string, { ask }: PushTransaction): Promise<unknown> => {
    await ask(statement, 1);
    if (member === 'fails') throw new Error('it fails');
    await ask(member === 'slow' ? slow : statement, 1);
    return ask(statement, 2);
  };
  await expect(shareTransaction(NO_DATABASE, ['slow', 'fails', 'other'], work)).rejects.toThrow('it fails');
  expect(isRunning).toBe(false);
  expect(runs).toEqual([[1, 1, 1]]);
});

it('fails when a statement does', async () => {
  const broken: MergedStatement<number, number> = { run: () => Promise.reject(new Error('the database is gone')) };
  const { statement, runs } = createAddition();
  const work = (member: number, { ask }: PushTransaction) => ask(member === 1 ? broken : statement, member);
  await expect(shareTransaction(NO_DATABASE, [1, 2], work)).rejects.toThrow('the database is gone');
  expect(runs).toEqual([]);
});

it('fails when a statement answers less than it was asked', async () => {
  const short: MergedStatement<number, number> = { run: async () => [1] };
  await expect(shareTransaction(NO_DATABASE, [1, 2], (member, { ask }) => ask(short, member))).rejects.toThrow(
    'fewer answers',
  );
});
