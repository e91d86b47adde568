import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeTranscripts } from './transcripts.ts';

it(
  'docs/transcripts.md has what the coach says today (node scripts/write-transcripts.ts)',
  { tags: ['slow'] },
  async () => {
    expect(describeTranscripts()).toBe(await readFile(new URL('../docs/transcripts.md', import.meta.url), 'utf8'));
  },
);
