/** Looks into a host's database from outside, for tests that promise something about the file. */
import Database from 'better-sqlite3';
import { outbox } from '../store/index.ts';
export declare function inDatabase<Value>(dataDir: string, read: (sqlite: Database.Database) => Value): Value;
export declare const readOutbox: (dataDir: string) => (typeof outbox.$inferSelect)[];
