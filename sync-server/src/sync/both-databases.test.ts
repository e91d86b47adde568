import { describe } from 'vitest';
import { onBothDatabases } from '../test-kit/databases.ts';
import { convergenceSuite } from './convergence.suite.ts';
import { everyTableSuite } from './every-table.suite.ts';
import { mergeSuite } from './merge.suite.ts';
import { pokesOfTwoServersSuite, pokesSuite } from './pokes.suite.ts';
import { purgeSuite } from './purge.suite.ts';
import { pushSuite } from './push.suite.ts';
import { streamCutsSuite } from './stream-cuts.suite.ts';
import { streamSuite } from './stream.suite.ts';

await onBothDatabases(({ open, openForTwo, openShared }) => {
  describe('every table', () => everyTableSuite(open));
  describe('convergence', () => convergenceSuite(open));
  describe('pushes', () => pushSuite(open));
  describe('merges', () => mergeSuite(open));
  describe('stream', () => streamSuite(openShared));
  describe('stream, cut', () => streamCutsSuite(openShared));
  describe('pokes', () => pokesSuite(open));
  describe('purge', () => purgeSuite(open));
  if (openForTwo !== null) describe('pokes of two servers', () => pokesOfTwoServersSuite(openForTwo));
});
