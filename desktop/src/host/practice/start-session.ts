/** Begins a session: its row, and with a guided coach the first thing that is said in it. */
import type { CoachKind } from '@parley/contract';
import {
  type CoachTurn,
  type CommunicationStyle,
  type LiveAccess,
  ok,
  type PracticeDifficulty,
  type PracticeId,
  SessionId,
} from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { insertRow, type Store } from '../store/index.ts';
import { firstLine } from './guide.ts';
import { coachTurn, findScene, type InScene } from './scene.ts';
import { findSession, interactionOf, type Session, storeTurns } from './session-rows.ts';

export interface PracticeWish {
  practiceId: PracticeId;
  difficulty: PracticeDifficulty;
  communicationStyle: CommunicationStyle;
  coachKind: CoachKind;
}

export interface StartParts {
  store: Store;
  catalogue: Catalogue;
  /** Asked for a live coach alone: a guided practice may always begin. */
  liveAccess: () => Promise<LiveAccess>;
}

const UNSCORED = {
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

const REFUSALS = {
  sign_in: 'auth.required',
  waiting: 'access.required',
  taken: 'access.taken',
  unconfirmed: 'access.unconfirmed',
} as const;

export async function startSession(parts: StartParts, wish: PracticeWish): Promise<Answer<Session>> {
  const { store, catalogue } = parts;
  const { practiceId, difficulty, communicationStyle, coachKind } = wish;
  const access = coachKind === 'live' ? await parts.liveAccess() : 'granted';
  if (access !== 'granted') return failed(REFUSALS[access]);
  const practice = catalogue.practice(practiceId);
  if (practice === null || practice.deletedAt !== null || practice.availability !== 'ready')
    return failed('practice.not_found');
  if (practice.dialogue === null && coachKind === 'guided') return failed('practice.no_dialogue');
  const session = {
    id: SessionId.parse(store.newId()),
    practiceId,
    userId: store.identity().userId,
    agentId: practice.agentId,
    difficulty,
    communicationStyle,
  };
  const opening = coachKind === 'live' ? ok(null) : openingOf(parts, session);
  if (!opening.ok) return opening;
  store.transaction(() => {
    insertRow(store, 'practiceHistory', { ...session, ...UNSCORED, completedObjectives: [] });
    interactionOf(store, session);
    const begun = findSession(store, session.id);
    if (opening.value !== null && begun.ok) storeTurns(store, begun.value, [opening.value]);
  });
  return findSession(store, session.id);
}

/** What a guided coach says first. */
function openingOf(
  { store, catalogue }: StartParts,
  session: Omit<InScene, 'entireConversation' | 'completedObjectives'>,
): Answer<CoachTurn> {
  const scene = findScene(catalogue, { ...session, entireConversation: [], completedObjectives: [] });
  return scene.ok ? ok(coachTurn(store, firstLine(scene.value))) : scene;
}
