/** An operator starts a public server with settings that are safe only on a private machine. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { forkChild, killProcess } from '../../processes/fork-child.ts';
import type { StandaloneAttack } from '../attack.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';

const MAIN = new URL('../../../../sync-server/src/main.ts', import.meta.url);
/** Nothing listens on this port, so a server that accepts its configuration keeps waiting for the database, and says so. */
const NO_DATABASE = 'postgres://127.0.0.1:1/parley';
const WAITS_FOR_DATABASE = 'Trying again in';
const REFUSED_EXIT_CODE = 2;
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

const SAFE = {
  NODE_ENV: 'production',
  HOST: '0.0.0.0',
  PORT: '0',
  LOG_LEVEL: 'silent',
  DATABASE_URL: NO_DATABASE,
  SECRET: randomBytes(32).toString('base64'),
  PUBLIC_URL: 'https://parley.example',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'hello@parley.example',
  TRUST_PROXY: '10.0.0.0/8',
};

/** An unsafe setting, and the variable that the refusal must name. */
const UNSAFE: readonly [environment: Record<string, string>, variable: string][] = [
  [{ SECRET: 'x'.repeat(40) }, 'SECRET'],
  [{ SECRET: 'please-change-me-before-you-deploy-it' }, 'SECRET'],
  [{ SECRET: '' }, 'SECRET'],
  [{ PUBLIC_URL: '' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'http://parley.example' }, 'PUBLIC_URL'],
  [{ SMTP_URL: '', MAIL_FROM: '' }, 'SMTP_URL'],
  [{ DATABASE_URL: '' }, 'DATABASE_URL'],
  [{ TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' }, 'TRUST_PROXY'],
  [{ NODE_ENV: 'development', DATABASE_URL: '' }, 'NODE_ENV'],
];

export const unsafeConfiguration: StandaloneAttack = {
  name: 'A public server starts with a weak or no SECRET, a missing or plain http PUBLIC_URL, no SMTP_URL, no DATABASE_URL, a TRUST_PROXY that covers the internet, or without NODE_ENV=production',
  before: 'all start',
  target: 'all refused, each naming its variable',
  run: () =>
    withTemporaryFolder(async (dir) => {
      const start = (environment: Record<string, string>) => startServer({ ...SAFE, DATA_DIR: dir, ...environment });
      const safe = await start({});
      // Without this control, a server that refuses every start would pass.
      if (safe.end !== 'accepted') throw new Error(`a safe start is not accepted (${safe.end}): ${safe.output}`);
      let refused = 0;
      for (const [environment, variable] of UNSAFE) {
        const { end, output } = await start(environment);
        if (end === REFUSED_EXIT_CODE && output.includes(variable)) refused += 1;
      }
      return { after: `${refused} of ${UNSAFE.length} refused`, holds: refused === UNSAFE.length };
    }),
};

/** Returns the exit code, or `accepted` once the server listens or waits for its database. */
async function startServer(
  environment: Record<string, string>,
): Promise<{ end: number | null | 'accepted' | 'timeout'; output: string }> {
  const { child, output } = forkChild(MAIN, environment);
  const settled = new AbortController();
  const { signal } = settled;
  const waits = async (): Promise<'accepted' | 'timeout'> => {
    for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += POLL_MS) {
      if (output().includes(WAITS_FOR_DATABASE)) return 'accepted';
      await pause(POLL_MS, undefined, { signal });
    }
    return 'timeout';
  };
  try {
    const end = await Promise.race([
      // By then, all of the output has arrived as well.
      once(child, 'close', { signal }).then(([code]) => code as number | null),
      once(child, 'message', { signal }).then(() => 'accepted' as const),
      waits(),
    ]);
    return { end, output: output() };
  } finally {
    settled.abort();
    await killProcess(child);
  }
}
