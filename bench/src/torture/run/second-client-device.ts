/** Runs the second client, which was written from the protocol document alone, as a device of the first learner. */
import { entities } from '@parley/domain';
import {
  getCounts,
  createSecondClient,
  oneDecimal,
  type Change,
  type Word,
  sumCounts,
} from '../../second-client/index.ts';
import { enrolmentId, type Row, type SecondClient } from '../../second-client/index.ts';
import type { FaultyProxy } from '../proxy/faulty-proxy.ts';
import type { Edit, OutboxEntry, Wire } from '../messages.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import { unpackAssessment } from '../oracle/unpack-assessment.ts';
import type { Row as OracleRow } from '../oracle/oracle-edit.ts';
import type { SecondClientPlan, Step } from '../plan/plan.ts';
import type { RunEnvironment } from './run-environment.ts';

export interface SecondClientDevice {
  client: SecondClient;
  proxy: FaultyProxy;
  join: (code: string) => Promise<void>;
  play: (steps: readonly Step[]) => Promise<void>;
  /** Resolves to null when the client is idle, otherwise to its state. */
  sync: () => Promise<string | null>;
  shownRefusals: () => Map<string, { code: string; fields: OracleRow }>;
  conversations: () => Map<string, OracleRow[]>;
}

const SESSIONS = entities.practiceHistory.name;
const TURNS = entities.aiConversations.name;
const WORD_LIST = entities.pronunciationImprovementSummary.name;
const RANKS: readonly string[] = ['in_progress', 'failed_to_generate_score', 'completed'];
const rankOf = (status: unknown): number => RANKS.indexOf(String(status));

