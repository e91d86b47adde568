/** Two files that outlast a restart: the order to delete an account's data, and the notice and report that remain afterwards. */
import { DeviceId, LearnerId } from '@parley/domain';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { renameFile } from '../store/index.ts';

/** Written before anything is deleted, so that after a crash the next start continues. */
const WipeOrder = z.object({
  userId: LearnerId,
  deviceId: DeviceId,
  key: z.string(),
  serverUrl: z.string(),
});
export type WipeOrder = z.infer<typeof WipeOrder>;

const WipeNotice = z.object({
  at: z.iso.datetime(),
  isDismissed: z.boolean(),
  /** The report that the server has not received yet; null when it has. */
  report: WipeOrder.pick({ deviceId: true, key: true, serverUrl: true }).nullable(),
});
export type WipeNotice = z.infer<typeof WipeNotice>;

const orderFile = (dataDir: string): string => join(dataDir, 'wiping.json');
const noticeFile = (dataDir: string): string => join(dataDir, 'wiped.json');

function write(file: string, content: WipeOrder | WipeNotice): void {
  writeFileSync(`${file}.new`, JSON.stringify(content), { flush: true, mode: 0o600 });
  renameFile(`${file}.new`, file);
}

/** Null when the file does not exist or is not valid. */
function read<Content>(file: string, schema: z.ZodType<Content>): Content | null {
  if (!existsSync(file)) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

export const writeWipeOrder = (dataDir: string, order: WipeOrder): void => write(orderFile(dataDir), order);
export const readWipeOrder = (dataDir: string): WipeOrder | null => read(orderFile(dataDir), WipeOrder);
export const removeWipeOrder = (dataDir: string): void => rmSync(orderFile(dataDir), { force: true });

export const readWipeNotice = (dataDir: string): WipeNotice | null => read(noticeFile(dataDir), WipeNotice);

/** The file is kept until the learner has dismissed the notice and the server has received the report. */
export function writeWipeNotice(dataDir: string, notice: WipeNotice): void {
  if (notice.isDismissed && notice.report === null) rmSync(noticeFile(dataDir), { force: true });
  else write(noticeFile(dataDir), notice);
}
