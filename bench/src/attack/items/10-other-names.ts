/** A page elsewhere that points its own name at this machine, two windows in one browser, and an address without TLS. */
import { once } from 'node:events';
import { join } from 'node:path';
import { forkChild } from '../../forked-child.ts';
import { freePort } from '../../sync/postgres.ts';
import type { OwnAttack } from '../attack.ts';
import { type Answer, call } from '../call.ts';
import { withFolder } from '../folder.ts';
import { startShell } from '../shell.ts';
import { withTarget } from '../target.ts';

const OTHER_HOST = { host: 'other.example' };
const PATHS = ['/', '/sign-in', '/v1/devices', '/openapi.json', '/nothing'];
const START = new URL('../../../../scripts/start.ts', import.meta.url);

const hostHeader: OwnAttack = {
  name: 'Server and window are called under the name of another site (Host)',
  before: 'answered',
  target: 'all refused with 421',
  run: () =>
    withBoth(async (server, shell) => {
      const path = new URL(shell.address).pathname;
      const answers = [
        ...(await Promise.all(PATHS.map((each) => call(server, { path: each, headers: OTHER_HOST })))),
        await call(shell, { path, headers: OTHER_HOST }),
      ];
      const refused = answers.filter(({ status }) => status === 421).length;
      // The same address under its own name: what refuses is the name.
      const own = [await call(server, { path: '/sign-in' }), await call(shell, { path })];
      const isAnsweredUnderOwn = own.every(({ status }) => status === 200);
      return {
        after: `${refused} of ${answers.length} refused`,
        holds: refused === answers.length && isAnsweredUnderOwn,
      };
    }),
};

const cookieNames: OwnAttack = {
  name: 'Two servers and two windows on one machine: the cookies of one end the session of another',
  before: 'the same names on all ports',
  target: 'all names differ',
  run: () =>
    withBoth((server, shell) =>
      withBoth(async (otherServer, otherShell) => {
        const answers = await Promise.all([
          ...[server, otherServer].map((each) => call(each, { path: '/sign-in' })),
          ...[shell, otherShell].map((each) => call(each, { path: new URL(each.address).pathname })),
        ]);
        const names = answers.flatMap(cookieNamesOf);
        const different = new Set(names).size;
        return {
          after: `${different} of ${names.length} differ`,
          holds: different === names.length && names.length === answers.length,
        };
      }),
    ),
};

const plainHttp: OwnAttack = {
  name: 'The app is given a server on another machine by plain http',
  before: 'used, unencrypted',
  target: 'refused with a sentence',
  run: () =>
    withFolder(async (dir) => {
      const { child, said } = forkChild(START, {
        PARLEY_SERVER_URL: 'http://parley.example',
        PARLEY_DATA_DIR: join(dir, 'data'),
      });
      const [code]: unknown[] = await once(child, 'exit');
      const isRefused = code === 2 && /plain http address.*https:\/\/parley\.example/.test(said());
      return { after: isRefused ? 'refused with a sentence' : `ended with ${String(code)}`, holds: isRefused };
    }),
};

export const otherNames: readonly OwnAttack[] = [hostHeader, cookieNames, plainHttp];

interface Listener {
  port: number;
}

async function withBoth<Value>(
  work: (server: Listener, shell: Listener & { address: string }) => Promise<Value>,
): Promise<Value> {
  // It names its cookies by the port that it is told.
  const environment = { PORT: String(await freePort()) };
  return withTarget({ kind: 'PGlite', environment }, (server) =>
    withFolder(async (dir) => {
      const shell = await startShell(join(dir, 'data'));
      try {
        return await work(server, shell);
      } finally {
        await shell.stop();
      }
    }),
  );
}

const cookieNamesOf = ({ headers }: Answer): string[] =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.slice(0, cookie.indexOf('=')));
