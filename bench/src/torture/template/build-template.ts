/** Made once a command and copied for every run: a server with two learners, one of them with a long history, and their devices, in step with it. */
import { formatHybridTime } from '@parley/domain';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MAX_DEVICES } from '../arguments.ts';
import type { CatalogueIds } from '../plan/catalogue-ids.ts';
import { sessionValues } from '../plan/draw-values.ts';
import { Nothing, Opened, Synced } from '../messages.ts';
import type { ProcessPool } from '../process-pool.ts';
import { seededRandom } from '../random.ts';
import { readDocument } from '../oracle/protocol-document.ts';
import { Credentials, post, readServer, type ServerRows } from '../server-reader.ts';
import type { ServerStarter } from '../server.ts';
import type { ServerDatabases } from './databases.ts';
import { makeOldDatabase } from './old-database.ts';
import { makeOldFolder } from './old-folder.ts';

export interface TemplateLearner {
  userId: string;
  /** The most devices that a run may have. */
  hosts: Credentials[];
  /** What a machine still speaks that was not updated. */
  oldClient: Credentials;
  /** A device of the learner's own that means harm. */
  rogue: Credentials;
  /** A device of a later version. */
  newApp: Credentials;
  /** The server's rows, before any run. */
  pages: ServerRows;
  historyIds: string[];
  /** One that every turn can hang on. */
  interactionId: string;
}

export interface Template {
  learners: [TemplateLearner, TemplateLearner];
  hostDir: (learner: number, host: number, isOld: boolean) => string;
  /** Of a device that has been started once and knows nobody. */
  newDeviceDir: string;
}

/** More than one page, so that a first sync can be cut between two. */
const HISTORY_ROWS = 1_020;
const OTHER_HISTORY_ROWS = 5;
const PUSH_ROWS = 400;
/** Older than any edit of a run, whatever its device's clock says. */
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
  const place = await parts.databases.templatePlace();
  const random = seededRandom(SEED);
  const hostDir: Template['hostDir'] = (learner, host, isOld) =>
    join(dir, `device-${learner}-${host}${isOld ? '-old' : ''}`);
  const newDeviceDir = join(dir, 'device-new');

  const makeLearner = async (url: string, learner: number): Promise<TemplateLearner> => {
    const userId = random.uuid();
    const seeder = await register(url, userId, random.uuid());
    const hosts: Credentials[] = [];
    for (let host = 0; host < (learner === 0 ? MAX_DEVICES : OTHER_DEVICES); host += 1)
      hosts.push(await link(url, seeder, random.uuid()));
    const oldClient = await link(url, seeder, random.uuid());
    const rogue = await link(url, seeder, random.uuid());
    const newApp = await link(url, seeder, random.uuid());
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
        fields: { ...sessionValues(random, ids), id: rowId, userId, createdAt },
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
    const pages = await readServer(url, readDocument(), seeder);
    return { userId, hosts, oldClient, rogue, newApp, pages, historyIds, interactionId };
  };

  const fill = async (url: string, deviceDir: string, credentials: Credentials | null): Promise<void> => {
    await mkdir(deviceDir, { recursive: true });
    if (credentials !== null) await writeFile(join(deviceDir, 'device-token.json'), JSON.stringify(credentials));
    const process = parts.pool.take();
    await process.ask({ type: 'open', dir: deviceDir, url, chanceSeed: 1, skewMs: 0 }, Opened);
    const { state, waiting } = await process.ask({ type: 'sync' }, Synced);
    if (credentials !== null && (state !== 'idle' || waiting.length > 0))
      throw new Error(`a device of the template does not sync: ${state}`);
    await process.ask({ type: 'close' }, Nothing);
    parts.pool.giveBack(process);
  };

  const first = await starter.start(place);
  const url = `http://127.0.0.1:${first.port}`;
  const own = await makeLearner(url, 0);
  await first.stop();
  // A server allows a caller twenty calls about accounts a minute; one that was started anew has counted none.
  const second = await starter.start(place);
  const nextUrl = `http://127.0.0.1:${second.port}`;
  const other = await makeLearner(nextUrl, 1);
  for (const [learner, { hosts }] of [own, other].entries())
    for (const [host, credentials] of hosts.entries()) await fill(nextUrl, hostDir(learner, host, false), credentials);
  await fill(UNREACHABLE, newDeviceDir, null);
  await second.stop();
  for (const [learner, { hosts }] of [own, other].entries())
    for (const host of hosts.keys()) makeOldFolder(hostDir(learner, host, false), hostDir(learner, host, true));
  await parts.databases.ageTemplate(makeOldDatabase);
  return { learners: [own, other], hostDir, newDeviceDir };
}

const aDevice = { name: 'A device of a template', platform: 'other' };

async function postOrThrow(url: string, path: string, body: unknown, token?: string): Promise<unknown> {
  const answer = await post(url, path, body, token);
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${String(answer.body)}`);
  return answer.body;
}

const register = async (url: string, userId: string, deviceId: string): Promise<Credentials> =>
  Credentials.parse(await postOrThrow(url, '/v1/devices/register', { ...aDevice, userId, deviceId }));

async function link(url: string, first: Credentials, deviceId: string): Promise<Credentials> {
  const { code } = z
    .object({ code: z.string() })
    .parse(await postOrThrow(url, '/v1/devices/link-code', {}, first.token));
  return Credentials.parse(await postOrThrow(url, '/v1/devices/join', { ...aDevice, deviceId, code }));
}
