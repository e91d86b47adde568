import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readThirdPartyNotices } from './third-party-notices.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

describe('the notices of the app', () => {
  it('name every package that ships, with its licence, and none of ours', async () => {
    const notices = await readThirdPartyNotices(rootDir, 'desktop');
    const names = notices.map(({ name }) => name);
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await readFile(`${rootDir}/desktop/package.json`, 'utf8')));
    const own = Object.keys(dependencies).filter((name) => name.startsWith('@parley/'));
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies).filter((name) => !own.includes(name))));
    // Dependencies that only our own packages need are shipped as well.
    expect(names).toEqual(expect.arrayContaining(['react', '@lingui/core', 'onnxruntime-web']));
    expect(names.filter((name) => name.startsWith('@parley/'))).toEqual([]);
    expect(names).not.toContain('vitest');
    expect(notices.filter(({ licence }) => licence === '')).toEqual([]);
    expect(notices.find(({ name }) => name === 'react')?.text).toContain('MIT License');
  });
});
