import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';

/**
 * Whether a column has one of these UUIDs. The list is one parameter, so that the statement's text does not depend on its length and the
 * statement can be prepared. PostgreSQL throws for an id that is no UUID.
 */
export const isOneOf = (column: SQLWrapper, ids: Iterable<string>): SQL =>
  sql`${column} = any(${`{${[...ids].join(',')}}`}::uuid[])`;
