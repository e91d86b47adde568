import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import {
  aCoachDocument,
  aPracticeDocument,
  type ContentAdmin,
  openContentAdmin,
} from '../../test-kit/content/content-fixture.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

export function tryPracticeSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let admin: ContentAdmin;
  let agentId: string;
  beforeAll(async () => {
    server = await startServer(await open());
    admin = await openContentAdmin(server);
    const coach = await admin.create('coach', aCoachDocument());
    agentId = coach.id;
    await admin.publish(coach);
  });
  afterAll(() => server.close());

  describe('trying a draft', () => {
    it('plays it as the guided coach does', async () => {
      const document = aPracticeDocument(agentId);
      const opening = await admin.call<{ turn: object }>('try', { document, difficulty: 'easy', turns: [] });
      expect(opening).toMatchObject({ status: 'said', turn: { text: 'Yes? What is it?', node: 'opening' } });
      const learnerTurn = {
        role: 'learner',
        text: 'Could I have Friday off?',
        node: 'opening',
        kind: 'line',
        fitted: true,
      };
      expect(
        await admin.call('try', { document, difficulty: 'easy', turns: [opening.turn, learnerTurn] }),
      ).toMatchObject({
        status: 'said',
        turn: { node: 'yes', text: expect.stringContaining('Enjoy your day') },
        fitted: true,
        proved: [{ key: 'ask', words: 'Could I have Friday off' }],
        hasEnded: true,
      });
    });

    it('says why it cannot be played', async () => {
      const document = { ...aPracticeDocument(agentId), agentId: null };
      expect(await admin.call('try', { document, difficulty: 'easy', turns: [] })).toMatchObject({
        status: 'blocked',
        findings: [{ path: ['agentId'] }],
      });
    });

    it('does not ask a regular expression that would stop the server', async () => {
      const document = aPracticeDocument(agentId);
      const objectives = document.objectives.map((objective) => ({ ...objective, needs: String.raw`^(\w+ ?)+!$` }));
      const said = { role: 'learner', text: 'Could I have Friday off please because I need a day', node: 'opening' };
      const turns = [{ ...said, kind: 'line', fitted: true }];
      const tried = { document: { ...document, objectives }, difficulty: 'easy', turns };
      expect(await admin.call('try', tried)).toMatchObject({
        status: 'blocked',
        findings: [{ path: ['objectives', 0, 'needs'], code: 'objective.pattern_slow' }],
      });
    });
  });

  it('names the missing setting when no language model can write a draft', async () => {
    const input = { situation: 'A client complains about an invoice.', level: 'intermediate', agentId: null };
    expect(await admin.call('draft-practice', input)).toEqual({
      status: 'unavailable',
      missing: expect.stringContaining('OPENAI_API_KEY'),
    });
  });
}
