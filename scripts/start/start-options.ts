/** Parses the command line and environment of `npm start`; an invalid value ends the program with a message that says what to do. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { dataFolder } from '../../desktop/src/shell/data-folder.ts';
import { readServerUrl } from '../../desktop/src/shell/environment-server-url.ts';

export interface StartOptions {
  opensWindow: boolean;
  startsServer: boolean;
  /** Starts without server, models and background work, to narrow down the cause of a fault. */
  safeMode: boolean;
  /** Port of the window; undefined picks a free one. */
  port: number | undefined;
  /** Null means the local server. */
  remoteServerUrl: string | null;
  dataDir: string;
  /**
   * Folder and port of the local server, as named in docs/configuration.md; if the port is undefined, a free one is
   * picked.
   */
  server: { dataDir: string; port: number | undefined };
}

const Port = z.coerce.number().int().min(0).max(65_535).optional();
const USAGE = 'npm start -- [--no-open] [--no-server] [--safe-mode] [--port 0-65535]';

export function readStartOptions(): StartOptions {
  try {
    return parseStartOptions(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

/** Throws an error whose message says what to change. */
export function parseStartOptions(args: string[], environment: NodeJS.ProcessEnv): StartOptions {
  const { values } = parseArgs({
    args,
    options: {
      'no-open': { type: 'boolean', default: false },
      'no-server': { type: 'boolean', default: false },
      'safe-mode': { type: 'boolean', default: false },
      port: { type: 'string' },
    },
  });
  const port = Port.safeParse(values.port);
  if (!port.success) throw new Error('--port takes a number from 0 to 65535.');
  const serverPort = Port.safeParse(environment['PORT'] || undefined);
  if (!serverPort.success) throw new Error('PORT takes a number from 0 to 65535.');
  const dataDir = dataFolder({ platform: process.platform, environment });
  return {
    opensWindow: !values['no-open'],
    startsServer: !values['no-server'],
    safeMode: values['safe-mode'],
    port: port.data,
    remoteServerUrl: readServerUrl(environment),
    dataDir,
    server: {
      dataDir: resolve(environment['DATA_DIR'] || join(dataDir, 'server')),
      port: serverPort.data || undefined,
    },
  };
}
