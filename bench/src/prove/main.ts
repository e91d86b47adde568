/** `npm run prove -- [area]`: measures each promise, prints a table, writes it to `docs/evidence.md` and fails when one falls short. */
import { formatTable } from '../report/format-table.ts';
import { AREAS } from './areas.ts';
import { assertEvidenceMarkers, writeEvidence } from './write-evidence.ts';

const requestedAreas = process.argv.slice(2);
const unknown = requestedAreas.filter((area) => !(area in AREAS));
if (unknown.length > 0) {
  console.error(`No such area: ${unknown.join(', ')}. There are: ${Object.keys(AREAS).join(', ')}.`);
  process.exit(2);
}

const measuredAreas = requestedAreas.length > 0 ? requestedAreas : Object.keys(AREAS);
// Checked before anything is measured, because an area takes minutes and its table must have a place.
await assertEvidenceMarkers(measuredAreas);

let passed = 0;
let failed = 0;
let notMeasuredHere = 0;
for (const area of measuredAreas) {
  const { promises } = (await AREAS[area]?.()) ?? { promises: [] };
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
  const table = formatTable(['promise', 'figure', 'target', 'met'], rows);
  console.log(`\n${area}\n${table}\n`);
  await writeEvidence(area, table);
}
if (notMeasuredHere > 0) console.log(`${notMeasuredHere} not measured here; the table says why.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
