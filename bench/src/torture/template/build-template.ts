/** Builds the template that every run copies: a server with two learners, one with a long history, and their synced devices. */
import { formatHybridTime } from '@parley/domain';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MAX_DEVICES } from '../arguments.ts';
import type { CatalogueIds } from '../plan/catalogue-ids.ts';
import { drawSession } from '../plan/draw-values.ts';
import { Empty, Opened, Synced } from '../messages.ts';
import type { ProcessPool } from '../process-pool.ts';
import { seededRandom } from '../seeded-random.ts';
import { readProtocolDocument } from '../oracle/protocol-document.ts';
import { Credentials, post, readServerRows, type ServerRows } from '../read-server.ts';
import type { ServerStarter } from '../server-starter.ts';
import type { ServerDatabases } from './server-databases.ts';
import { makeOldDatabase } from './make-old-database.ts';
import { makeOldFolder } from './make-old-folder.ts';

export interface TemplateLearner {
  userId: string;
  /** As many devices as a run can have. */
  hosts: Credentials[];
  /** A device that was never updated. */
  oldClient: Credentials;
  /** A device that belongs to the learner but is malicious. */
  adversary: Credentials;
  /** A device with a later version of the app. */
  newerApp: Credentials;
  /** The rows of the server before any run. */
  serverRows: ServerRows;
  historyIds: string[];
  /** An interaction that turns can refer to. */
  interactionId: string;
}

export interface Template {
  learners: [TemplateLearner, TemplateLearner];
  hostDir: (learner: number, host: number, isOld: boolean) => string;
  /** The folder of a device that was started once and has no account. */
  newDeviceDir: string;
}

/** More than one page, so that a first sync can be cut between two pages. */
const HISTORY_ROWS = 1_020;
const OTHER_HISTORY_ROWS = 5;
const PUSH_ROWS = 400;
/** Older than any edit of a run, whatever the clock of its device. */
const HISTORY_MS = 1;
export const OTHER_DEVICES = 2;
const SEED = 20_261_121;
const UNREACHABLE = 'http://127.0.0.1:9';

export async function buildTemplate(parts: {
  dir: string;
  databases: ServerDatabases;
  starter: ServerStarter;
  pool: ProcessPool;
  ids: CatalogueIds;
}): Promise<Template> {
  const { dir, starter, ids } = parts;
  const place = await parts.databases.createTemplateStorage();
  const random = seededRandom(SEED);
  const hostDir: Template['hostDir'] = (learner, host, isOld) =>
    join(dir, `device-${learner}-${host}${isOld ? '-old' : ''}`);
  const newDeviceDir = join(dir, 'device-new');

  const makeLearner = async (url: string, learner: number): Promise<TemplateLearner> => {
    const userId = random.uuid();
    const seeder = await register(url, userId, random.uuid());
    const hosts: Credentials[] = [];
    for (let host = 0; host < (learner === 0 ? MAX_DEVICES : OTHER_DEVICES); host += 1)
      hosts.push(await joinAccount(url, seeder, random.uuid()));
    const oldClient = await joinAccount(url, seeder, random.uuid());
    const adversary = await joinAccount(url, seeder, random.uuid());
    const newerApp = await joinAccount(url, seeder, random.uuid());
    const interactionId = random.uuid();
    const rows = learner === 0 ? HISTORY_ROWS : OTHER_HISTORY_ROWS;
    const historyIds = Array.from({ length: rows }, () => random.uuid());
    const createdAt = new Date(HISTORY_MS).toISOString();
    const created = [
      {
        table: 'user_course_interaction',
        rowId: interactionId,
        fields: {
          interactionId,
          userId,
          courseId: null,
          interactionType: 'practice',
          timestamp: createdAt,
          createdAt,
          details: {
            sessionId: null,
            practiceId: null,
            videoId: null,
            courseSectionId: null,
          },
        },
      },
      ...historyIds.map((rowId) => ({
        table: 'practice_history',
        rowId,
        fields: { ...drawSession(random, ids), id: rowId, userId, createdAt },
      })),
    ];
    for (let from = 0; from < created.length; from += PUSH_ROWS) {
      const mutations = created.slice(from, from + PUSH_ROWS).map((row, index) => ({
        ...row,
        id: random.uuid(),
        deviceSeq: from + index + 1,
        op: 'upsert',
        base: 0,
        at: formatHybridTime({ ms: HISTORY_MS, counter: index, deviceId: seeder.deviceId }),
      }));
      const request = { protocol: 3, deviceId: seeder.deviceId, epoch: null, now: new Date().toISOString(), mutations };
      await postOrThrow(url, '/v1/sync/push', request, seeder.token);
    }
    const serverRows = await readServerRows(url, readProtocolDocument(), seeder);
    return { userId, hosts, oldClient, adversary, newerApp, serverRows, historyIds, interactionId };
  };

  const syncNewDevice = async (url: string, deviceDir: string, credentials: Credentials | null): Promise<void> => {
    await mkdir(deviceDir, { recursive: true });
    if (credentials !== null) await writeFile(join(deviceDir, 'device-token.json'), JSON.stringify(credentials));
    const process = parts.pool.acquire();
    await process.ask({ type: 'open', dir: deviceDir, url, chanceSeed: 1, skewMs: 0 }, Opened);
    const { state, waiting } = await process.ask({ type: 'sync' }, Synced);
    if (credentials !== null && (state !== 'idle' || waiting.length > 0))
      throw new Error(`a device of the template does not sync: ${state}`);
    await process.ask({ type: 'close' }, Empty);
    parts.pool.release(process);
  };

  const first = await starter.start(place);
  const url = `http://127.0.0.1:${first.port}`;
  const own = await makeLearner(url, 0);
  await first.stop();
  // The server allows a caller twenty account requests per minute, and a restart resets that count.
  const second = await starter.start(place);
  const nextUrl = `http://127.0.0.1:${second.port}`;
  const other = await makeLearner(nextUrl, 1);
  for (const [learner, { hosts }] of [own, other].entries())
    for (const [host, credentials] of hosts.entries())
      await syncNewDevice(nextUrl, hostDir(learner, host, false), credentials);
  await syncNewDevice(UNREACHABLE, newDeviceDir, null);
  await second.stop();
  for (const [learner, { hosts }] of [own, other].entries())
    for (const host of hosts.keys()) makeOldFolder(hostDir(learner, host, false), hostDir(learner, host, true));
  await parts.databases.createOldTemplate(makeOldDatabase);
  return { learners: [own, other], hostDir, newDeviceDir };
}

const aDevice = { name: 'A device of a template', platform: 'other' };

async function postOrThrow(url: string, path: string, body: unknown, token?: string): Promise<unknown> {
  const answer = await post(url, path, body, token);
  if (answer.status !== 200) throw new Error(`${path} responded with ${answer.status}: ${String(answer.body)}`);
  return answer.body;
}

const register = async (url: string, userId: string, deviceId: string): Promise<Credentials> =>
  Credentials.parse(await postOrThrow(url, '/v1/devices/register', { ...aDevice, userId, deviceId }));

async function joinAccount(url: string, first: Credentials, deviceId: string): Promise<Credentials> {
  const { code } = z
    .object({ code: z.string() })
    .parse(await postOrThrow(url, '/v1/devices/link-code', {}, first.token));
  return Credentials.parse(await postOrThrow(url, '/v1/devices/join', { ...aDevice, deviceId, code }));
}
