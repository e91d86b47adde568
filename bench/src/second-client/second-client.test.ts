/** Tests the second client against a real server process, which shows that docs/protocol.md is enough to write a client. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyProxy, openFaultyProxy } from '../torture/proxy/faulty-proxy.ts';
import { openServerStarter, type RunningServer } from '../torture/server-starter.ts';
import { createSecondClient, enrolmentId, type SecondClient } from './index.ts';

const dir = join(tmpdir(), `parley-second-client-${randomUUID()}`);
const place = { DATA_DIR: join(dir, 'server') };
const starter = openServerStarter(join(dir, 'code'));
const DAY_MS = 24 * 3_600_000;
const TIMEOUT_MS = 60_000;
let server: RunningServer;
let line: FaultyProxy;

const now = (): string => new Date().toISOString();
const clientOn = (skewMs = 0): SecondClient => createSecondClient({ url: line.url, now: () => Date.now() + skewMs });
const anyRowOf = ({ catalogue }: SecondClient, table: string): string =>
  [...catalogue.keys()].find((key) => key.startsWith(`${table} `))?.split(' ')[1] ?? '';

function aSession(client: SecondClient): { sessionId: string; interactionId: string } {
  const [sessionId, interactionId] = [randomUUID(), randomUUID()];
  const owned = { createdAt: now(), userId: client.userId };
  client.edit('user_course_interaction', interactionId, {
    ...owned,
    interactionId,
    courseId: null,
    interactionType: 'practice',
    timestamp: now(),
    details: {
      sessionId,
      practiceId: null,
      videoId: null,
      courseSectionId: null,
    },
  });
  client.edit('practice_history', sessionId, {
    ...owned,
    id: sessionId,
    practiceId: anyRowOf(client, 'practices'),
    agentId: anyRowOf(client, 'ai_agent_profiles'),
    feedback: null,
    score: null,
    accuracyScore: null,
    fluencyScore: null,
    prosodyScore: null,
    completenessScore: null,
    pronScore: null,
    wordsScore: null,
    completedObjectives: [],
    duration: 5,
    communicationStyle: 'text',
    status: 'in_progress',
    summary: null,
    difficulty: 'easy',
    pausedAt: null,
  });
  return { sessionId, interactionId };
}

function say(client: SecondClient, at: { sessionId: string; interactionId: string }, content: string): string {
  const turnId = randomUUID();
  const previousTurnId = client.conversation(at.sessionId).at(-1)?.turnId ?? null;
  client.edit('ai_conversations', turnId, {
    ...at,
    createdAt: now(),
    conversationId: turnId,
    userId: client.userId,
    courseId: null,
    content,
    role: 'learner',
    previousTurnId,
    saidAt: now(),
    node: null,
    kind: null,
    mode: 'typed',
    fitted: true,
    recordingId: null,
    hintLevel: 0,
    assessment: null,
  });
  return turnId;
}

const aWord = (client: SecondClient, attempts: number) => ({
  word: 'rural',
  ipa: '',
  attempts,
  meanAccuracy: 50,
  worstPhonemes: [],
  lastPracticedAt: now(),
  due: null,
  stability: null,
  difficulty: null,
  counts: {
    [client.deviceId]: {
      attempts,
      meanAccuracy: 50,
    },
  },
});

async function syncAll(...clients: SecondClient[]): Promise<void> {
  for (const client of [...clients, ...clients]) expect(await client.sync()).toBe('idle');
}

async function twoDevices(): Promise<[SecondClient, SecondClient]> {
  const [first, second] = [clientOn(), clientOn(-DAY_MS)];
  await first.register();
  await second.join(await first.createLinkCode());
  await syncAll(first, second);
  return [first, second];
}

// If these tests do not run, nothing deletes the folder, so nothing may create it.
beforeAll(async () => {
  mkdirSync(dir, { mode: 0o700 });
  server = await starter.start(place);
  // The port of the server changes with each start, but that of the proxy does not.
  line = await openFaultyProxy({
    serverPort: () => server.port,
    onFault: () => undefined,
    onUnexpectedResponse: () => undefined,
  });
}, TIMEOUT_MS);

afterAll(async () => {
  await line.close();
  await starter.close();
});

async function restart(whileStopped: () => void): Promise<void> {
  await server.stop();
  whileStopped();
  server = await starter.start(place);
}

describe('the second client', { tags: ['slow'], timeout: TIMEOUT_MS }, () => {
  it('shows both continuations of a session that two devices continued', async () => {
    const [first, second] = await twoDevices();
    const session = aSession(first);
    say(first, session, 'one');
    await syncAll(first, second);
    const late = say(first, session, '');
    say(second, session, 'two');
    say(second, session, 'three');
    await syncAll(first, second);
    first.edit('ai_conversations', late, { content: 'late words' });
    await syncAll(first, second);
    const textsOf = (client: SecondClient) =>
      client.conversation(session.sessionId).map(({ text, continuation }) => [text, continuation ?? 0]);
    const [one, ...others] = textsOf(first);
    expect(one).toEqual(['one', 0]);
    expect(others.map(([text]) => text).toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      'late words',
      'three',
      'two',
    ]);
    expect(textsOf(second)).toEqual(textsOf(first));
  });

  it('adds up the attempts of both devices at a word', async () => {
    const [first, second] = await twoDevices();
    for (const [client, attempts] of [[first, 2] as const, [second, 20] as const]) {
      const list = { createdAt: now(), id: first.userId, userId: first.userId, words: [aWord(client, attempts)] };
      client.edit('pronunciation_improvement_summary', first.userId, list);
    }
    await syncAll(first, second);
    for (const client of [first, second])
      expect(client.row('pronunciation_improvement_summary', first.userId)?.['words']).toMatchObject([
        { word: 'rural', attempts: 22 },
      ]);
    expect(first.setAside).toEqual([]);
  });

  it('merges two enrolments into one row and revives it after leaving', async () => {
    const [first, second] = await twoDevices();
    const courseId = anyRowOf(first, 'courses');
    const rowId = enrolmentId(first.userId, courseId);
    const enrol = (client: SecondClient) =>
      client.edit('enrollments', rowId, {
        createdAt: now(),
        enrollmentId: rowId,
        userId: first.userId,
        courseId,
        enrollmentDate: now(),
      });
    enrol(first);
    enrol(second);
    await syncAll(first, second);
    first.remove('enrollments', rowId);
    await syncAll(first, second);
    expect(second.row('enrollments', rowId)?.['deletedAt']).not.toBeNull();
    enrol(second);
    await syncAll(first, second);
    expect(first.row('enrollments', rowId)).toEqual(second.row('enrollments', rowId));
    expect(first.row('enrollments', rowId)?.['deletedAt']).toBeNull();
  });

  it('gives a restored server its lost rows back with their original times', async () => {
    const [first, second] = await twoDevices();
    const session = aSession(first);
    await syncAll(first, second);
    await restart(() => cpSync(place.DATA_DIR, join(dir, 'backup'), { recursive: true }));
    say(first, session, 'after the backup');
    first.edit('users', first.userId, { jobTitle: 'older' });
    await syncAll(first, second);
    await restart(() => {
      rmSync(place.DATA_DIR, { recursive: true });
      cpSync(join(dir, 'backup'), place.DATA_DIR, { recursive: true });
    });
    second.edit('users', first.userId, { jobTitle: 'newer' });
    await syncAll(second, first);
    await syncAll(second, first);
    for (const client of [first, second]) {
      expect(client.conversation(session.sessionId).map(({ text }) => text)).toEqual(['after the backup']);
      expect(client.row('users', first.userId)?.['jobTitle']).toBe('newer');
    }
    expect([...first.setAside, ...second.setAside]).toEqual([]);
  });
});
