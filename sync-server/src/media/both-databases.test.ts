import { onBothDatabases } from '../../test-kit/databases.ts';
import { fullDiskSuite } from './full-disk.suite.ts';
import { lockedVideosSuite } from './locked-videos.suite.ts';
import { mediaFilesSuite } from './media-files.suite.ts';
import { picturesSuite } from './pictures.suite.ts';
import { uploadsSuite } from './uploads.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('uploads of media', './uploads.suite.ts', () => uploadsSuite(open));
  runSuite('uploads to a full disk', './full-disk.suite.ts', () => fullDiskSuite(open));
  runSuite('pictures of posts', './pictures.suite.ts', () => picturesSuite(open));
  runSuite('media files', './media-files.suite.ts', () => mediaFilesSuite(open));
  runSuite('videos in locked sections', './locked-videos.suite.ts', () => lockedVideosSuite(open));
});
