/** The server's program: `parley-server start` and the commands of its operator. */
import { runCli } from './cli/index.ts';

await runCli(process.argv);
