import { onBothDatabases } from '../../test-kit/databases.ts';
import { convergenceSuite } from './convergence.suite.ts';
import { everyTableSuite } from './push/every-table.suite.ts';
import { databaseIdentitySuite } from './restore/database-identity.suite.ts';
import { mergeSuite } from './push/merge.suite.ts';
import { pokesOfTwoServersSuite, pokesSuite } from './pokes/pokes.suite.ts';
import { purgeSuite } from './purge/purge.suite.ts';
import { pushCostSuite } from './push/push-cost.suite.ts';
import { pushGroupsSuite } from './push/push-groups.suite.ts';
import { pushSuite } from './push/push.suite.ts';
import { restoreSuite } from './restore/restore.suite.ts';
import { refusedFieldsSuite } from './push/refused-fields.suite.ts';
import { rulesSuite } from './push/rules.suite.ts';
import { storageQuotaSuite } from './storage-quota/storage-quota.suite.ts';
import { interruptedStreamSuite } from './stream/interrupted-stream.suite.ts';
import { streamSuite } from './stream/stream.suite.ts';
import { turnsLaterSuite } from './stream/turns-later.suite.ts';
import { conversationsInOneFieldSuite } from './turns/conversations-in-one-field.suite.ts';
import { largeSessionsSuite } from './turns/large-sessions.suite.ts';
import { turnsSuite } from './turns/turns.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, name, open, openForTwo, openShared }) => {
  runSuite('every table', './push/every-table.suite.ts', () => everyTableSuite(open));
  runSuite('convergence', './convergence.suite.ts', () => convergenceSuite(open));
  runSuite('pushes', './push/push.suite.ts', () => pushSuite(open));
  runSuite('push cost', './push/push-cost.suite.ts', () => pushCostSuite(open));
  runSuite('push groups', './push/push-groups.suite.ts', () => pushGroupsSuite(open));
  runSuite('merges', './push/merge.suite.ts', () => mergeSuite(open));
  runSuite('stream', './stream/stream.suite.ts', () => streamSuite(openShared));
  runSuite('interrupted stream', './stream/interrupted-stream.suite.ts', () => interruptedStreamSuite(openShared));
  runSuite('turns later', './stream/turns-later.suite.ts', () => turnsLaterSuite(openShared));
  runSuite('rules', './push/rules.suite.ts', () => rulesSuite(open));
  runSuite('refused fields', './push/refused-fields.suite.ts', () => refusedFieldsSuite(openShared));
  runSuite('restores', './restore/restore.suite.ts', () => restoreSuite(open));
  runSuite('turns', './turns/turns.suite.ts', () => turnsSuite(open));
  runSuite('conversations in one field', './turns/conversations-in-one-field.suite.ts', () =>
    conversationsInOneFieldSuite(open),
  );
  runSuite('large sessions', './turns/large-sessions.suite.ts', () => largeSessionsSuite(openShared));
  runSuite('pokes', './pokes/pokes.suite.ts', () => pokesSuite(open));
  runSuite('purge', './purge/purge.suite.ts', () => purgeSuite(open));
  runSuite('storage quota', './storage-quota/storage-quota.suite.ts', () => storageQuotaSuite(open));
  if (name === 'PostgreSQL')
    runSuite('database identity', './restore/database-identity.suite.ts', () => databaseIdentitySuite(open));
  if (openForTwo !== null)
    runSuite('pokes between two servers', './pokes/pokes.suite.ts', () => pokesOfTwoServersSuite(openForTwo));
});
