/**
 * Names the statements that recur on a connection, so that PostgreSQL parses and plans each once. Sync reads twenty
 * tables in one statement, and planning such a statement takes longer than running it.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PoolClient } from 'pg';

/** A statement is prepared at its second use, because lists of ids and of rows make statements that never recur. */
const USES_BEFORE_NAMING = 2;
/** PostgreSQL keeps a prepared statement until its connection ends, so their number is limited. */
const MAX_PREPARED = 100;
const MAX_WATCHED = 1_000;

interface Statement {
  text: string;
  name?: string | undefined;
}

const isUnnamed = (query: unknown): query is Statement =>
  typeof query === 'object' &&
  query !== null &&
  'text' in query &&
  typeof query.text === 'string' &&
  (!('name' in query) || query.name === undefined);

/** Returns a function that returns a name for a recurring statement, and undefined for others. */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const uses = new LRUCache<string, number>({ max: MAX_WATCHED });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_PREPARED) return known;
    const count = (uses.get(text) ?? 0) + 1;
    uses.set(text, count);
    if (count < USES_BEFORE_NAMING) return undefined;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 40);
    names.set(text, name);
    uses.delete(text);
    return name;
  };
}

/** Call this once for each new connection. */
export function prepareRecurring(client: PoolClient, nameOf: (text: string) => string | undefined): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const withName = (statement: unknown, ...rest: unknown[]): unknown => {
    const name = isUnnamed(statement) ? nameOf(statement.text) : undefined;
    return name === undefined ? query(statement, ...rest) : query({ ...(statement as Statement), name }, ...rest);
  };
  client.query = withName as typeof client.query;
}
