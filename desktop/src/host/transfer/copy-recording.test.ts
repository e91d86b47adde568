import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseWav } from '@parley/speech';
import { wavHeader } from '@parley/speech/wav';
import { expect, it, vi } from 'vitest';
import { aDataFolder } from '../test-kit/open-host.ts';
import { copyRecording, recordingFile } from './copy-recording.ts';

vi.mock('@parley/speech', { spy: true });

const PCM = Buffer.alloc(32_000, 1);
const RECORDING_ID = '0190b2f0-0000-7000-8000-000000000001';

async function copy(content: Buffer) {
  const dataDir = aDataFolder();
  mkdirSync(join(dataDir, 'recordings'), { recursive: true });
  const zip = { read: async () => content };
  const isCopied = await copyRecording(dataDir, { zip } as never, { recordingId: RECORDING_ID, entry: {} as never });
  return { isCopied, exists: existsSync(recordingFile(dataDir, RECORDING_ID)) };
}

it.each([
  ['complete', wavHeader(PCM.byteLength)],
  ['still being written when the app was killed', wavHeader(0)],
  ['shorter than its header says', wavHeader(2 * PCM.byteLength)],
])('copies a recording of this app that is %s', async (_what, header) => {
  expect(await copy(Buffer.concat([header, PCM]))).toEqual({ isCopied: true, exists: true });
});

it('refuses another sample rate without resampling, which takes seconds for a long file', async () => {
  const foreign = Buffer.concat([wavHeader(PCM.byteLength, 8_000), PCM]);
  expect(await copy(foreign)).toEqual({ isCopied: false, exists: false });
  expect(parseWav).not.toHaveBeenCalled();
});
