/** Starts a session: its row and, for a guided coach, the first utterance. */
import type { Understanding } from '@parley/coach/understanding';
import type { CoachKind, CoursePlace } from '@parley/contract';
import {
  type CoachTurn,
  type CommunicationStyle,
  type LiveAccess,
  ok,
  type PracticeDifficulty,
  type PracticeId,
  SessionId,
} from '@parley/domain';
import { type HostResult, failed } from '../../result/index.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { type Courses, openSection } from '../../courses/index.ts';
import { insertRow, type Store } from '../../store/index.ts';
import { firstUtterance } from './guided-coach.ts';
import { toCoachTurn, findScene, type SceneSession } from './guided-scene.ts';
import { findSession, findOrCreateInteraction, type Session, appendTurns } from './session-rows.ts';

export interface StartPracticeRequest {
  practiceId: PracticeId;
  difficulty: PracticeDifficulty;
  communicationStyle: CommunicationStyle;
  coachKind: CoachKind;
  /** Set when the practice is started from a course. */
  place?: CoursePlace | null | undefined;
}

export interface StartParts {
  store: Store;
  catalogue: Catalogue;
  understanding: Understanding;
  /** Called only for a model coach; a guided practice may always start. */
  modelCoachAccess: () => Promise<LiveAccess>;
  checkPlace: Courses['checkPlace'];
}

const UNSCORED_SESSION = {
  feedback: null,
  score: null,
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
  duration: 0,
  status: 'in_progress',
  summary: null,
  pausedAt: null,
} as const;

const REFUSAL_BY_ACCESS = {
  sign_in: 'auth.required',
  waiting: 'access.required',
  taken: 'access.taken',
  unconfirmed: 'access.unconfirmed',
} as const;

export async function startSession(parts: StartParts, request: StartPracticeRequest): Promise<HostResult<Session>> {
  const { store, catalogue } = parts;
  const { practiceId, difficulty, communicationStyle, coachKind, place = null } = request;
  const permitted = place === null ? ok(undefined) : parts.checkPlace({ ...place, practiceId });
  if (!permitted.ok) return permitted;
  const access = coachKind === 'model' ? await parts.modelCoachAccess() : 'granted';
  if (access !== 'granted') return failed(REFUSAL_BY_ACCESS[access]);
  const practice = catalogue.practice(practiceId);
  if (practice === null || practice.deletedAt !== null || practice.availability !== 'ready')
    return failed('practice.not_found');
  if (practice.dialogue === null && coachKind === 'guided') return failed('practice.no_dialogue');
  const session = {
    id: SessionId.parse(store.newId()),
    practiceId,
    userId: store.identity().userId,
    agentId: catalogue.playerOf(practice),
    difficulty,
    communicationStyle,
  };
  const opening = coachKind === 'model' ? ok(null) : openingTurn(parts, session);
  if (!opening.ok) return opening;
  store.transaction(() => {
    insertRow(store, 'practiceHistory', { ...session, ...UNSCORED_SESSION, completedObjectives: [] });
    if (place !== null) openSection(store, place);
    findOrCreateInteraction(store, session, place);
    const created = findSession(store, session.id);
    if (opening.value !== null && created.ok) appendTurns(store, created.value, [opening.value]);
  });
  return findSession(store, session.id);
}

/** Returns the first utterance of a guided coach. */
function openingTurn(
  parts: StartParts,
  session: Omit<SceneSession, 'entireConversation' | 'completedObjectives'>,
): HostResult<CoachTurn> {
  const scene = findScene(parts, { ...session, entireConversation: [], completedObjectives: [] });
  return scene.ok ? ok(toCoachTurn(parts.store, firstUtterance(scene.value))) : scene;
}
