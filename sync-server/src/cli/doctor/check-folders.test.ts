import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { checkFolders } from './check-folders.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-folders-'));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

afterEach(() => {
  if (isRoot) process.seteuid?.(0);
});

function failuresFor(
  dataDir: string,
  { mediaDir = join(dataDir, 'media'), databaseUrl = null as string | null } = {},
): string[] {
  const media = { dir: mediaDir, s3: null, maxFileBytes: 1, maxTotalBytes: 1 };
  const findings = checkFolders({ databaseUrl, dataDir, media, siteDir: null, downloadsDir: null });
  return findings.flatMap(({ isGood, name, text }) => (isGood ? [] : [`${name}: ${text}`]));
}

/** Root may write everywhere, so the checks run as another user. */
function becomeNobody(...own: string[]): void {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder))
    if (folder.startsWith(tmpdir())) chmodSync(folder, 0o755);
  for (const folder of own) chownSync(folder, NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
}

it.skipIf(!isRoot)('names each folder in which the server could not write', () => {
  const [above, data, media] = ['', 'data', 'media'].map((name) => join(root, 'school', name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [data, media]) mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const folder of [above, data, media]) chmodSync(folder, 0o755);
  becomeNobody(data);
  expect(failuresFor(data, { mediaDir: media })).toEqual([
    `media folder: ${media} is not writable: change its owner or MEDIA_DIR.`,
    expect.stringMatching(/^folder above: .*school is not writable, and the server keeps a file next to /),
  ]);
  expect(failuresFor(data, { databaseUrl: 'postgres://x' })).toEqual([]);
  expect(readdirSync(data)).toEqual([]);
});
