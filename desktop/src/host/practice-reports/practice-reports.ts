/** Sends what a learner reports about a practice to the school. Without a connection, a report waits on this device. */
import { MAX_REPORTED_LINE_LENGTH, type PracticeReport } from '@parley/contract';
import { ok, type SessionId, type TurnId } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Logger } from '../logger.ts';
import { failed, type HostResult } from '../result/index.ts';
import { aiConversations, practiceHistory, type Store, waitingReports } from '../store/index.ts';
import type { Sync } from '../sync/index.ts';

export interface PracticeReports {
  /** Reports the coach's turn, or the session's practice without one. */
  send(request: {
    sessionId: SessionId;
    turnId: TurnId | null;
    text: string;
  }): Promise<HostResult<{ state: 'sent' | 'waiting' }>>;
  /** Sends what waits for the learner who is signed in. */
  sendWaiting(): Promise<void>;
}

export interface PracticeReportParts {
  store: Store;
  sync: Pick<Sync, 'request'>;
  logger: Logger;
}

export function createPracticeReports({ store, sync, logger }: PracticeReportParts): PracticeReports {
  const { db } = store;
  let sending: Promise<void> = Promise.resolve();

  const listWaiting = (): PracticeReport[] =>
    db
      .select({ report: waitingReports.report })
      .from(waitingReports)
      .where(eq(waitingReports.userId, store.identity().userId))
      .orderBy(asc(waitingReports.id))
      .all()
      .map(({ report }) => report);
  const remove = (id: string): void => void db.delete(waitingReports).where(eq(waitingReports.id, id)).run();

  async function sendAll(): Promise<void> {
    for (const report of listWaiting()) {
      const answer = await sync.request((server) => server.practiceReports.send(report));
      if (answer.ok) remove(report.id);
      else if (answer.error.code === 'request.invalid') {
        // The school no longer has this practice, so the report would never be received.
        logger.warn({ reason: answer.error.code }, 'practice_report_dropped');
        remove(report.id);
      } else return;
    }
  }

  function sendWaiting(): Promise<void> {
    sending = sending.then(sendAll, sendAll);
    return sending;
  }

  return {
    sendWaiting,

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
      const line = turn?.content.slice(0, MAX_REPORTED_LINE_LENGTH).toWellFormed() ?? null;
      const report = { id, at, practiceId, node: turn?.node ?? null, line, text };
      db.insert(waitingReports).values({ id, userId, report }).run();
      await sendWaiting();
      return ok({ state: listWaiting().some((waiting) => waiting.id === id) ? 'waiting' : 'sent' });
    },
  };
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
