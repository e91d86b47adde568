/** Measures the time to the first words of the coach when the model takes 400 ms to begin. */
import { openHost, removeDataFolders } from '../../../desktop/src/host/test-kit/open-host.ts';
import { startModelCoachServer } from '../../../desktop/src/host/test-kit/model-coach-server.ts';
import { LATE_DELIVERY } from '../../../desktop/src/host/test-kit/test-catalogue.ts';

const UPSTREAM_MS = 400;
const TURNS = 15;

/** Returns the slowest of several turns in milliseconds, from sending the text to the first words. The calls of the host are included. */
export async function measureTimeToFirstWords(): Promise<number> {
  const fixture = await startModelCoachServer();
  const { host, ask } = await openHost({ serverUrl: fixture.server.url, clock: { now: () => new Date() } });
  try {
    await ask.sync.run();
    const request = {
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'text',
      coachKind: 'model',
    } as const;
    const { sessionId } = await ask.practice.start(request);
    let slowestMs = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
      fixture.script.reply.push({ does: 'answer_late', ms: UPSTREAM_MS, text: `And what about point ${turn + 1}?` });
      const startMs = performance.now();
      let firstMs: number | null = null;
      for await (const event of await ask.practice.streamCoachReply({ sessionId }))
        if (event.type === 'words') firstMs ??= performance.now() - startMs;
      if (firstMs === null) throw new Error('the coach said nothing');
      slowestMs = Math.max(slowestMs, firstMs);
      await ask.practice.sendTyped({ sessionId, text: 'We are looking into that one as well.', hintLevel: 0 });
    }
    return slowestMs;
  } finally {
    await host.close();
    removeDataFolders();
    await fixture.close();
  }
}
