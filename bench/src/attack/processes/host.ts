/** Runs a host that writes a recording, an export, a token and a backup, and then exits. */
import { leaveFiles } from '../../../../desktop/src/host/test-kit/open-host.ts';

await leaveFiles(process.env['PARLEY_DATA_DIR'] ?? '');
process.exit(0);
