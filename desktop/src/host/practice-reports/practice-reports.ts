/** Sends what a learner reports about a practice to the school. Without a connection, a report waits on this device. */
import { type ErrorCode, MAX_REPORTED_LINE_LENGTH, PracticeReport, type ReportState } from '@parley/contract';
import { ok, type SessionId, type TurnId } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Logger } from '../logger.ts';
import { failed, type HostFailure, type HostResult } from '../result/index.ts';
import { aiConversations, practiceHistory, type Store, users, waitingReports } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';
import { withoutName } from './without-name.ts';

export interface PracticeReports {
  /** Reports the coach's turn, or the session's practice without one. */
  send(request: {
    sessionId: SessionId;
    turnId: TurnId | null;
    text: string;
  }): Promise<HostResult<{ state: ReportState }>>;
  /** Sends what waits for the learner who is signed in. */
  sendWaiting(): Promise<void>;
}

export interface PracticeReportParts {
  store: Store;
  sync: Pick<Sync, 'request'>;
  logger: Logger;
}

const RETRY_AFTER_MS = 15 * 60_000;

export function createPracticeReports({ store, sync, logger }: PracticeReportParts): PracticeReports {
  const { db } = store;
  let sending: Promise<unknown> = Promise.resolve();
  /** After a report was not accepted, the server is left alone for a while, unless the learner sends another one. */
  let retryAtMs = 0;

  const listWaiting = (): PracticeReport[] =>
    db
      .select({ report: waitingReports.report })
      .from(waitingReports)
      .where(eq(waitingReports.userId, store.identity().userId))
      .orderBy(asc(waitingReports.id))
      .all()
      .map(({ report }) => report);
  const remove = (id: string): void => void db.delete(waitingReports).where(eq(waitingReports.id, id)).run();

  function lineToSend(content: string): string {
    const own = db.select({ firstName: users.firstName }).from(users).where(eq(users.userId, store.identity().userId));
    return withoutName(storable(content), own.get()?.firstName ?? null).slice(0, MAX_REPORTED_LINE_LENGTH);
  }

  /** Returns what became of each report that it tried to send. */
  async function sendAll(): Promise<ReadonlyMap<string, ReportState>> {
    const states = new Map<string, ReportState>();
    const { userId } = store.identity();
    for (const waiting of listWaiting()) {
      // Another learner may have signed in while the last one was sent.
      if (store.identity().userId !== userId) break;
      const report = toSend(waiting);
      if (report === null) {
        // No server would ever accept it.
        logger.warn({ reason: 'invalid' }, 'practice_report_dropped');
        remove(waiting.id);
        continue;
      }
      const answer = await sync.request((server) => server.practiceReports.send(report));
      const state = answer.ok ? 'sent' : stateAfter(answer.error);
      states.set(report.id, state);
      if (answer.ok || state === 'practice_gone') remove(report.id);
      if (answer.ok) continue;
      const { code } = answer.error;
      if (state === 'practice_gone') logger.warn({ reason: code }, 'practice_report_dropped');
      if (state === 'delayed') {
        retryAtMs = store.clock.now().getTime() + RETRY_AFTER_MS;
        logger.warn({ reason: code }, 'practice_report_not_accepted');
      }
      if (state === 'waiting' || concernsAllReports(code)) break;
    }
    return states;
  }

  /** One after another, so that no report is sent twice at the same time. */
  function sendNow(): Promise<ReadonlyMap<string, ReportState>> {
    const sent = sending.then(sendAll);
    sending = sent.catch(() => undefined);
    return sent;
  }

  return {
    async sendWaiting() {
      if (store.clock.now().getTime() >= retryAtMs) await sendNow();
    },

    async send({ sessionId, turnId, text }) {
      const { userId } = store.identity();
      const session = db
        .select({ practiceId: practiceHistory.practiceId })
        .from(practiceHistory)
        .where(
          and(eq(practiceHistory.id, sessionId), eq(practiceHistory.userId, userId), isNull(practiceHistory.deletedAt)),
        )
        .get();
      if (session === undefined) return failed('session.not_found');
      const turn = turnId === null ? null : findCoachTurn(store, { sessionId, turnId });
      if (turn === undefined) return failed('turn.not_found');
      const id = store.newId();
      const at = store.clock.now().toISOString();
      const { practiceId } = session;
      const line = turn === null ? null : lineToSend(turn.content);
      const report = { id, at, practiceId, node: turn?.node ?? null, line, text };
      db.insert(waitingReports).values({ id, userId, report }).run();
      const state = (await sendNow()).get(id);
      // The reports before it were not accepted, or it went with those of an earlier call.
      return ok({ state: state ?? (listWaiting().some((waiting) => waiting.id === id) ? 'delayed' : 'sent') });
    },
  };
}

/** Leaves out what the school's database cannot store. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Older versions stored lines and texts as they were. Null for a report that is none. */
function toSend(waiting: PracticeReport): PracticeReport | null {
  const [line, text] = [storable(waiting.line ?? '') || null, storable(waiting.text)];
  return PracticeReport.safeParse({ ...waiting, line, text }).data ?? null;
}

/** Undefined for a turn that is not there, and for one of the learner's own, which must not leave the device. */
const findCoachTurn = ({ db }: Store, { sessionId, turnId }: { sessionId: SessionId; turnId: TurnId }) =>
  db
    .select({ node: aiConversations.node, content: aiConversations.content })
    .from(aiConversations)
    .where(
      and(
        eq(aiConversations.conversationId, turnId),
        eq(aiConversations.sessionId, sessionId),
        eq(aiConversations.role, 'coach'),
      ),
    )
    .get();

function stateAfter({ code, field }: HostFailure): ReportState {
  if (code === 'sync.offline') return 'waiting';
  // Without the field, the server is older than reports: it refuses the address of the request.
  return code === 'request.invalid' && field === 'practiceId' ? 'practice_gone' : 'delayed';
}

/** Whether the next report would fail for the same reason: the account or the network may not send any now. */
const concernsAllReports = (code: ErrorCode): boolean =>
  code === 'request.too_many' || code.startsWith('access.') || code.startsWith('auth.');
