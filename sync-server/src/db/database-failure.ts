/** Explains in one sentence why a database cannot be used, and whether waiting can help. */
import { DamagedDatabase } from './embedded/damaged-database.ts';

export interface DatabaseFailure {
  /** A sentence for the operator, without the address, which may contain a password. */
  reason: string;
  isTransient: boolean;
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/** PostgreSQL's error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const REASONS_BY_SQL_STATE: Record<string, DatabaseFailure> = {
  // After a failover, the former primary is a standby until the address leads to the new one.
  '25006': { reason: 'The database is read-only.', isTransient: true },
  '28P01': { reason: 'The database refuses the password in DATABASE_URL.', isTransient: false },
  '28000': { reason: 'The database does not let the user in DATABASE_URL in.', isTransient: false },
  '3D000': { reason: 'The database named in DATABASE_URL does not exist: create it first.', isTransient: false },
  '42501': { reason: 'The user in DATABASE_URL must own the database.', isTransient: false },
  '53300': { reason: 'The database has no free connection.', isTransient: true },
  '57P01': { reason: 'The database is shutting down.', isTransient: true },
  '57P02': { reason: 'The database is restarting after a crash.', isTransient: true },
  '57P03': { reason: 'The database is starting.', isTransient: true },
};

/** pg has no error codes for these. */
const REASONS_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/client password must be a/, 'The database asks for a password: add it to DATABASE_URL.'],
  [
    /does not support SSL connections/,
    'The database does not offer TLS: switch it on there, or remove sslmode from DATABASE_URL.',
  ],
];

/** Returns null for an error that does not come from the connection. */
export function describeDatabaseFailure(error: unknown): DatabaseFailure | null {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof DamagedDatabase) return { reason: current.message, isTransient: false };
    const code = 'code' in current ? String(current.code) : '';
    const known = REASONS_BY_SQL_STATE[code];
    if (known !== undefined) return known;
    if (NETWORK_CODES.has(code)) return { reason: `The database cannot be reached (${code}).`, isTransient: true };
    const reason = REASONS_BY_MESSAGE.find(([pattern]) => pattern.test(current.message))?.[1];
    if (reason !== undefined) return { reason, isTransient: false };
    if (
      /^timeout exceeded when trying to connect|due to connection timeout$|^Query read timeout$/.test(current.message)
    )
      return { reason: 'The database does not answer.', isTransient: true };
    // pg has no error code for a connection that ends before the database answered, or that had ended before the query.
    if (/^Connection terminated|^Client .* is not queryable$/.test(current.message))
      return { reason: 'The database closed the connection.', isTransient: true };
  }
  return null;
}

/**
 * The classes connection, rollback (such as a deadlock), resources (such as a full disk), operator intervention and
 * system error.
 */
const TROUBLE_CLASSES = /^(08|40|53|57|58)[0-9A-Z]{3}$/;
/** A statement that took longer than `statement_timeout` allows, which may be the statement's own fault. */
const QUERY_CANCELED = '57014';

/**
 * Whether the database is temporarily unable to do its usual work, which says nothing about the statement that failed.
 */
export function isDatabaseInTrouble(error: unknown): boolean {
  if (describeDatabaseFailure(error)?.isTransient === true) return true;
  for (let current: unknown = error; current instanceof Error; current = current.cause)
    if ('code' in current && typeof current.code === 'string' && TROUBLE_CLASSES.test(current.code))
      return current.code !== QUERY_CANCELED;
  return false;
}
