/**
 * A device with the previous app version, which was never updated: it knows no attempt log, counts attempts in one list
 * of words, and speaks protocol 2. The oracle is told what it did and what it last showed.
 */
import { entities, formatHybridTime } from '@parley/domain';
import { z } from 'zod';
import { createProtocol2Client } from '../torture/protocol-2-client.ts';
import { readProtocolDocument } from '../torture/oracle/protocol-document.ts';
import { Credentials, post } from '../torture/read-server.ts';
import type { Random } from '../torture/seeded-random.ts';
import type { OldAppRecord } from './oracle/counted-words.ts';

const LIST = entities.pronunciationImprovementSummary.name;

const Entry = z.looseObject({
  word: z.string(),
  attempts: z.number(),
  meanAccuracy: z.number(),
  lastPracticedAt: z.string(),
  counts: z.unknown().optional(),
});
type Entry = z.infer<typeof Entry>;

export interface OldApp {
  /** Adds an attempt at a word to the list, as the app did after each scored word. */
  practise: (word: string, accuracy: number) => void;
  /** Returns false when the server could not be reached; the same changes are sent again next time. */
  sync: () => Promise<boolean>;
  readonly record: OldAppRecord;
}

export interface PushCounts {
  arrived: number;
  answered: number;
}

export interface OldAppOptions {
  serverUrl: string;
  linkCode: string;
  now: () => Date;
  random: Random;
  /** The pushes of other devices so far. */
  otherPushes: () => PushCounts;
}

export async function joinOldApp({ serverUrl, linkCode, now, random, otherPushes }: OldAppOptions): Promise<OldApp> {
  const deviceId = random.uuid();
  const device = { name: 'A device that was never updated', platform: 'other', deviceId, code: linkCode };
  const joined = await post(serverUrl, '/v1/devices/join', device);
  if (joined.status !== 200) throw new Error(`joining was answered with ${joined.status}: ${String(joined.body)}`);
  const credentials = Credentials.parse(joined.body);
  const { userId } = credentials;
  const client = createProtocol2Client(serverUrl, credentials, readProtocolDocument());
  const record: OldAppRecord = { practised: [], shown: new Map(), certain: new Map(), list: new Map(), rejected: 0 };
  /** Null while the list is as the server last sent it. */
  let ownList: Entry[] | null = null;
  /** Attempts that no push has brought to the server yet. */
  let unsent: string[] = [];
  /** How many pushes of other devices had been answered when the last pull began; null before the first. */
  let pushesAtPull: number | null = null;
  let lastMs = 0;

  const serverList = (): Entry[] | null => {
    const row = client.serverRows.rows.get(`${LIST} ${userId}`);
    return row === undefined ? null : z.array(Entry).parse(row['words']);
  };

  const show = (word: string, attempts: number): void =>
    void record.shown.set(word, Math.max(record.shown.get(word) ?? 0, attempts));

  function practise(word: string, accuracy: number): void {
    const isNew = ownList === null && serverList() === null;
    const list = (ownList ?? serverList() ?? []).map(({ counts: _counts, ...entry }): Entry => ({ ...entry }));
    const known = list.find((entry) => entry.word === word);
    const at = now();
    const lastPracticedAt = at.toISOString();
    const { attempts, meanAccuracy } = known ?? { attempts: 0, meanAccuracy: 0 };
    const counted = {
      attempts: attempts + 1,
      meanAccuracy: Math.round(((attempts * meanAccuracy + accuracy) / (attempts + 1)) * 10) / 10,
      lastPracticedAt,
    };
    if (known === undefined) list.push({ ...EMPTY_ENTRY, word, ...counted });
    else Object.assign(known, counted);
    ownList = list;
    lastMs = Math.max(lastMs + 1, at.getTime());
    client.queue({
      mutationId: random.uuid(),
      table: LIST,
      rowId: userId,
      op: 'upsert',
      fields: z
        .record(z.string(), z.json())
        .parse({ words: list, ...(isNew && { id: userId, userId, createdAt: lastPracticedAt }) }),
      creates: isNew,
      at: formatHybridTime({ ms: lastMs, counter: 0, deviceId }),
    });
    record.practised.push(word);
    unsent.push(word);
    show(word, counted.attempts);
  }

  async function sync(): Promise<boolean> {
    const pushesBefore = otherPushes().answered;
    const outcomes = await client.sync();
    if (outcomes === null) return false;
    // Every push of another device was applied before the list was pulled, so the server can tell exactly what is new in it.
    const isAlone = pushesAtPull === otherPushes().arrived;
    record.rejected += outcomes.filter(({ status }) => status === 'rejected').length;
    if (isAlone) for (const word of unsent) record.certain.set(word, (record.certain.get(word) ?? 0) + 1);
    unsent = [];
    ownList = null;
    pushesAtPull = pushesBefore;
    record.list.clear();
    for (const { word, attempts } of serverList() ?? []) {
      record.list.set(word, attempts);
      show(word, attempts);
    }
    return true;
  }

  return { practise, sync, record };
}

const EMPTY_ENTRY = { ipa: '', worstPhonemes: [], due: null, stability: null, difficulty: null } as const;