export function createSecondClientDevice(
  environment: RunEnvironment,
  parts: { plan: SecondClientPlan; line: FaultyProxy; model: LearnerModel },
): SecondClientDevice {
  const { line: proxy, model } = parts;
  let { skewMs } = parts.plan;
  let seenMs = 0;
  const hasSteadyClock = parts.plan.steps.every((step) => step.do !== 'skew');
  const client = createSecondClient({ url: proxy.url, now: () => Date.now() + skewMs });

  /** Returns null when the edit is not possible here. */
  function applyToClient(edit: Edit): { change: Change; creates: boolean } | null {
    const { userId } = client;
    switch (edit.op) {
      case 'insert':
        return create(entities[edit.key].name, entities[edit.key].key, edit.rowId, edit.values);
      case 'update':
        return changeRow(edit);
      case 'delete': {
        const { name } = entities[edit.key];
        return client.row(name, edit.rowId) === undefined ? null : removeRow(name, edit.rowId);
      }
      case 'turn': {
        if (client.row(SESSIONS, edit.sessionId) === undefined) return null;
        const previousTurnId = client.conversation(edit.sessionId).at(-1)?.turnId ?? null;
        const turn = { ...edit.values, sessionId: edit.sessionId, previousTurnId };
        return create(TURNS, 'conversationId', edit.rowId, turn);
      }
      case 'fill': {
        const turn = client.row(TURNS, edit.rowId) ?? {};
        const missing = Object.entries(edit.values).filter(([name]) =>
          name === 'fitted' ? turn[name] === true : turn[name] === null || turn[name] === '',
        );
        return missing.length === 0 ? null : update(TURNS, edit.rowId, Object.fromEntries(missing));
      }
      case 'finish': {
        const session = client.row(SESSIONS, edit.sessionId);
        if (rankOf(edit.values['status']) < rankOf(session?.['status'])) return null;
        return update(SESSIONS, edit.sessionId, { ...edit.values, pausedAt: null });
      }
      case 'objective': {
        const completed = (client.row(SESSIONS, edit.sessionId)?.['completedObjectives'] ?? []) as Row[];
        if (completed.some(({ objectiveId }) => objectiveId === edit.entry['objectiveId'])) return null;
        return update(SESSIONS, edit.sessionId, { completedObjectives: [...completed, edit.entry] });
      }
      case 'enrol': {
        const { courseId, enrollmentDate } = edit;
        return create('enrollments', 'enrollmentId', enrolmentId(userId, courseId), { courseId, enrollmentDate });
      }
      case 'leave': {
        const rowId = enrolmentId(userId, edit.courseId);
        return isAlive(client.row('enrollments', rowId)) ? removeRow('enrollments', rowId) : null;
      }
      case 'words':
        return practiseWords(edit);
    }
  }

  const isAlive = (row: Row | undefined): boolean => row !== undefined && row['deletedAt'] === null;
  const removeRow = (table: string, rowId: string) => ({ change: client.remove(table, rowId), creates: false });
  const update = (table: string, rowId: string, fields: Row) =>
    client.row(table, rowId) === undefined ? null : { change: client.edit(table, rowId, fields), creates: false };

  function create(table: string, key: string, rowId: string, values: Row) {
    const { interactionId } = values;
    if (isAlive(client.row(table, rowId))) return null;
    if (typeof interactionId === 'string' && client.row('user_course_interaction', interactionId) === undefined)
      return null;
    const createdAt = new Date(Date.now() + skewMs).toISOString();
    const fields = { ...values, [key]: rowId, userId: client.userId, createdAt };
    return { change: client.edit(table, rowId, fields), creates: true };
  }

  function changeRow({ key, rowId, values }: Extract<Edit, { op: 'update' }>) {
    const { name } = entities[key];
    const row = client.row(name, rowId ?? client.userId);
    const fields: Row = { ...values };
    if (key === 'practiceHistory') {
      if (Number(fields['duration'] ?? 0) <= Number(row?.['duration'] ?? 0)) delete fields['duration'];
      if (row?.['status'] !== 'in_progress') delete fields['pausedAt'];
    }
    return Object.keys(fields).length === 0 ? null : update(name, rowId ?? client.userId, fields);
  }

  function practiseWords({ words, accuracy }: Extract<Edit, { op: 'words' }>) {
    const { userId, deviceId } = client;
    const row = client.row(WORD_LIST, userId);
    const lastPracticedAt = new Date(Date.now() + skewMs).toISOString();
    const entries = words.map((word) => {
      const known = ((row?.['words'] ?? []) as Word[]).find((entry) => entry.word === word);
      const counts = known === undefined ? {} : { ...getCounts(known) };
      const own = counts[deviceId] ?? { attempts: 0, meanAccuracy: 0 };
      const attempts = own.attempts + 1;
      const meanAccuracy = oneDecimal((own.meanAccuracy * own.attempts + accuracy) / attempts);
      counts[deviceId] = { attempts, meanAccuracy };
      const fresh = { word, ipa: '', worstPhonemes: [], due: null, stability: null, difficulty: null };
      return { ...fresh, ...known, ...sumCounts(counts), lastPracticedAt, counts };
    });
    entries.sort((a, b) => (a.word < b.word ? -1 : 1));
    return row === undefined
      ? create(WORD_LIST, 'id', userId, { words: entries })
      : update(WORD_LIST, userId, { words: entries });
  }

  function performEdit(wanted: Edit): void {
    const madeMs = Date.now();
    const made = applyToClient(wanted);
    if (made === null) return environment.counts.add('edits absent');
    const { change, creates } = made;
    const { id: mutationId, table, rowId, op, fields, at } = change;
    const entry: OutboxEntry = { mutationId, table, rowId, op, fields: fields as Wire, creates, at };
    const attempts =
      wanted.op === 'words'
        ? wanted.words.map((word) => ({
            word,
            attempts: 1,
            meanAccuracy: wanted.accuracy,
            isTotal: false,
            lastPracticedAt: new Date(madeMs + skewMs).toISOString(),
          }))
        : [];
    const moment = { madeMs, trueMs: hasSteadyClock ? madeMs : null, seenMs };
    model.recordAcknowledged({ entry, absorbed: [] }, client.deviceId, moment, attempts);
    environment.counts.add('edits of the second client');
    return environment.counts.add('edits acknowledged');
  }

  async function sync(): Promise<string | null> {
    const startMs = Date.now();
    const state = await client.sync();
    model.markSettled(
      client.deviceId,
      client.pendingChanges.map(({ id }) => id),
      Date.now(),
    );
    for (const { change, code } of client.setAside) model.recordRejection(change.id, code);
    if (state !== 'idle') return state;
    seenMs = startMs;
    return null;
  }

  return {
    client,
    proxy,
    sync,
    join: async (code) => {
      await client.join(code);
      environment.counts.add('second_client');
    },
    play: async (steps) => {
      for (const step of steps) {
        if (step.do === 'edit') performEdit(step.edit);
        else if (step.do === 'sync') await sync();
        else if (step.do === 'line') proxy.armFault(step.fault);
        else if (step.do === 'offline') proxy.setOffline(step.isOffline);
        else if (step.do === 'skew') skewMs = step.skewMs;
        else if (step.do === 'killServer') environment.killServer(step.downMs);
      }
    },
    shownRefusals: () => new Map(client.setAside.map(({ change, code, fields }) => [change.id, { code, fields }])),
    conversations: () => {
      const turns = [...client.rows()].filter(([key]) => key.startsWith(`${TURNS} `));
      const ids = new Set(turns.flatMap(([, { sessionId }]) => (typeof sessionId === 'string' ? [sessionId] : [])));
      return new Map([...ids].map((id) => [id, client.conversation(id).map(withUnpackedAssessment)]));
    },
  };
}

const withUnpackedAssessment = (turn: Row): OracleRow => {
  const assessment = turn['assessment'] as Record<string, unknown> | null | undefined;
  return assessment === null || assessment === undefined ? turn : { ...turn, assessment: unpackAssessment(assessment) };
};
