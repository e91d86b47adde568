/**
 * Sends short messages between the nodes on one PostgreSQL. Messages may be lost, in which case `onGap` tells a
 * listener.
 */
import pg from 'pg';
import { CONNECT_TIMEOUT_MS } from './timeouts.ts';

interface Reader {
  onMessage: (message: string) => void;
  onGap: () => void;
}

export interface NotificationChannel {
  send: (message: string) => Promise<void>;
  /** A channel has one reader. */
  listen: (reader: Reader) => Promise<void>;
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

  /** Rejects if it cannot connect. A connection that is lost later is replaced. */
  async function connect(reader: Reader): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      // An attempt that hangs must fail, or there would be no other.
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
    });
    const onConnectionLost = (): void => {
      // A failed attempt is reported here too, and its caller decides what to do.
      if (client !== next || isClosed) return;
      client = null;
      next.end().catch(() => undefined);
      reconnectLater(reader);
    };
    next.on('error', onConnectionLost);
    next.on('end', onConnectionLost);
    next.on('notification', ({ payload }) => reader.onMessage(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL_NAME}`);
    } catch (error) {
      next.end().catch(() => undefined);
      throw error;
    }
    client = next;
    if (isClosed) await next.end();
  }

  function reconnectLater(reader: Reader): void {
    if (isClosed) return;
    retry = setTimeout(() => {
      connect(reader).then(reader.onGap, () => reconnectLater(reader));
    }, RECONNECT_MS);
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
