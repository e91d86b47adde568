import { onBothDatabases } from '../../test-kit/databases.ts';
import { keptRecordingsSuite } from './kept-recordings.suite.ts';
import { recordingAttacksSuite } from './recording-attacks.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('kept recordings', './kept-recordings.suite.ts', () => keptRecordingsSuite(open));
  runSuite('attacks on kept recordings', './recording-attacks.suite.ts', () => recordingAttacksSuite(open));
});
