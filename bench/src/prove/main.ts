/** `npm run prove -- [area]`: runs each promise, prints a table, and fails when one falls short. */
import type { ProductPromise } from './promise.ts';
import { formatTable } from './table.ts';

const areas: Record<string, () => Promise<{ promises: readonly ProductPromise[] }>> = {
  accounts: () => import('./accounts.ts'),
  attack: () => import('./attack.ts'),
  coach: () => import('./coach.ts'),
  practice: () => import('./practice.ts'),
  services: () => import('./services.ts'),
  speech: () => import('./speech.ts'),
  sync: () => import('./sync.ts'),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((area) => !(area in areas));
if (unknown.length > 0) {
  console.error(`No such area: ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}.`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
let notMeasuredHere = 0;
for (const area of asked.length > 0 ? asked : Object.keys(areas)) {
  const { promises } = (await areas[area]?.()) ?? { promises: [] };
  const rows: string[][] = [];
  for (const promise of promises) {
    console.error(`… ${promise.says}`);
    const outcome = await promise.keep().catch((error: unknown) => ({
      figure: error instanceof Error ? (error.message.split('\n')[0] ?? 'failed') : String(error),
      holds: false,
    }));
    if (outcome.holds === null) notMeasuredHere += 1;
    else if (outcome.holds) passed += 1;
    else failed += 1;
    rows.push([promise.says, outcome.figure, promise.bar, outcome.holds === null ? '–' : outcome.holds ? 'yes' : 'NO']);
  }
  console.log(`\n${area}\n${formatTable(['promise', 'figure', 'bar', 'holds'], rows)}\n`);
}
if (notMeasuredHere > 0) console.log(`${notMeasuredHere} not measured here; the table says why.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
