/** Lists past sessions, newest first, with full-text search. Listing does not load any conversation. */
import type { HistoryItem, TodayView } from '@parley/contract';
import {
  type CommunicationStyle,
  idleSessionAction,
  type PracticeId,
  type PracticeStatus,
  type SessionId,
} from '@parley/domain';
import type { HostResult } from '../result/index.ts';
import { countMissingTurns, type Store } from '../store/index.ts';
import { removeSession, restoreSession } from './delete-session.ts';
import type { SearchIndex } from './search-index.ts';
import { toFullTextQuery } from './search-query.ts';

export interface History {
  /** `unsearched`: how many sessions were not searched because their turns are not on this device yet. */
  list(page: { search: string; offset: number; limit: number }): {
    items: HistoryItem[];
    total: number;
    unsearched: number;
  };
  /** Returns the newest session that can be resumed; a session that is only waiting for its score cannot. */
  unfinished(): TodayView['unfinished'];
  remove(at: { sessionId: SessionId }): HostResult<void>;
  /** Undoes `remove`. */
  restore(at: { sessionId: SessionId }): HostResult<void>;
}

interface ItemRow {
  sessionId: SessionId;
  practiceId: PracticeId;
  title: string;
  category: string;
  coachName: string;
  coachAvatarUrl: string;
  startedAtMs: number;
  durationS: number;
  status: PracticeStatus;
  communicationStyle: CommunicationStyle;
  overall: number | null;
  isBeingScored: 0 | 1;
  isDownloaded: 0 | 1;
  excerpt: string | null;
}

const toItem = ({ startedAtMs, isBeingScored, isDownloaded, ...row }: ItemRow): HistoryItem => ({
  ...row,
  startedAt: new Date(startedAtMs),
  isBeingScored: isBeingScored === 1,
  isDownloaded: isDownloaded === 1,
});

/** The number of words shown before and after a match. */
const EXCERPT_WORDS = 12;

const ITEM = `h.id AS sessionId, h.practice_id AS practiceId, p.title AS title,
  coalesce(p.category, '') AS category, coalesce(a.name, p.agent_name, 'Coach') AS coachName,
  coalesce(a.avatar_url, p.agent_image, '') AS coachAvatarUrl, h.created_at AS startedAtMs, h.duration AS durationS,
  h.status AS status, h.communication_style AS communicationStyle, h.score AS overall,
  EXISTS (SELECT 1 FROM scoring_attempts s WHERE s.session_id = h.id AND s.waits_for = 'scores') AS isBeingScored,
  NOT EXISTS (SELECT 1 FROM missing_turns m WHERE m.user_id = h.user_id AND m.session_id = h.id) AS isDownloaded`;
const CATALOGUE = `LEFT JOIN practices p ON p.practice_id = h.practice_id LEFT JOIN ai_agent_profiles a ON a.agent_id = h.agent_id`;
/** What the coach said, if that is the newest turn. */
const COACH_UTTERANCE = `(SELECT iif(t.role = 'coach', t.content, NULL) FROM ai_conversations t
    WHERE t.session_id = h.id AND t.deleted_at IS NULL ORDER BY t.said_at DESC, t.conversation_id DESC LIMIT 1)`;
const OWN = 'h.user_id = :userId AND h.deleted_at IS NULL';
// There are few titles and many sessions, so the query finds the practices first.
const MATCH = `(h.id IN (SELECT s.session_id FROM spoken_words_index i JOIN spoken_words s ON s.position = i.rowid
    WHERE spoken_words_index MATCH :query)
  OR h.practice_id IN (SELECT practice_id FROM practices WHERE title LIKE :title ESCAPE '\\'))`;
const EXCERPT = `(SELECT snippet(spoken_words_index, 0, '', '', '…', ${EXCERPT_WORDS}) FROM spoken_words_index
    WHERE spoken_words_index MATCH :query
      AND rowid = (SELECT position FROM spoken_words WHERE session_id = page.sessionId))`;

export function createHistory(store: Store, index: SearchIndex): History {
  const { sqlite } = store;
  const listAll = sqlite.prepare<[object], ItemRow>(
    `SELECT ${ITEM}, NULL AS excerpt FROM practice_history h ${CATALOGUE} WHERE ${OWN}
     ORDER BY h.created_at DESC LIMIT :limit OFFSET :offset`,
  );
  const countAll = sqlite.prepare<[object], { total: number }>(
    `SELECT count(*) AS total FROM practice_history h WHERE ${OWN}`,
  );
  const listFound = sqlite.prepare<[object], ItemRow>(
    `SELECT page.*, ${EXCERPT} AS excerpt FROM (
       SELECT ${ITEM} FROM practice_history h ${CATALOGUE} WHERE ${OWN} AND ${MATCH}
       ORDER BY h.created_at DESC LIMIT :limit OFFSET :offset) AS page`,
  );
  const countFound = sqlite.prepare<[object], { total: number }>(
    `SELECT count(*) AS total FROM practice_history h WHERE ${OWN} AND ${MATCH}`,
  );
  const newestUnfinished = sqlite.prepare<[object], ItemRow & { updatedAtMs: number; coachUtterance: string | null }>(
    `SELECT ${ITEM}, NULL AS excerpt, h.updated_at AS updatedAtMs, ${COACH_UTTERANCE} AS coachUtterance FROM practice_history h ${CATALOGUE}
     WHERE ${OWN} AND h.status = 'in_progress'
       AND h.id NOT IN (SELECT session_id FROM scoring_attempts) ORDER BY h.created_at DESC LIMIT 1`,
  );

  return {
    list({ search, offset, limit }) {
      const { userId } = store.identity();
      const query = toFullTextQuery(search);
      if (query === null) {
        if (search.trim() !== '') return { items: [], total: 0, unsearched: 0 };
        const total = countAll.get({ userId })?.total ?? 0;
        return { items: listAll.all({ userId, limit, offset }).map(toItem), total, unsearched: 0 };
      }
      index.catchUp();
      const title = `%${search.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
      const total = countFound.get({ userId, query, title })?.total ?? 0;
      const items = listFound.all({ userId, query, title, limit, offset }).map(toItem);
      return { items, total, unsearched: countMissingTurns(store) };
    },

    unfinished() {
      const row = newestUnfinished.get({ userId: store.identity().userId });
      if (row === undefined) return null;
      const { updatedAtMs, coachUtterance, ...item } = row;
      const idleMs = store.clock.now().getTime() - updatedAtMs;
      return { ...toItem(item), coachUtterance, isIdle: idleSessionAction({ idleMs }) !== 'keep' };
    },

    remove: ({ sessionId }) => removeSession(store, sessionId),
    restore: ({ sessionId }) => restoreSession(store, sessionId),
  };
}
