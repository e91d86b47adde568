/** How long a learner waits for the coach's first words when the model takes 400 ms to begin. */
import { openHost, removeDataFolders } from '../../../desktop/src/host/test-kit/open-host.ts';
import { startLiveServer } from '../../../desktop/src/host/test-kit/a-live-coach.ts';
import { LATE_DELIVERY } from '../../../desktop/src/host/test-kit/a-catalogue.ts';

const UPSTREAM_MS = 400;
const TURNS = 15;

/** The slowest of some turns, from the learner's sent words to the first of the coach's, in milliseconds; the host's own calls included. */
export async function measureFirstWords(): Promise<number> {
  const live = await startLiveServer();
  const { host, ask } = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
  try {
    await ask.sync.run();
    const wish = {
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'text',
      coachKind: 'live',
    } as const;
    const { sessionId } = await ask.practice.start(wish);
    let slowestMs = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
      live.says.reply.push({ does: 'answer_late', ms: UPSTREAM_MS, text: `And what about point ${turn + 1}?` });
      const startMs = performance.now();
      let firstMs: number | null = null;
      for await (const event of await ask.practice.hearCoach({ sessionId }))
        if (event.type === 'words') firstMs ??= performance.now() - startMs;
      if (firstMs === null) throw new Error('the coach said nothing');
      slowestMs = Math.max(slowestMs, firstMs);
      await ask.practice.sendTyped({ sessionId, text: 'We are looking into that one as well.', hintLevel: 0 });
    }
    return slowestMs;
  } finally {
    await host.close();
    removeDataFolders();
    await live.close();
  }
}
