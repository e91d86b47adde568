import { onBothDatabases } from '../../test-kit/databases.ts';
import { siteLanguagesSuite } from './site-languages.suite.ts';
import { blogSuite } from './blog.suite.ts';
import { siteAttacksSuite } from './site-attacks.suite.ts';
import { siteSuite } from './site.suite.ts';

onBothDatabases(import.meta.dirname, ({ runSuite, open }) => {
  runSuite('site', './site.suite.ts', () => siteSuite(open));
  runSuite('languages of the site', './site-languages.suite.ts', () => siteLanguagesSuite(open));
  runSuite('blog', './blog.suite.ts', () => blogSuite(open));
  runSuite('attacks on the site', './site-attacks.suite.ts', () => siteAttacksSuite(open));
});
