/** Registers anonymous accounts on the server under attack, for attackers and for honest learners. */
import { formatHybridTime } from '@parley/domain';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { DeviceCredentials, SYNC_PROTOCOL } from '@parley/contract';
import { z } from 'zod';
import type { Target } from './target.ts';

export interface Change {
  table: string;
  rowId: string;
  fields: object;
  op?: 'upsert' | 'delete';
}

export interface AttackAccount {
  userId: string;
  deviceId: string;
  authorization: string;
  /** Sends the changes in one gzipped push, as the app does. Resolves to the status, body and bytes on the wire. */
  push: (changes: readonly Change[]) => Promise<{ status: number; wireBytes: number; body: unknown }>;
  /** Request body of a stream from the beginning. */
  streamBody: string;
}

export interface CatalogueIds {
  practiceId: string;
  agentId: string;
}

const Line = z.looseObject({
  tables: z
    .array(z.object({ table: z.string(), fields: z.array(z.string()), rows: z.array(z.array(z.unknown())) }))
    .optional(),
});

export async function registerAccount({ url }: Pick<Target, 'url'>): Promise<AttackAccount> {
  const answer = await fetch(`${url}/v1/devices/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ deviceId: randomUUID(), userId: randomUUID(), name: 'Attack', platform: 'other' }),
  });
  const { userId, deviceId, token } = DeviceCredentials.parse(await answer.json());
  const authorization = `Bearer ${token}`;
  let lastSeq = 0;
  return {
    userId,
    deviceId,
    authorization,
    async push(changes) {
      const now = new Date();
      const mutations = changes.map(({ op = 'upsert', ...change }) => {
        lastSeq += 1;
        const at = formatHybridTime({ ms: now.getTime(), counter: lastSeq % 65_536, deviceId });
        return { ...change, op, id: randomUUID(), deviceSeq: lastSeq, at, base: 0 };
      });
      const body = gzipSync(
        JSON.stringify({ protocol: SYNC_PROTOCOL, deviceId, epoch: null, now: now.toISOString(), mutations }),
      );
      const pushed = await fetch(`${url}/v1/sync/push`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', authorization },
        body,
      });
      return { status: pushed.status, wireBytes: body.byteLength, body: await pushed.json() };
    },
    streamBody: JSON.stringify({
      protocol: SYNC_PROTOCOL,
      deviceId,
      epoch: null,
      cursors: { catalogue: 0, user: 0, older: null },
      answeredSeq: 0,
    }),
  };
}

/** Finds a practice and a coach in the catalogue. */
export async function findPractice(target: Pick<Target, 'url'>, account: AttackAccount): Promise<CatalogueIds> {
  const tables = (await readStream(target, account))
    .split('\n')
    .flatMap((line) => (line === '' ? [] : (Line.parse(JSON.parse(line)).tables ?? [])));
  const firstValue = (table: string, field: string): string => {
    const { fields, rows } = tables.find((each) => each.table === table && each.rows.length > 0) ?? {};
    return String(rows?.[0]?.[fields?.indexOf(field) ?? -1]);
  };
  return { practiceId: firstValue('practices', 'practiceId'), agentId: firstValue('ai_agent_profiles', 'agentId') };
}

/** Returns the whole stream as text; throws when the request is refused. */
export async function readStream({ url }: Pick<Target, 'url'>, account: AttackAccount): Promise<string> {
  const { authorization, streamBody } = account;
  const answer = await fetch(`${url}/v1/sync/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', authorization },
    body: streamBody,
  });
  if (!answer.ok) throw new Error(`the stream responded with ${answer.status}`);
  return answer.text();
}
