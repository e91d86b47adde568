import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { listQuickJourneys } from './quick-journeys.ts';

const SLOW = "it('waits', { tags: ['slow'] }, async () => {});\n";
const QUICK = "it.skipIf(voice === null)(\n  'speaks',\n  async () => {},\n);\n";

it('a journey is started when at least one of its tests is quick', () => {
  const rootDir = mkdtempSync(join(tmpdir(), 'parley-journeys-'));
  const folder = join(rootDir, 'desktop', 'e2e', 'journeys');
  mkdirSync(folder, { recursive: true });
  const journeys = {
    'slow.e2e.ts': SLOW,
    'both.e2e.ts': SLOW + QUICK,
    'group.e2e.ts': `describe('a call', () => {\n  ${SLOW}  ${QUICK}});\n`,
    'slow-group.e2e.ts': "describe.skipIf(voice === null)('a call', { tags: ['slow'] }, () => {\n});\n",
  };
  for (const [name, text] of Object.entries(journeys)) writeFileSync(join(folder, name), text);
  const started = listQuickJourneys(rootDir).map((file) => basename(file));
  expect(started.toSorted()).toEqual(['both.e2e.ts', 'group.e2e.ts']);
});
