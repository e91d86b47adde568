/** How long PostgreSQL may take to answer a new connection, and how long a query waits for a free one. */
export const CONNECT_TIMEOUT_MS = 30_000;

/**
 * How long PostgreSQL may take to answer a query, several times what the longest takes on a full database. Without a
 * limit, requests would wait for a database that hangs until the network gives up, which takes a quarter of an hour.
 */
export const QUERY_TIMEOUT_MS = 60_000;
