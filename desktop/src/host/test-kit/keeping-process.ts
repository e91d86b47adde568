/** A process for crash tests that sends its recordings to a server until it is killed. */
import { openHost } from './open-host.ts';

const [, , dataDir = '', serverUrl = ''] = process.argv;
await openHost({ dataDir, serverUrl, keptRecordings: { quietMs: 0 } });
