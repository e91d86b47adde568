/** Holds a device's copy against the server's rows: everything is to be equal, down to versions and tombstones. */
import { isDeepStrictEqual } from 'node:util';
import type { Pages } from '../scripted-client.ts';
import type { Replica, WireRow, WireRows } from './wire-rows.ts';

/** Those that say enough to go on with. */
const SHOWN = 3;

const differing = (a: WireRow, b: WireRow): string[] =>
  Object.keys({ ...a, ...b }).filter((field) => !isDeepStrictEqual(a[field], b[field]));

export function compareRows(held: WireRows, server: WireRows): string[] {
  const problems: string[] = [];
  for (const [key, row] of server) {
    const own = held.get(key);
    if (own === undefined) problems.push(`lacks ${key}`);
    else if (!isDeepStrictEqual(own, row)) {
      const [field = ''] = differing(own, row);
      const all = differing(own, row).join(', ');
      problems.push(
        `differs in ${key} (${all}): here ${JSON.stringify(own[field])?.slice(0, 80)}, there ${JSON.stringify(row[field])?.slice(0, 80)}`,
      );
    }
  }
  for (const key of held.keys()) if (!server.has(key)) problems.push(`has ${key}, which the server has not`);
  return problems.length > SHOWN ? [...problems.slice(0, SHOWN), `and ${problems.length - SHOWN} more rows`] : problems;
}

export function checkReplica(replica: Replica, server: Pages, userId: string): string[] {
  const foreign = [...replica.rows].flatMap(([key, row]) =>
    row['userId'] === userId ? [] : [`holds ${key} of another learner`],
  );
  return [
    ...replica.damage,
    ...foreign,
    ...compareRows(replica.rows, server.rows),
    ...(isDeepStrictEqual(replica.catalogue, server.catalogue) ? [] : ['has another catalogue than the server']),
    ...(replica.waiting > 0 ? [`still has ${replica.waiting} changes in its outbox`] : []),
  ];
}
