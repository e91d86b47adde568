import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { createStatementNames, prepareRecurring } from './prepare-recurring.ts';

describe('names of statements', () => {
  it('are given to statements that come again, and are the same for the same text', () => {
    const nameOf = createStatementNames();
    expect(nameOf('select 1')).toBeUndefined();
    const name = nameOf('select 1');
    expect(name).toMatch(/^[\w-]{40}$/);
    expect(nameOf('select 1')).toBe(name);
    expect(nameOf('select 2')).toBeUndefined();
    expect(nameOf('select 2')).not.toBe(name);
  });

  it('are limited in number, and statements beyond it run without one', () => {
    const nameOf = createStatementNames();
    const texts = Array.from({ length: 150 }, (_, index) => `select ${index}`);
    for (const text of texts) nameOf(text);
    const names = texts.map((text) => nameOf(text)).filter((name) => name !== undefined);
    expect(new Set(names).size).toBe(100);
  });
});

it('passes other calls of a connection on as they are', () => {
  const calls: unknown[][] = [];
  const client = { query: (...args: unknown[]) => void calls.push(args) } as unknown as PoolClient;
  prepareRecurring(client, () => 'named');
  void client.query('begin');
  void client.query({ text: 'select $1', name: 'own' }, [1]);
  void client.query({ text: 'select $1' }, [2]);
  expect(calls).toEqual([
    ['begin'],
    [{ text: 'select $1', name: 'own' }, [1]],
    [{ text: 'select $1', name: 'named' }, [2]],
  ]);
});
