/** Attacks across origins: DNS rebinding, cookies shared between ports, and a server address without TLS. */
import { once } from 'node:events';
import { join } from 'node:path';
import { forkChild } from '../../processes/fork-child.ts';
import { findFreePort } from '../../processes/start-postgres.ts';
import type { StandaloneAttack } from '../attack.ts';
import { type HttpResponse, sendRequest } from '../http-request.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startShell } from '../browser-shell.ts';
import { withTarget } from '../target.ts';

const OTHER_HOST = { host: 'other.example' };
const PATHS = ['/', '/sign-in', '/v1/devices', '/openapi.json', '/nothing'];
const START = new URL('../../../../scripts/start.ts', import.meta.url);

const foreignHostHeader: StandaloneAttack = {
  name: 'Server and window are called with the host name of another site (Host)',
  before: 'answered',
  target: 'all refused with 421',
  run: () =>
    withServerAndShell(async (server, shell) => {
      const path = new URL(shell.address).pathname;
      const answers = [
        ...(await Promise.all(PATHS.map((each) => sendRequest(server, { path: each, headers: OTHER_HOST })))),
        await sendRequest(shell, { path, headers: OTHER_HOST }),
      ];
      const refused = answers.filter(({ status }) => status === 421).length;
      // The same request under the real host name must pass, which shows that the host name decides.
      const own = [await sendRequest(server, { path: '/sign-in' }), await sendRequest(shell, { path })];
      const acceptsOwnHost = own.every(({ status }) => status === 200);
      return {
        after: `${refused} of ${answers.length} refused`,
        holds: refused === answers.length && acceptsOwnHost,
      };
    }),
};

const sharedCookieNames: StandaloneAttack = {
  name: 'Two servers and two windows on one machine: the cookies of one end the session of another',
  before: 'the same names on all ports',
  target: 'all names differ',
  run: () =>
    withServerAndShell((server, shell) =>
      withServerAndShell(async (otherServer, otherShell) => {
        const answers = await Promise.all([
          ...[server, otherServer].map((each) => sendRequest(each, { path: '/sign-in' })),
          ...[shell, otherShell].map((each) => sendRequest(each, { path: new URL(each.address).pathname })),
        ]);
        const names = answers.flatMap(readCookieNames);
        const different = new Set(names).size;
        return {
          after: `${different} of ${names.length} differ`,
          holds: different === names.length && names.length === answers.length,
        };
      }),
    ),
};

const plainHttp: StandaloneAttack = {
  name: 'The app is configured with a server on another machine over plain http',
  before: 'used, unencrypted',
  target: 'refused with a sentence',
  run: () =>
    withTemporaryFolder(async (dir) => {
      const { child, output } = forkChild(START, {
        PARLEY_SERVER_URL: 'http://parley.example',
        PARLEY_DATA_DIR: join(dir, 'data'),
      });
      const [code]: unknown[] = await once(child, 'exit');
      const isRefused = code === 2 && /plain http address.*https:\/\/parley\.example/.test(output());
      return { after: isRefused ? 'refused with a sentence' : `ended with ${String(code)}`, holds: isRefused };
    }),
};

export const originConfusion: readonly StandaloneAttack[] = [foreignHostHeader, sharedCookieNames, plainHttp];

interface Listener {
  port: number;
}

async function withServerAndShell<Value>(
  work: (server: Listener, shell: Listener & { address: string }) => Promise<Value>,
): Promise<Value> {
  // The server derives its cookie names from the configured port.
  const environment = { PORT: String(await findFreePort()) };
  return withTarget({ kind: 'PGlite', environment }, (server) =>
    withTemporaryFolder(async (dir) => {
      const shell = await startShell(join(dir, 'data'));
      try {
        return await work(server, shell);
      } finally {
        await shell.stop();
      }
    }),
  );
}

const readCookieNames = ({ headers }: HttpResponse): string[] =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.slice(0, cookie.indexOf('=')));
