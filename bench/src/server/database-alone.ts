/** The floor under a push: the same lock, row and commit, asked of PostgreSQL without a server between. */
import pg from 'pg';
import type { LoadDevice } from './seed.ts';

const CLIENTS = 10;

/** Transactions a second, as many at once as the server's pool has connections. */
export async function databaseAlone(url: string, devices: readonly LoadDevice[], seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
  const endMs = performance.now() + seconds * 1000;
  let done = 0;
  const work = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < endMs; at += CLIENTS) {
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
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, first) => work(first)));
  await pool.end();
  return done / seconds;
}
