/** Runs a host that writes a recording, an export, a token and a backup, and then exits. */
import { createFileVault } from '../../../../desktop/src/host/index.ts';
import { openHost, recordTurn } from '../../../../desktop/src/host/test-kit/open-host.ts';

const dataDir = process.env['PARLEY_DATA_DIR'] ?? '';
const { host, ask } = await openHost({ dataDir });
const practice = (await ask.catalogue.practices()).find(({ state }) => state !== 'coming_soon');
if (practice === undefined) throw new Error('there is nothing to practise');
const { sessionId } = await ask.practice.start({
  practiceId: practice.practiceId,
  difficulty: 'easy',
  communicationStyle: 'audio',
});
await recordTurn(ask, sessionId);
await ask.account.exportAll();
await createFileVault(dataDir).write('a token');
await host.whenIdle();
await host.close();
process.exit(0);
