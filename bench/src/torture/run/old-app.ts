/** Runs a device that was never updated: it edits as the old app does and speaks protocol 2. */
import { entities, formatHybridTime } from '@parley/domain';
import type { FaultyProxy } from '../proxy/faulty-proxy.ts';
import type { Edit, OutboxEntry, Wire } from '../messages.ts';
import type { EditMoment } from '../model/change.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import type { Row } from '../oracle/oracle-edit.ts';
import type { OldClientPlan, Step } from '../plan/plan.ts';
import type { Random } from '../seeded-random.ts';
import { createProtocol2Client, type Protocol2Client } from '../protocol-2-client.ts';
import type { Credentials } from '../read-server.ts';
import type { RunEnvironment } from './run-environment.ts';

export interface OldApp {
  client: Protocol2Client;
  deviceId: string;
  proxy: FaultyProxy;
  play: (steps: readonly Step[]) => Promise<void>;
  sync: () => Promise<boolean>;
  /** Refused changes, as the old app would list them. */
  shownRefusals: Map<string, { code: string; fields: Row }>;
  /** `entireConversation` by session, as the server sent it. */
  conversations: () => Map<string, Row[]>;
}

type RequestedChange = Pick<OutboxEntry, 'table' | 'rowId' | 'op' | 'fields' | 'creates'>;

const SESSIONS = entities.practiceHistory.name;
const TURNS = entities.aiConversations.name;
const ENROLMENTS = entities.enrollments.name;
const WORD_LIST = entities.pronunciationImprovementSummary.name;

