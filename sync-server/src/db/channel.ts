/** Short messages between the nodes on one PostgreSQL. They may get lost: whoever missed some is told so by `onGap`. */
import pg from 'pg';

export interface Channel {
  send: (message: string) => Promise<void>;
  /** One reader a channel. */
  listen: (reader: { onMessage: (message: string) => void; onGap: () => void }) => Promise<void>;
  close: () => Promise<void>;
}

/** PostgreSQL's own limit is 8,000 bytes. */
export const MAX_MESSAGE_BYTES = 7_500;
const NAME = 'parley_sync';
const RECONNECT_MS = 1_000;

export function openChannel(url: string, query: (text: string, values: string[]) => Promise<unknown>): Channel {
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isClosed = false;

  async function connect(reader: Parameters<Channel['listen']>[0]): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    let isLost = false;
    const lost = (): void => {
      if (isLost || isClosed) return;
      isLost = true;
      client = null;
      next.end().catch(() => undefined);
      retry = setTimeout(() => {
        connect(reader).then(reader.onGap, lostAgain);
      }, RECONNECT_MS);
    };
    const lostAgain = (): void => {
      isLost = false;
      lost();
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => reader.onMessage(payload ?? ''));
    await next.connect();
    await next.query(`listen ${NAME}`);
    client = next;
    if (isClosed) await next.end();
  }

  return {
    send: async (message) => void (await query('select pg_notify($1, $2)', [NAME, message])),
    listen: connect,
    async close() {
      isClosed = true;
      if (retry !== null) clearTimeout(retry);
      await client?.end();
    },
  };
}
