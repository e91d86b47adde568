/** Starts the whole host on a folder, runs a session through its public interface, and closes it again. */
import { SessionId, PracticeId } from '@parley/domain';
import { openHost } from '../../../../desktop/src/host/test-kit/open-host.ts';
import { loadStarterCatalogue } from '../../../../packages/catalogue/src/index.ts';

export interface HoldSessionOptions {
  dir: string;
  url: string;
  now: () => Date;
  practiceId: string;
  lines: readonly string[];
}

export async function holdSession(options: HoldSessionOptions): Promise<SessionId> {
  const { dir, url, now } = options;
  const clock = { now, pass: () => undefined };
  // A device that has never synced installs the app's own catalogue, which the server must have too.
  const loadCatalogue = (): Promise<ReturnType<typeof loadStarterCatalogue>> => Promise.resolve(loadStarterCatalogue());
  const { host, ask } = await openHost({ dataDir: dir, serverUrl: url, clock, loadCatalogue });
  try {
    const { sessionId } = await ask.practice.start({
      practiceId: PracticeId.parse(options.practiceId),
      difficulty: 'easy',
      communicationStyle: 'text',
    });
    for (const text of options.lines) {
      const { phase } = await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
      if (phase === 'ended') break;
    }
    await ask.practice.finish({ sessionId });
    return sessionId;
  } finally {
    await host.close();
  }
}
