/** Plays a machine that was not updated: edits as its old app makes them, and a protocol that has a successor. */
import { entities, formatHybridTime } from '@parley/domain';
import type { Line } from '../line/line.ts';
import type { Edit, OutboxEntry } from '../messages.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import type { OldClientPlan, Step } from '../plan/plan.ts';
import type { Random } from '../random.ts';
import { createScriptedClient, type Credentials, type ScriptedClient } from '../scripted-client.ts';
import type { World } from './world.ts';

export interface OldClient {
  client: ScriptedClient;
  deviceId: string;
  line: Line;
  play: (steps: readonly Step[]) => Promise<void>;
  sync: () => Promise<boolean>;
  /** What the server refused, as its own list would show it. */
  shown: Map<string, { code: string; fields: Record<string, unknown> }>;
}

export function createOldClient(
  world: World,
  parts: { plan: OldClientPlan; line: Line; credentials: Credentials; model: LearnerModel; random: Random },
): OldClient {
  const { line, model, random } = parts;
  const { deviceId, userId } = parts.credentials;
  const client = createScriptedClient(line.url, parts.credentials);
  const shown: OldClient['shown'] = new Map();
  const sent = new Map<string, OutboxEntry>();
  let skewMs = parts.plan.skewMs;
  let lastMs = 0;

  const toEntry = (edit: Edit): OutboxEntry | null => {
    // An old app may keep no list of words, and makes no row under another's.
    if (edit.op === 'word') return null;
    const { name, key } = entities[edit.key];
    const rowId = edit.rowId ?? userId;
    if (edit.op === 'insert' && !('userId' in entities[edit.key].fields)) return null;
    lastMs = Math.max(lastMs + 1, Date.now() + skewMs);
    const at = formatHybridTime({ ms: lastMs, counter: 0, deviceId });
    const change = { mutationId: random.uuid(), table: name, rowId, at };
    if (edit.op === 'delete') return { ...change, op: 'delete', fields: {}, creates: false };
    if (edit.op === 'update') return { ...change, op: 'upsert', fields: edit.values, creates: false };
    const createdAt = new Date(lastMs).toISOString();
    return { ...change, op: 'upsert', fields: { ...edit.values, [key]: rowId, userId, createdAt }, creates: true };
  };

  /** What it does not hold it cannot change. */
  const isHeld = ({ table, rowId }: { table: string; rowId: string }): boolean =>
    table === entities.users.name || client.pages.rows.has(`${table} ${rowId}`) || made.has(`${table} ${rowId}`);
  const made = new Set<string>();

  function edit(wanted: Edit): void {
    const entry = toEntry(wanted);
    if (entry === null || (!entry.creates && !isHeld(entry))) return world.counts.add('edits absent');
    const { interactionId } = entry.fields;
    const table = entities.userCourseInteraction.name;
    if (typeof interactionId === 'string' && !isHeld({ table, rowId: interactionId }))
      return world.counts.add('edits refused');
    made.add(`${entry.table} ${entry.rowId}`);
    client.queue(entry);
    sent.set(entry.mutationId, entry);
    model.adopt(entry, deviceId, Date.now());
    return world.counts.add('edits acknowledged');
  }

  async function sync(): Promise<boolean> {
    const outcomes = await client.sync();
    for (const { id, status, code } of outcomes ?? []) {
      if (status !== 'rejected') continue;
      shown.set(id, { code: code ?? '', fields: sent.get(id)?.fields ?? {} });
      model.reject(id, code ?? '');
    }
    model.settle(deviceId, client.waiting, Date.now());
    return outcomes !== null;
  }

  return {
    client,
    deviceId,
    line,
    shown,
    sync,
    play: async (steps) => {
      world.counts.add('old_client');
      for (const step of steps) {
        if (step.do === 'edit') edit(step.edit);
        else if (step.do === 'sync') await sync();
        else if (step.do === 'line') line.arm(step.fault);
        else if (step.do === 'offline') line.setOffline(step.isOffline);
        else if (step.do === 'skew') skewMs = step.skewMs;
        else if (step.do === 'killServer') world.killServer(step.downMs);
      }
    },
  };
}
