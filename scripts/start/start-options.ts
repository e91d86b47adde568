/** What `npm start` was asked to do, parsed once; anything wrong ends the program with a sentence that helps. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { dataFolder } from '../../desktop/src/shell/data-folder.ts';
import { readServerUrl } from '../../desktop/src/shell/server-address.ts';

export interface StartOptions {
  opensWindow: boolean;
  startsServer: boolean;
  /** Of the window's address; left out: any free one. */
  port: number | undefined;
  /** Null: the one that is started here. */
  remoteServerUrl: string | null;
  dataDir: string;
}

const Port = z.coerce.number().int().min(0).max(65_535).optional();
const USAGE = 'npm start -- [--no-open] [--no-server] [--port 0-65535]';

export function readStartOptions(): StartOptions {
  try {
    const { values } = parseArgs({
      options: {
        'no-open': { type: 'boolean', default: false },
        'no-server': { type: 'boolean', default: false },
        port: { type: 'string' },
      },
    });
    const port = Port.safeParse(values.port);
    if (!port.success) throw new Error('--port takes a number from 0 to 65535.');
    return {
      opensWindow: !values['no-open'],
      startsServer: !values['no-server'],
      port: port.data,
      remoteServerUrl: readServerUrl(process.env),
      dataDir: dataFolder({ platform: process.platform, environment: process.env }),
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}
