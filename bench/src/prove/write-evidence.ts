/** Puts the table of one area into `docs/evidence.md`, between the area's markers. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const FILE = fileURLToPath(new URL('../../../docs/evidence.md', import.meta.url));

/** Returns where the table of the area begins and ends; throws when the area has no markers. */
function findPlace(text: string, area: string): { start: number; end: number } {
  const [opening, closing] = [`<!-- ${area} -->`, `<!-- /${area} -->`];
  const start = text.indexOf(opening);
  const end = text.indexOf(closing);
  if (start < 0 || end < start)
    throw new Error(`docs/evidence.md has no place for "${area}": add ${opening} and ${closing}.`);
  return { start: start + opening.length, end };
}

/** Throws when one of the areas has no markers. */
export async function assertEvidenceMarkers(areas: readonly string[]): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  for (const area of areas) findPlace(text, area);
}

export async function writeEvidence(area: string, table: string): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  const { start, end } = findPlace(text, area);
  const updated = `${text.slice(0, start)}\n\n${table}\n\n${text.slice(end)}`;
  await writeFile(FILE, await format(updated, { ...(await resolveConfig(FILE)), filepath: FILE }));
}
