/** An operator starts a server for others with what is only safe on one's own machine. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { forkChild, endProcess } from '../../forked-child.ts';
import type { OwnAttack } from '../attack.ts';
import { withFolder } from '../folder.ts';

const MAIN = new URL('../../../../sync-server/src/main.ts', import.meta.url);
/** Nobody listens there: a server whose configuration is taken ends at its database. */
const NO_DATABASE = 'postgres://127.0.0.1:1/parley';
const REFUSED = 2;

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

/** What is unsafe, and the variable that the refusal names. */
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

export const unsafeStarts: OwnAttack = {
  name: 'Starts for others with a weak or no SECRET, no or a plain PUBLIC_URL, no SMTP_URL, no DATABASE_URL, a TRUST_PROXY that is the internet, or without NODE_ENV=production',
  before: 'all start',
  target: 'all refused, each naming its variable',
  run: () =>
    withFolder(async (dir) => {
      const start = (environment: Record<string, string>) => startServer({ ...SAFE, DATA_DIR: dir, ...environment });
      const safe = await start({});
      if (safe.code === REFUSED) throw new Error(`a safe start is refused: ${safe.said}`);
      let refused = 0;
      for (const [environment, variable] of UNSAFE) {
        const { code, said } = await start(environment);
        if (code === REFUSED && said.includes(variable)) refused += 1;
      }
      return { after: `${refused} of ${UNSAFE.length} refused`, holds: refused === UNSAFE.length };
    }),
};

async function startServer(environment: Record<string, string>): Promise<{ code: unknown; said: string }> {
  const { child, said } = forkChild(MAIN, environment);
  const [code]: unknown[] = await Promise.race([once(child, 'exit'), once(child, 'message').then(() => ['started'])]);
  await endProcess(child);
  return { code, said: said() };
}
