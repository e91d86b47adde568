/** The same suites on PGlite and on PostgreSQL: what holds on a laptop must hold in production. */
import { afterAll, beforeAll, describe } from 'vitest';
import { accountSuite } from './account/account.suite.ts';
import { catalogueSuite } from './catalogue/catalogue.suite.ts';
import { tablesSuite } from './db/tables.suite.ts';
import { syncSuite } from './sync/sync.suite.ts';
import { DATABASES } from './test-kit/databases.ts';

describe.each(DATABASES)('on $name', (database) => {
  beforeAll(database.start);
  afterAll(database.stop);
  describe('tables', () => tablesSuite(database.open));
  describe('accounts', () => accountSuite(database.open));
  describe('sync', () => syncSuite(database.open));
  describe('catalogue', () => catalogueSuite(database.open));
});
