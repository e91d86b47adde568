import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeTranscripts } from './transcripts.ts';

it(
  'docs/transcripts.md matches the coach’s current lines (node scripts/write-transcripts.ts)',
  { tags: ['slow'] },
  async () => {
    expect(describeTranscripts()).toBe(await readFile(new URL('../docs/transcripts.md', import.meta.url), 'utf8'));
  },
);
