import { onBothDatabases } from '../../test-kit/databases.ts';
import { keptRecordingsSuite } from './kept-recordings.suite.ts';
import { orphanedFilesSuite } from './orphaned-files.suite.ts';
import { recordingAttacksSuite } from './recording-attacks.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('kept recordings', './kept-recordings.suite.ts', () => keptRecordingsSuite(open));
  runSuite('orphaned files', './orphaned-files.suite.ts', () => orphanedFilesSuite(open));
  runSuite('attacks on kept recordings', './recording-attacks.suite.ts', () => recordingAttacksSuite(open));
});
