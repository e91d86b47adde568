/** Sends learners' reports about a practice to the school. Without a connection, a report waits on this device. */
import { type ErrorCode, MAX_REPORTED_LINE_LENGTH, PracticeReport, type ReportState } from '@parley/contract';
import { ok, type SessionId, type TurnId } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Logger } from '../logger.ts';
import { failed, type HostFailure, type HostResult } from '../result/index.ts';
import { aiConversations, practiceHistory, type Store, users, waitingReports } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';
import { withoutName } from './without-name.ts';

export interface PracticeReports {
  /** Reports a turn of the coach or, without one, the session's practice. */
  send(request: {
    sessionId: SessionId;
    turnId: TurnId | null;
    text: string;
  }): Promise<HostResult<{ state: ReportState }>>;
  /** Sends the waiting reports of the learner who is signed in. */
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
  /** After a report was not accepted, no report is sent for a while, unless the learner writes another one. */
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

  /** Returns the outcome of each report that it tried to send. */
  async function sendAll(): Promise<ReadonlyMap<string, ReportState>> {
    const states = new Map<string, ReportState>();
    const { userId } = store.identity();
    for (const waiting of listWaiting()) {
      // Another learner may have signed in while the previous report was being sent.
      if (store.identity().userId !== userId) break;
      const report = toSend(waiting);
      if (report === null) {
        // No server would ever accept this report.
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

  /** Reports are sent one after another, so that none is sent twice at the same time. */
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
      // An earlier report was not accepted, or this one was sent by an earlier call.
      return ok({ state: state ?? (listWaiting().some((waiting) => waiting.id === id) ? 'delayed' : 'sent') });
    },
  };
}

/** Removes characters that the school's database cannot store. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/**
 * Older versions stored lines and texts without removing such characters. Null if the stored value is not a valid
 * report.
 */
function toSend(waiting: PracticeReport): PracticeReport | null {
  const [line, text] = [storable(waiting.line ?? '') || null, storable(waiting.text)];
  return PracticeReport.safeParse({ ...waiting, line, text }).data ?? null;
}

/** Undefined for a missing turn, and for a turn of the learner, which must not leave the device. */
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
  // An error without the field means that the server is older than reports and rejects the request's address.
  return code === 'request.invalid' && field === 'practiceId' ? 'practice_gone' : 'delayed';
}

/**
 * Whether the next report would fail for the same reason, because the account or the network may not send any at the
 * moment.
 */
const concernsAllReports = (code: ErrorCode): boolean =>
  code === 'request.too_many' || code.startsWith('access.') || code.startsWith('auth.');
