/** Plays a machine that was not updated: edits as its old app makes them, and a protocol that has a successor. */
import { entities, formatHybridTime } from '@parley/domain';
import type { Line } from '../line/line.ts';
import type { Edit, OutboxEntry, Wire } from '../messages.ts';
import type { EditMoment } from '../model/change.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import type { Row } from '../oracle/edit.ts';
import type { OldClientPlan, Step } from '../plan/plan.ts';
import type { Random } from '../random.ts';
import { createScriptedClient, type ScriptedClient } from '../scripted-client.ts';
import type { Credentials } from '../server-reader.ts';
import type { World } from './world.ts';

export interface OldClient {
  client: ScriptedClient;
  deviceId: string;
  line: Line;
  play: (steps: readonly Step[]) => Promise<void>;
  sync: () => Promise<boolean>;
  /** What the server refused, as its own list would show it. */
  shown: Map<string, { code: string; fields: Row }>;
  /** `entireConversation` by session, as the server has told it. */
  conversations: () => Map<string, Row[]>;
}

type Asked = Pick<OutboxEntry, 'table' | 'rowId' | 'op' | 'fields' | 'creates'>;

const SESSIONS = entities.practiceHistory.name;
const TURNS = entities.aiConversations.name;
const ENROLMENTS = entities.enrollments.name;
const WORD_LIST = entities.pronunciationImprovementSummary.name;

