/** `node scripts/write-transcripts.ts`: rewrites `docs/transcripts.md`. */
import { writeFile } from 'node:fs/promises';
import { describeTranscripts } from './transcripts.ts';

await writeFile(new URL('../docs/transcripts.md', import.meta.url), describeTranscripts());
