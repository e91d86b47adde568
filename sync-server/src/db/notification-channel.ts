/** Sends short messages between the nodes on one PostgreSQL. Messages may get lost, which a listener learns through `onGap`. */
import pg from 'pg';

export interface NotificationChannel {
  send: (message: string) => Promise<void>;
  /** A channel has one reader. */
  listen: (reader: { onMessage: (message: string) => void; onGap: () => void }) => Promise<void>;
  close: () => Promise<void>;
}

/** PostgreSQL's own limit is 8,000 bytes. */
export const MAX_MESSAGE_BYTES = 7_500;
const CHANNEL_NAME = 'parley_sync';
const RECONNECT_MS = 1_000;

export function openNotificationChannel(
  url: string,
  query: (statement: { text: string; values: string[] }) => Promise<unknown>,
): NotificationChannel {
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let isClosed = false;

  async function connect(reader: Parameters<NotificationChannel['listen']>[0]): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    let isLost = false;
    const onConnectionLost = (): void => {
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
      onConnectionLost();
    };
    next.on('error', onConnectionLost);
    next.on('end', onConnectionLost);
    next.on('notification', ({ payload }) => reader.onMessage(payload ?? ''));
    await next.connect();
    await next.query(`listen ${CHANNEL_NAME}`);
    client = next;
    if (isClosed) await next.end();
  }

  return {
    send: async (message) => {
      await query({ text: 'select pg_notify($1, $2)', values: [CHANNEL_NAME, message] });
    },
    listen: connect,
    async close() {
      isClosed = true;
      if (retry !== null) clearTimeout(retry);
      await client?.end();
    },
  };
}
