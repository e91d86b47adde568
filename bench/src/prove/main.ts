/** `npm run prove -- [area]`: measures each promise, prints a table, writes it to `docs/evidence.md` and fails when one falls short. */
import type { ProductPromise } from './promise.ts';
import { formatTable } from '../report/format-table.ts';
import { writeEvidence } from './write-evidence.ts';

const areas: Record<string, () => Promise<{ promises: readonly ProductPromise[] }>> = {
  accounts: () => import('./accounts.ts'),
  attack: () => import('./attack.ts'),
  coach: () => import('./coach.ts'),
  installed: () => import('./installed.ts'),
  interface: () => import('./interface.ts'),
  learning: () => import('./learning.ts'),
  practice: () => import('./practice.ts'),
  school: () => import('./school.ts'),
  services: () => import('./services.ts'),
  speech: () => import('./speech.ts'),
  sync: () => import('./sync.ts'),
};

const requestedAreas = process.argv.slice(2);
const unknown = requestedAreas.filter((area) => !(area in areas));
if (unknown.length > 0) {
  console.error(`No such area: ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}.`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
let notMeasuredHere = 0;
for (const area of requestedAreas.length > 0 ? requestedAreas : Object.keys(areas)) {
  const { promises } = (await areas[area]?.()) ?? { promises: [] };
  const rows: string[][] = [];
  for (const promise of promises) {
    console.error(`… ${promise.claim}`);
    const outcome = await promise.measure().catch((error: unknown) => ({
      figure: error instanceof Error ? (error.message.split('\n')[0] ?? 'failed') : String(error),
      holds: false,
    }));
    if (outcome.holds === null) notMeasuredHere += 1;
    else if (outcome.holds) passed += 1;
    else failed += 1;
    rows.push([
      promise.claim,
      outcome.figure,
      promise.bar,
      outcome.holds === null ? '–' : outcome.holds ? 'yes' : 'NO',
    ]);
  }
  const table = formatTable(['promise', 'figure', 'bar', 'holds'], rows);
  console.log(`\n${area}\n${table}\n`);
  await writeEvidence(area, table);
}
if (notMeasuredHere > 0) console.log(`${notMeasuredHere} not measured here; the table says why.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
