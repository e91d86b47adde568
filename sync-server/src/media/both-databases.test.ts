import { onBothDatabases } from '../../test-kit/databases.ts';
import { mediaFilesSuite } from './media-files.suite.ts';
import { uploadsSuite } from './uploads.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('uploads of media', './uploads.suite.ts', () => uploadsSuite(open));
  runSuite('media files', './media-files.suite.ts', () => mediaFilesSuite(open));
});
