import type { LanguageModel, LanguageModelRequest } from '@parley/coach/model';
import { emptyDocument, ServiceFailure } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import type { Synthesiser } from '../ports/speech/index.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

const DOCUMENT = {
  ...emptyDocument('coach'),
  name: 'Nia',
  communicationStyle: 'Asks short questions and waits.',
  characterTraits: ['patient'],
};
const VOICE = { gender: 'female', locale: 'en-IE', rate: 1.1, pitch: 0.9 } as const;
const PIECE_BYTES = 12_000;

/** `open` gives each server its own database. */
export function tryCoachSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let plainServer: TestServer;
  let admin: ContentAdmin;
  let plainAdmin: ContentAdmin;
  const answers: (string | ServiceFailure)[] = [];
  const requests: LanguageModelRequest[] = [];
  const utterances: object[] = [];
  const model: LanguageModel = {
    name: 'gpt-5-mini',
    async *stream(request) {
      requests.push(request);
      const answer = answers.shift() ?? '';
      if (answer instanceof ServiceFailure) throw answer;
      yield { type: 'text', text: answer };
      await request.onUsage?.({ input: 900, cached: 0, output: 30 });
      yield { type: 'done' };
    },
    structured: () => {
      throw new Error('a first talk has no objectives to judge');
    },
  };
  const synthesiser: Synthesiser = {
    name: 'gpt-4o-mini-tts',
    async *speak({ text, voice, spoken }) {
      utterances.push({ text, voice });
      await spoken();
      yield new Uint8Array(PIECE_BYTES);
      yield new Uint8Array(PIECE_BYTES);
    },
  };
  beforeAll(async () => {
    server = await startServer(await open(), {
      ai: {
        services: {
          coach: { where: 'openai', model },
          transcriber: null,
          assessor: null,
          voice: { where: 'openai', synthesiser },
        },
        dailyLimitUsd: null,
        isMetered: false,
      },
    });
    admin = await openContentAdmin(server);
    plainServer = await startServer(await open());
    plainAdmin = await openContentAdmin(plainServer);
  });
  beforeEach(() => {
    requests.length = 0;
    utterances.length = 0;
  });
  afterAll(async () => {
    await server.close();
    await plainServer.close();
  });

  const opening = { role: 'coach', text: 'Good morning!' };
  const usesOf = (use: 'reply' | 'speak') =>
    server.database.db
      .select()
      .from(aiUsage)
      .where(and(eq(aiUsage.userId, admin.device.userId as never), eq(aiUsage.use, use)));

  describe('a draft of a coach', () => {
    const talk = (turns: object[], answer: string | ServiceFailure = 'Good morning!') => {
      answers.splice(0, answers.length, answer);
      return admin.tryCall('try-coach', { document: DOCUMENT, turns });
    };

    it('begins a first talk, in its own character', async () => {
      expect(await talk([])).toMatchObject({
        status: 200,
        body: { status: 'said', text: 'Good morning!', hasEnded: false },
      });
      const asked = JSON.stringify(requests[0]?.messages);
      for (const words of ['Nia', 'Asks short questions and waits.', 'patient']) expect(asked).toContain(words);
    });

    it('replies to the author’s text', async () => {
      const said = { role: 'learner', text: 'I make bicycles.' };
      expect(await talk([opening, said], 'How interesting!')).toMatchObject({ body: { text: 'How interesting!' } });
      expect(requests[0]?.messages.at(-1)?.text).toContain('I make bicycles.');
    });

    it('ends when the author says goodbye', async () => {
      const said = { role: 'learner', text: 'Thank you. Goodbye!' };
      expect(await talk([opening, said], 'See you soon!<goodbye/>')).toMatchObject({
        body: { text: 'See you soon!', hasEnded: true },
      });
    });

    it('does not answer itself', async () => {
      expect(await talk([opening])).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
      expect(requests).toHaveLength(0);
    });

    it('says that its model cannot be reached', async () => {
      expect(await talk([], new ServiceFailure('coach', 'unreachable'))).toMatchObject({
        body: { code: 'coach.unavailable' },
      });
    });

    it('is recorded with its cost', async () => {
      const before = await usesOf('reply');
      await talk([]);
      const used = await usesOf('reply');
      expect(used).toHaveLength(before.length + 1);
      for (const { model: name, costMicros } of used) {
        expect(name).toBe('gpt-5-mini');
        expect(costMicros).toBeGreaterThan(0);
      }
    });

    it('names the missing setting where there is no language model', async () => {
      expect(await plainAdmin.call('try-coach', { document: DOCUMENT, turns: [] })).toEqual({
        status: 'unavailable',
        missing: expect.stringContaining('OPENAI_API_KEY'),
      });
    });
  });

  describe('a sample of a voice', () => {
    const sample = { text: 'Hello, I’m Nia.', voice: VOICE };

    it('is a sound file in that voice', async () => {
      const { status, wav } = await admin.call<{ status: string; wav: string }>('speak-sample', sample);
      expect(status).toBe('spoken');
      const file = Buffer.from(wav, 'base64');
      const [channels, sampleRateHz, dataBytes] = [file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt32LE(40)];
      expect({ channels, sampleRateHz, dataBytes }).toEqual({
        channels: 1,
        sampleRateHz: 24_000,
        dataBytes: 2 * PIECE_BYTES,
      });
      expect(file).toHaveLength(44 + 2 * PIECE_BYTES);
      expect(utterances).toEqual([sample]);
    });

    it('is recorded with its cost', async () => {
      const before = await usesOf('speak');
      await admin.call('speak-sample', sample);
      const used = await usesOf('speak');
      expect(used).toHaveLength(before.length + 1);
      for (const { model: name, costMicros } of used) {
        expect(name).toBe('gpt-4o-mini-tts');
        expect(costMicros).toBeGreaterThan(0);
      }
    });

    it('of an empty or overlong text is rejected', async () => {
      for (const text of ['', ' ', 'x'.repeat(301)])
        expect((await admin.tryCall('speak-sample', { ...sample, text })).status).toBe(400);
      expect(utterances).toEqual([]);
    });

    it('is left to the computer where there is no voice service', async () => {
      expect(await plainAdmin.call('speak-sample', sample)).toEqual({ status: 'unavailable' });
    });
  });
}
