import type { LanguageModel, LanguageModelRequest } from '@parley/coach/model';
import { type ContentFinding, ServiceFailure } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import { tables } from '../db/tables.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

const REPLY = { hint: 'Friday', easy: 'Friday, please.', intermediate: '[Could I have Friday off?](ask)', hard: 'x' };
const STEP = { easy: 'Yes?', intermediate: 'Yes, what is it?', hard: 'What can I do for you?', rephrase: ['Tell me.'] };
const END = {
  easy: 'Fine.',
  intermediate: 'Of course.',
  hard: 'By all means.',
  rephrase: [],
  replies: [],
  isEnd: true,
};

/** A practice as a model writes it. */
const aDraft = (change: object = {}) => ({
  title: 'Ask for a day off',
  category: 'Teamwork',
  minutes: 4.6,
  summary: 'Ask your manager for a day off.',
  description: 'You need a day off next week.',
  scenario: 'Your manager is busy.',
  role: 'You work in a small team.',
  words: [{ word: 'leave', meaning: 'time away from work' }],
  objectives: [{ key: 'ask', description: 'Ask politely' }],
  start: 'opening',
  nodes: [
    {
      ...STEP,
      key: 'opening',
      isEnd: false,
      replies: [
        { ...REPLY, to: 'yes', easy: '[Friday, please.](ask)', hard: '[Might I take Friday off?](ask)' },
        { hint: 'nothing', easy: 'No.', intermediate: 'Nothing.', hard: 'Nothing at all.', to: 'no' },
      ],
    },
    { ...END, key: 'yes' },
    { ...END, key: 'no' },
  ],
  ...change,
});

/** `open` gives each server its own database. */
export function draftPracticeSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let admin: ContentAdmin;
  let answers: unknown[] = [];
  const requests: LanguageModelRequest[] = [];
  const model: LanguageModel = {
    name: 'gpt-5-mini',
    stream: () => {
      throw new Error('a draft is not streamed');
    },
    structured: async (request) => {
      requests.push(request);
      await request.onUsage?.({ input: 900, cached: 0, output: 700 });
      const parsed = request.schema.safeParse(answers.shift());
      if (!parsed.success) throw new ServiceFailure('coach', 'malformed');
      return { value: parsed.data };
    },
  };
  beforeAll(async () => {
    const coach = { where: 'openai' as const, model };
    server = await startServer(await open(), {
      ai: {
        services: { coach, transcriber: null, assessor: null, voice: null },
        dailyLimitUsd: null,
        isMetered: false,
      },
    });
    admin = await openContentAdmin(server);
  });
  beforeEach(() => void requests.splice(0));
  afterAll(() => server.close());

  interface Drafted {
    status: string;
    document: { title: string; minutes: number };
    findings: ContentFinding[];
  }
  const input = { situation: 'A nurse wants Friday off.', level: 'intermediate', agentId: null };
  const draft = (...scripted: unknown[]): Promise<Drafted> => {
    answers = scripted;
    return admin.call<Drafted>('draft-practice', input);
  };
  const errorsOf = ({ findings }: Drafted) => findings.filter(({ severity }) => severity === 'error');

  describe('a practice that a model drafts', () => {
    it('passes the validator except for the coach, whom the author chooses', async () => {
      const drafted = await draft(aDraft());
      expect(drafted).toMatchObject({ status: 'drafted', document: { title: 'Ask for a day off', minutes: 5 } });
      expect(errorsOf(drafted).map(({ path }) => path)).toEqual([['agentId']]);
      expect(requests).toHaveLength(1);
      expect(JSON.stringify(requests[0]?.messages)).toContain('A nurse wants Friday off.');
    });

    it('is written again with its problems, and the better version is kept', async () => {
      const deadEnd = aDraft({ nodes: [{ ...STEP, key: 'opening', isEnd: false, replies: [] }] });
      const drafted = await draft(deadEnd, aDraft());
      expect(errorsOf(drafted)).toHaveLength(1);
      expect(requests).toHaveLength(2);
      expect(JSON.stringify(requests[1]?.messages)).toContain('needs at least two steps');
      const worse = await draft(aDraft({ title: '' }), deadEnd);
      expect(errorsOf(worse).map(({ path }) => path)).toContainEqual(['title']);
    });

    it('is nothing when the model does not write one', async () => {
      expect(await draft({ title: 'no practice' }, 'prose')).toEqual({ status: 'unusable' });
      expect(await draft(aDraft({ title: 'x'.repeat(10_000) }), aDraft({ minutes: 1_000 }))).toEqual({
        status: 'unusable',
      });
    });

    it('is never published or stored automatically', async () => {
      const count = async (): Promise<number[]> => {
        const { total } = await admin.call<{ total: number }>('list', { kind: 'practice' });
        return [total, await server.database.db.$count(tables.practices)];
      };
      const before = await count();
      await draft(aDraft());
      expect(await count()).toEqual(before);
    });

    it('needs a situation', async () => {
      expect((await admin.tryCall('draft-practice', { ...input, situation: ' short ' })).status).toBe(400);
      expect(requests).toHaveLength(0);
    });

    it('is recorded with its cost', async () => {
      await draft(aDraft());
      const used = await server.database.db
        .select()
        .from(aiUsage)
        .where(eq(aiUsage.userId, admin.device.userId as never));
      expect(used.at(-1)).toMatchObject({ use: 'draft', model: 'gpt-5-mini', costMicros: expect.any(Number) });
      expect(used.at(-1)?.costMicros).toBeGreaterThan(0);
    });
  });
}