export function createOldApp(
  environment: RunEnvironment,
  parts: { plan: OldClientPlan; line: FaultyProxy; credentials: Credentials; model: LearnerModel; random: Random },
): OldApp {
  const { line: proxy, model, random } = parts;
  const { deviceId, userId } = parts.credentials;
  const client = createProtocol2Client(proxy.url, parts.credentials, environment.document);
  const shownRefusals: OldApp['shownRefusals'] = new Map();
  const sent = new Map<string, OutboxEntry>();
  /** Local changes since the rows last came from the server. */
  const localFields = new Map<string, Wire>();
  const hasSteadyClock = parts.plan.skewMs === 0 && parts.plan.steps.every((step) => step.do !== 'skew');
  let skewMs = parts.plan.skewMs;
  let lastMs = 0;
  let seenMs = 0;

  const readRow = (table: string, rowId: string): Row | undefined => {
    const [told, mine] = [client.serverRows.rows.get(`${table} ${rowId}`), localFields.get(`${table} ${rowId}`)];
    return told === undefined && mine === undefined ? undefined : { ...told, ...mine };
  };
  const hasRow = (table: string, rowId: string): boolean => readRow(table, rowId) !== undefined;
  const updateRow = (table: string, rowId: string, fields: Wire): RequestedChange[] =>
    hasRow(table, rowId) ? [{ table, rowId, op: 'upsert', fields, creates: false }] : [];
  const createRow = (table: string, key: string, rowId: string, fields: Wire): RequestedChange[] => {
    const { interactionId } = fields;
    if (hasRow(table, rowId)) return [];
    if (typeof interactionId === 'string' && !hasRow(entities.userCourseInteraction.name, interactionId)) return [];
    return [{ table, rowId, op: 'upsert', fields: { ...fields, [key]: rowId, userId }, creates: true }];
  };

  function toChanges(edit: Edit): RequestedChange[] {
    switch (edit.op) {
      case 'insert': {
        const { name, key } = entities[edit.key];
        const whole = edit.key === 'practiceHistory' ? { entireConversation: [] } : {};
        return createRow(name, key, edit.rowId, { ...edit.values, ...whole });
      }
      case 'update':
        return changeRow(edit);
      case 'delete':
        return hasRow(entities[edit.key].name, edit.rowId)
          ? [{ table: entities[edit.key].name, rowId: edit.rowId, op: 'delete', fields: {}, creates: false }]
          : [];
      case 'turn':
        return addTurn(edit);
      case 'fill':
        return fillIn(edit);
      case 'finish':
        return rankOf(edit.values['status']) < rankOf(readRow(SESSIONS, edit.sessionId)?.['status'])
          ? []
          : updateRow(SESSIONS, edit.sessionId, { ...edit.values, pausedAt: null });
      case 'objective': {
        const completed = (readRow(SESSIONS, edit.sessionId)?.['completedObjectives'] ?? []) as Wire[];
        const isNew = completed.every(({ objectiveId }) => objectiveId !== edit.entry['objectiveId']);
        return isNew ? updateRow(SESSIONS, edit.sessionId, { completedObjectives: [...completed, edit.entry] }) : [];
      }
      case 'enrol': {
        const { courseId, enrollmentDate } = edit;
        const isEnrolled = activeEnrolments().some((row) => row['courseId'] === courseId);
        return isEnrolled ? [] : createRow(ENROLMENTS, 'enrollmentId', random.uuid(), { courseId, enrollmentDate });
      }
      case 'leave': {
        const row = activeEnrolments().find(({ courseId }) => courseId === edit.courseId);
        const rowId = String(row?.['enrollmentId']);
        return row === undefined ? [] : [{ table: ENROLMENTS, rowId, op: 'delete', fields: {}, creates: false }];
      }
      case 'words':
        return practiseWords(edit);
    }
  }

  const activeEnrolments = (): Row[] =>
    [...new Set([...client.serverRows.rows.keys(), ...localFields.keys()])]
      .filter((key) => key.startsWith(`${ENROLMENTS} `))
      .flatMap((key): Row[] => {
        const row = readRow(ENROLMENTS, key.split(' ')[1] ?? '');
        return row === undefined ? [] : [row];
      })
      .filter((row) => (row['deletedAt'] ?? null) === null);

  function changeRow(edit: Extract<Edit, { op: 'update' }>): RequestedChange[] {
    const { name } = entities[edit.key];
    const rowId = edit.rowId ?? userId;
    const fields = { ...edit.values };
    const row = readRow(name, rowId);
    if (Number(fields['duration'] ?? 0) <= Number(row?.['duration'] ?? 0)) delete fields['duration'];
    if (row?.['status'] !== 'in_progress') delete fields['pausedAt'];
    return Object.keys(fields).length === 0 ? [] : updateRow(name, rowId, fields);
  }

  const conversationOf = (sessionId: string): Wire[] =>
    (readRow(SESSIONS, sessionId)?.['entireConversation'] ?? []) as Wire[];

  /** The old app stores a turn twice: in the whole conversation, and as its own row. */
  function addTurn({ rowId, sessionId, values }: Extract<Edit, { op: 'turn' }>): RequestedChange[] {
    const { role, content, saidAt, node, kind, mode, fitted, hintLevel, interactionId } = values;
    const base = { role, turnId: rowId, at: saidAt, text: content === '' ? 'Hello' : content, node };
    const turn =
      role === 'coach' ? { ...base, kind } : { ...base, mode, fitted, recordingId: null, assessment: null, hintLevel };
    const row = { interactionId, courseId: null, content: base.text, role } as Wire;
    const inConversation = updateRow(SESSIONS, sessionId, {
      entireConversation: [...conversationOf(sessionId), turn as Wire],
    });
    const alone = createRow(TURNS, 'conversationId', rowId, row);
    return inConversation.length === 0 || alone.length === 0 ? [] : [...inConversation, ...alone];
  }

  function fillIn({ rowId, values }: Extract<Edit, { op: 'fill' }>): RequestedChange[] {
    const sessionId = [...client.serverRows.rows.values()].find((row) =>
      (row['entireConversation'] as Row[] | undefined)?.some(({ turnId }) => turnId === rowId),
    )?.['id'];
    const conversation = typeof sessionId === 'string' ? conversationOf(sessionId) : [];
    const isEmpty = conversation.some(({ turnId, text }) => turnId === rowId && text === '');
    if (!isEmpty || typeof values['content'] !== 'string') return [];
    const text = values['content'];
    const filled = conversation.map((turn) => (turn['turnId'] === rowId ? { ...turn, text } : turn));
    return updateRow(SESSIONS, String(sessionId), { entireConversation: filled });
  }

  /** The old app writes the whole list, without counts per device. */
  function practiseWords({ words, accuracy }: Extract<Edit, { op: 'words' }>): RequestedChange[] {
    const held = readRow(WORD_LIST, userId);
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
      ? createRow(WORD_LIST, 'id', userId, { words: list })
      : updateRow(WORD_LIST, userId, { words: list });
  }

  function performEdit(wanted: Edit): void {
    const asked = toChanges(wanted);
    if (asked.length === 0) return environment.counts.add('edits absent');
    for (const one of asked) {
      lastMs = Math.max(lastMs + 1, Date.now() + skewMs);
      const createdAt = new Date(lastMs).toISOString();
      const fields = one.creates ? { ...one.fields, createdAt } : one.fields;
      const at = formatHybridTime({ ms: lastMs, counter: 0, deviceId });
      const entry: OutboxEntry = { ...one, fields, mutationId: random.uuid(), at };
      const key = `${one.table} ${one.rowId}`;
      localFields.set(key, { ...localFields.get(key), ...fields, deletedAt: one.op === 'delete' ? createdAt : null });
      client.queue(entry);
      sent.set(entry.mutationId, entry);
      const madeMs = Date.now();
      const moment: EditMoment = { madeMs, trueMs: hasSteadyClock ? madeMs : null, seenMs };
      model.recordOutboxEntry(entry, deviceId, moment, { isOldApp: true });
    }
    environment.counts.add('edits of the old app');
    return environment.counts.add('edits acknowledged');
  }

  async function sync(): Promise<boolean> {
    const startMs = Date.now();
    const outcomes = await client.sync();
    for (const { id, status, code } of outcomes ?? []) {
      if (status !== 'rejected') continue;
      shownRefusals.set(id, { code: code ?? '', fields: sent.get(id)?.fields ?? {} });
      model.recordRejection(id, code ?? '');
    }
    model.markSettled(deviceId, client.pendingIds, Date.now());
    if (outcomes === null) return false;
    seenMs = startMs;
    if (client.pendingIds.length === 0) localFields.clear();
    return true;
  }

  return {
    client,
    deviceId,
    proxy,
    shownRefusals,
    sync,
    conversations: () =>
      new Map(
        [...client.serverRows.rows.values()].flatMap((row): [string, Row[]][] =>
          Array.isArray(row['entireConversation']) ? [[String(row['id']), row['entireConversation'] as Row[]]] : [],
        ),
      ),
    play: async (steps) => {
      environment.counts.add('old_client');
      for (const step of steps) {
        if (step.do === 'edit') performEdit(step.edit);
        else if (step.do === 'sync') await sync();
        else if (step.do === 'line') proxy.armFault(step.fault);
        else if (step.do === 'offline') proxy.setOffline(step.isOffline);
        else if (step.do === 'skew') skewMs = step.skewMs;
        else if (step.do === 'killServer') environment.killServer(step.downMs);
      }
    },
  };
}

const RANKS: readonly string[] = ['in_progress', 'failed_to_generate_score', 'completed'];
const rankOf = (status: unknown): number => RANKS.indexOf(String(status));
