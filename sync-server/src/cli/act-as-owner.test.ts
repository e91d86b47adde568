import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { actAsOwner } from './act-as-owner.ts';
import { explainFailure } from './explain-failure.ts';

const NOBODY = 65_534;

/** A container without capabilities runs as a root that may not change its user. */
describe.skipIf(process.getuid?.() !== 0)('a root that cannot act as the owner', () => {
  function act(databaseUrl: string | null): () => void {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-owner-'));
    chownSync(dataDir, NOBODY, NOBODY);
    const refuse = (id: number | string): void => {
      if (id === NOBODY) throw Object.assign(new Error('Operation not permitted'), { code: 'EPERM' });
    };
    vi.spyOn(process, 'seteuid').mockImplementation(refuse);
    vi.spyOn(process, 'setegid').mockImplementation(refuse);
    return actAsOwner({ databaseUrl, dataDir, media: { dir: dataDir, s3: null, maxFileBytes: 1, maxTotalBytes: 1 } });
  }

  it('is told which user may run the command', () => {
    const explained = vi.fn(() => act(null));
    expect(explained).toThrow();
    expect(explainFailure(explained.mock.results[0]?.value)).toMatch(
      /^Here, root cannot act as the owner of .+: run the command as user 65534\.$/,
    );
  });

  it('still uses PostgreSQL', () => {
    expect(act('postgres://localhost/parley')).not.toThrow();
  });
});
