/**
 * The host's process. It is separate from the main process so that large queries and scoring cannot make the window
 * stutter.
 */
import { type ParentPort, serveHost } from './host/serve-host.ts';

const parentPort: ParentPort = process.parentPort;

serveHost(parentPort, { exit: (code) => process.exit(code) });