export function createOldClient(
  world: World,
  parts: { plan: OldClientPlan; line: Line; credentials: Credentials; model: LearnerModel; random: Random },
): OldClient {
  const { line, model, random } = parts;
  const { deviceId, userId } = parts.credentials;
  const client = createScriptedClient(line.url, parts.credentials, world.document);
  const shown: OldClient['shown'] = new Map();
  const sent = new Map<string, OutboxEntry>();
  /** What it made of its rows since the server last told them. */
  const own = new Map<string, Wire>();
  const hasSteadyClock = parts.plan.skewMs === 0 && parts.plan.steps.every((step) => step.do !== 'skew');
  let skewMs = parts.plan.skewMs;
  let lastMs = 0;
  let seenMs = 0;

  const rowOf = (table: string, rowId: string): Row | undefined => {
    const [told, mine] = [client.pages.rows.get(`${table} ${rowId}`), own.get(`${table} ${rowId}`)];
    return told === undefined && mine === undefined ? undefined : { ...told, ...mine };
  };
  const isHeld = (table: string, rowId: string): boolean => rowOf(table, rowId) !== undefined;
  const change = (table: string, rowId: string, fields: Wire): Asked[] =>
    isHeld(table, rowId) ? [{ table, rowId, op: 'upsert', fields, creates: false }] : [];
  const creation = (table: string, key: string, rowId: string, fields: Wire): Asked[] => {
    const { interactionId } = fields;
    if (isHeld(table, rowId)) return [];
    if (typeof interactionId === 'string' && !isHeld(entities.userCourseInteraction.name, interactionId)) return [];
    return [{ table, rowId, op: 'upsert', fields: { ...fields, [key]: rowId, userId }, creates: true }];
  };

  function toChanges(edit: Edit): Asked[] {
    switch (edit.op) {
      case 'insert': {
        const { name, key } = entities[edit.key];
        const whole = edit.key === 'practiceHistory' ? { entireConversation: [] } : {};
        return creation(name, key, edit.rowId, { ...edit.values, ...whole });
      }
      case 'update':
        return changeRow(edit);
      case 'delete':
        return isHeld(entities[edit.key].name, edit.rowId)
          ? [{ table: entities[edit.key].name, rowId: edit.rowId, op: 'delete', fields: {}, creates: false }]
          : [];
      case 'turn':
        return addTurn(edit);
      case 'fill':
        return fillIn(edit);
      case 'finish':
        return rankOf(edit.values['status']) < rankOf(rowOf(SESSIONS, edit.sessionId)?.['status'])
          ? []
          : change(SESSIONS, edit.sessionId, { ...edit.values, pausedAt: null });
      case 'objective': {
        const completed = (rowOf(SESSIONS, edit.sessionId)?.['completedObjectives'] ?? []) as Wire[];
        const isNew = completed.every(({ objectiveId }) => objectiveId !== edit.entry['objectiveId']);
        return isNew ? change(SESSIONS, edit.sessionId, { completedObjectives: [...completed, edit.entry] }) : [];
      }
      case 'enrol': {
        const { courseId, enrollmentDate } = edit;
        const isEnrolled = enrolments().some((row) => row['courseId'] === courseId);
        return isEnrolled ? [] : creation(ENROLMENTS, 'enrollmentId', random.uuid(), { courseId, enrollmentDate });
      }
      case 'leave': {
        const row = enrolments().find(({ courseId }) => courseId === edit.courseId);
        const rowId = String(row?.['enrollmentId']);
        return row === undefined ? [] : [{ table: ENROLMENTS, rowId, op: 'delete', fields: {}, creates: false }];
      }
      case 'words':
        return practise(edit);
    }
  }

  const enrolments = (): Row[] =>
    [...new Set([...client.pages.rows.keys(), ...own.keys()])]
      .filter((key) => key.startsWith(`${ENROLMENTS} `))
      .flatMap((key): Row[] => {
        const row = rowOf(ENROLMENTS, key.split(' ')[1] ?? '');
        return row === undefined ? [] : [row];
      })
      .filter((row) => (row['deletedAt'] ?? null) === null);

  function changeRow(edit: Extract<Edit, { op: 'update' }>): Asked[] {
    const { name } = entities[edit.key];
    const rowId = edit.rowId ?? userId;
    const fields = { ...edit.values };
    const row = rowOf(name, rowId);
    if (Number(fields['duration'] ?? 0) <= Number(row?.['duration'] ?? 0)) delete fields['duration'];
    if (row?.['status'] !== 'in_progress') delete fields['pausedAt'];
    return Object.keys(fields).length === 0 ? [] : change(name, rowId, fields);
  }

  const conversationOf = (sessionId: string): Wire[] =>
    (rowOf(SESSIONS, sessionId)?.['entireConversation'] ?? []) as Wire[];

  /** An old app keeps a turn in two places: the conversation as a whole, and a row of its own. */
  function addTurn({ rowId, sessionId, values }: Extract<Edit, { op: 'turn' }>): Asked[] {
    const { role, content, saidAt, node, kind, mode, fitted, hintLevel, interactionId } = values;
    const base = { role, turnId: rowId, at: saidAt, text: content === '' ? 'Hello' : content, node };
    const turn =
      role === 'coach' ? { ...base, kind } : { ...base, mode, fitted, recordingId: null, assessment: null, hintLevel };
    const row = { interactionId, courseId: null, content: base.text, role } as Wire;
    const inConversation = change(SESSIONS, sessionId, {
      entireConversation: [...conversationOf(sessionId), turn as Wire],
    });
    const alone = creation(TURNS, 'conversationId', rowId, row);
    return inConversation.length === 0 || alone.length === 0 ? [] : [...inConversation, ...alone];
  }

  function fillIn({ rowId, values }: Extract<Edit, { op: 'fill' }>): Asked[] {
    const sessionId = [...client.pages.rows.values()].find((row) =>
      (row['entireConversation'] as Row[] | undefined)?.some(({ turnId }) => turnId === rowId),
    )?.['id'];
    const conversation = typeof sessionId === 'string' ? conversationOf(sessionId) : [];
    const isEmpty = conversation.some(({ turnId, text }) => turnId === rowId && text === '');
    if (!isEmpty || typeof values['content'] !== 'string') return [];
    const text = values['content'];
    const filled = conversation.map((turn) => (turn['turnId'] === rowId ? { ...turn, text } : turn));
    return change(SESSIONS, String(sessionId), { entireConversation: filled });
  }

  /** The whole list, without the counts of devices. */
  function practise({ words, accuracy }: Extract<Edit, { op: 'words' }>): Asked[] {
    const held = rowOf(WORD_LIST, userId);
    const list = ((held?.['words'] ?? []) as Wire[]).map(({ counts: _counts, ...entry }) => entry as Wire);
    const lastPracticedAt = new Date(Date.now() + skewMs).toISOString();
    for (const word of words) {
      const known = list.find((entry) => entry['word'] === word);
      if (known !== undefined) Object.assign(known, { attempts: Number(known['attempts']) + 1, lastPracticedAt });
      else
        list.push({
          word,
          ipa: '',
          attempts: 1,
          meanAccuracy: accuracy,
          worstPhonemes: [],
          lastPracticedAt,
          due: null,
          stability: null,
          difficulty: null,
        });
    }
    return held === undefined
      ? creation(WORD_LIST, 'id', userId, { words: list })
      : change(WORD_LIST, userId, { words: list });
  }

  function edit(wanted: Edit): void {
    const asked = toChanges(wanted);
    if (asked.length === 0) return world.counts.add('edits absent');
    for (const one of asked) {
      lastMs = Math.max(lastMs + 1, Date.now() + skewMs);
      const createdAt = new Date(lastMs).toISOString();
      const fields = one.creates ? { ...one.fields, createdAt } : one.fields;
      const at = formatHybridTime({ ms: lastMs, counter: 0, deviceId });
      const entry: OutboxEntry = { ...one, fields, mutationId: random.uuid(), at };
      const key = `${one.table} ${one.rowId}`;
      own.set(key, { ...own.get(key), ...fields, deletedAt: one.op === 'delete' ? createdAt : null });
      client.queue(entry);
      sent.set(entry.mutationId, entry);
      const madeMs = Date.now();
      const moment: EditMoment = { madeMs, trueMs: hasSteadyClock ? madeMs : null, seenMs };
      model.adopt(entry, deviceId, moment, { isOldApp: true });
    }
    world.counts.add('edits of the old app');
    return world.counts.add('edits acknowledged');
  }

  async function sync(): Promise<boolean> {
    const startMs = Date.now();
    const outcomes = await client.sync();
    for (const { id, status, code } of outcomes ?? []) {
      if (status !== 'rejected') continue;
      shown.set(id, { code: code ?? '', fields: sent.get(id)?.fields ?? {} });
      model.reject(id, code ?? '');
    }
    model.settle(deviceId, client.waiting, Date.now());
    if (outcomes === null) return false;
    seenMs = startMs;
    if (client.waiting.length === 0) own.clear();
    return true;
  }

  return {
    client,
    deviceId,
    line,
    shown,
    sync,
    conversations: () =>
      new Map(
        [...client.pages.rows.values()].flatMap((row): [string, Row[]][] =>
          Array.isArray(row['entireConversation']) ? [[String(row['id']), row['entireConversation'] as Row[]]] : [],
        ),
      ),
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

const RANKS: readonly string[] = ['in_progress', 'failed_to_generate_score', 'completed'];
const rankOf = (status: unknown): number => RANKS.indexOf(String(status));
