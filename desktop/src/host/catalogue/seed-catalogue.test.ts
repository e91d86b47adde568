import { describe, expect, it } from 'vitest';
import { openHost } from '../test-kit/open-host.ts';
import { aCatalogue, LATE_DELIVERY } from '../test-kit/test-catalogue.ts';
import { startServer } from '../test-kit/test-server.ts';

/** The catalogue of a newer app, in which one practice has a different title. */
async function aNewerCatalogue() {
  const catalogue = await aCatalogue();
  return {
    ...catalogue,
    practices: catalogue.practices.map((practice) =>
      practice.practiceId === LATE_DELIVERY ? { ...practice, title: 'A newer title' } : practice,
    ),
  };
}

const titleAfterUpgrade = async (dataDir: string): Promise<string> => {
  const { host, ask } = await openHost({ dataDir, loadCatalogue: aNewerCatalogue });
  const { card } = await ask.catalogue.briefing({ practiceId: LATE_DELIVERY });
  await host.close();
  return card.title;
};

describe('the catalogue of a newer app', { timeout: 240_000 }, () => {
  it('is installed on a device that has never synced', async () => {
    const { host, dataDir } = await openHost();
    await host.close();
    expect(await titleAfterUpgrade(dataDir)).toBe('A newer title');
  });

  it('does not undo changes that a server sent', async () => {
    const server = await startServer();
    const { host, ask, dataDir } = await openHost({ serverUrl: server.url });
    await ask.sync.run();
    const { card } = await ask.catalogue.briefing({ practiceId: LATE_DELIVERY });
    await host.close();
    await server.close();
    expect(await titleAfterUpgrade(dataDir)).toBe(card.title);
    expect(card.title).not.toBe('A newer title');
  });
});
