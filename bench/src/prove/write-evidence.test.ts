import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { AREAS } from './areas.ts';
import { assertEvidenceMarkers } from './write-evidence.ts';

it('finds the markers of every area in docs/evidence.md', async () => {
  await expect(assertEvidenceMarkers(Object.keys(AREAS))).resolves.toBeUndefined();
});

it('refuses an area without markers before anything is measured', async () => {
  await expect(assertEvidenceMarkers(['sync', 'weather'])).rejects.toThrow('no place for "weather"');
});

it('names every area in the introduction of docs/evidence.md', async () => {
  const text = await readFile(new URL('../../../docs/evidence.md', import.meta.url), 'utf8');
  const introduction = text.slice(0, text.indexOf('\n## '));
  for (const area of Object.keys(AREAS)) expect(introduction).toContain(`\`${area}\``);
});
