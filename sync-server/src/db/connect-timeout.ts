/** How long PostgreSQL may take to answer a new connection, and how long a query waits for a free one. */
export const CONNECT_TIMEOUT_MS = 30_000;
