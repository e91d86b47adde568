/** Measures the lower bound of a push: the same lock, row and commit in PostgreSQL without the server. */
import pg from 'pg';
import type { LoadDevice } from './seed-learners.ts';

const POOL_SIZE = 10;

/** Returns transactions per second, with as many connections as the pool of the server has. */
export async function measureDatabaseBaseline(
  url: string,
  devices: readonly LoadDevice[],
  seconds: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });
  const endMs = performance.now() + seconds * 1000;
  let committed = 0;
  const runTransactions = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < endMs; at += POOL_SIZE) {
      const device = devices[at % devices.length];
      if (device === undefined) return;
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(`update sync_scopes set version = version + 1 where scope = $1`, [`user:${device.userId}`]);
        await client.query(`update practice_history set duration = duration + 1 where id = $1`, [device.sessionId]);
        await client.query('commit');
      } finally {
        client.release();
      }
      committed += 1;
    }
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, (_, first) => runTransactions(first)));
  await pool.end();
  return committed / seconds;
}
