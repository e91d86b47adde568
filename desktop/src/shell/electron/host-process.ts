/** The host's own process, forked by the main one: neither a large query nor a score can make the window stutter. */
import { pino } from 'pino';
import { type ParentPort, serveHost } from './serve-host.ts';

const logger = pino({ name: 'host' }, pino.destination({ dest: 2, sync: true }));
const parentPort: ParentPort = process.parentPort;

serveHost(parentPort, { logger, exit: (code) => process.exit(code) });
