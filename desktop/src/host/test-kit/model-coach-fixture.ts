/** A server with a model coach for a test file, and the host that a test has open. */
import type { CoachReplyUpdate } from '@parley/contract';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ModelCoachServer, type ModelCoachServerOptions, startModelCoachServer } from './model-coach-server.ts';
import { type OpenHost, openHost } from './open-host.ts';

export interface ModelCoachFixture {
  live: ModelCoachServer;
  /** The host that was opened last; it is closed after the test. */
  opened: OpenHost;
  open: (options?: Parameters<typeof openHost>[0]) => Promise<OpenHost['ask']>;
}

export function setUpModelCoach(options: ModelCoachServerOptions = {}): ModelCoachFixture {
  const fixture = {
    open: async (hostOptions = {}) => {
      const { live } = fixture;
      fixture.opened = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() }, ...hostOptions });
      await fixture.opened.ask.sync.run();
      return fixture.opened.ask;
    },
  } as ModelCoachFixture;
  beforeAll(async () => {
    fixture.live = await startModelCoachServer(options);
  });
  afterAll(() => fixture.live.close());
  afterEach(async () => {
    for (const steps of Object.values(fixture.live.script)) steps.length = 0;
    await fixture.opened.host.close();
  });
  return fixture;
}

/** Streams the coach's reply to its end. */
export async function streamReply(ask: OpenHost['ask'], sessionId: string) {
  const events: CoachReplyUpdate[] = [];
  for await (const event of await ask.practice.streamCoachReply({ sessionId })) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'session') throw new Error("the coach's reply did not end");
  return { events, session: last.session };
}

/** The model's response when it is asked for a review. */
export const aReview = () => ({
  best: 'You named the delay at once: “two days late”.',
  fix: 'Say “will” for what you promise.',
  nextStep: 'Hold it again one level harder.',
  summary: 'You told a client of a delay.',
  corrections: [
    { said: 'We send new one tomorrow', better: 'We will send a new one tomorrow', why: 'A promise takes “will”.' },
  ],
  remember: ['The learner works with clients abroad.'],
  languageQuality: 70,
});
