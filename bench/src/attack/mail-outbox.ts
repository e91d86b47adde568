/** Reads the e-mails that the server under attack writes to files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './target.ts';

const POLL_MS = 100;
const MAX_TRIES = 150;

export interface SignInMail {
  code: string | null;
  /** The secret token of the sign-in link. */
  link: string | null;
}

/** Runs `work` and waits for the e-mail that it triggers. */
export async function waitForMail(
  { dataDir }: Pick<Target, 'dataDir'>,
  work: () => Promise<unknown>,
): Promise<SignInMail> {
  const dir = join(dataDir, 'outbox');
  const names = async (): Promise<string[]> => {
    const all = await readdir(dir).catch(() => []);
    return all.filter((name) => name.endsWith('.eml') && !name.startsWith('.'));
  };
  const before = new Set(await names());
  await work();
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const name = (await names()).find((each) => !before.has(each));
    if (name !== undefined) return readMail(await readFile(join(dir, name), 'utf8'));
    await sleep(POLL_MS);
  }
  throw new Error('the server sent no e-mail');
}

/** Reads the code and the link from the quoted-printable text of a message. */
function readMail(message: string): SignInMail {
  const text = message.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const code = /^\s*(\d{3}) (\d{3})\s*$/m.exec(text);
  return {
    code: code === null ? null : `${code[1]}${code[2]}`,
    link: /[?&]link=([\w-]+)/.exec(text)?.[1] ?? null,
  };
}
