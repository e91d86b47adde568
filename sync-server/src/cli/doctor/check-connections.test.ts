import { expect, it } from 'vitest';
import type { Database } from '../../db/client.ts';
import { checkConnections } from './check-connections.ts';

const accepting = (count: number): Database =>
  ({ execute: async () => ({ rows: [{ count: String(count) }] }) }) as unknown as Database;

it('finds a PostgreSQL that accepts fewer connections than one node opens', async () => {
  expect(await checkConnections(accepting(13))).toEqual({
    name: 'connections',
    isGood: false,
    text: 'PostgreSQL accepts only 13: set max_connections to at least 14 per node.',
  });
  expect(await checkConnections(accepting(14))).toMatchObject({ isGood: true, text: 'PostgreSQL accepts 14' });
});
