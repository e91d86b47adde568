/** Plays a draft as the guided coach plays it on a device, one turn at a time, without storing anything. */
import { randomUUID } from 'node:crypto';
import { practiceRows } from '@parley/catalogue/documents';
import { answerTurn, type GuidedScene, nodesToUnderstand, openConversation } from '@parley/coach';
import type { Understanding } from '@parley/coach/understanding';
import {
  type CompletedObjective,
  type ContentFinding,
  type DocumentOf,
  type PracticeDifficulty,
  type Turn,
  TurnId,
} from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { checkContent } from './check-content.ts';

export interface TriedTurn {
  role: 'coach' | 'learner';
  text: string;
  node: string | null;
  kind: 'line' | 'rephrase' | 'goodbye';
  fitted: boolean;
}

export interface TryRequest {
  document: DocumentOf<'practice'>;
  difficulty: PracticeDifficulty;
  turns: readonly TriedTurn[];
}

export type TryResult =
  | { status: 'said'; turn: TriedTurn; fitted: boolean; proved: { key: string; words: string }[]; hasEnded: boolean }
  | { status: 'blocked'; findings: ContentFinding[] };

/** Phrases vary by session, but a draft is always tried with the same ones. */
const SEED = 7;
const PRACTICE_ID = '00000000-0000-7000-8000-000000000000';

export type TryPractice = ReturnType<typeof createTryPractice>;

async function loadUnderstanding(): Promise<Understanding> {
  const [{ createUnderstanding }, { loadSharedUnderstanding }] = await Promise.all([
    import('@parley/coach/understanding'),
    import('@parley/catalogue'),
  ]);
  return createUnderstanding(loadSharedUnderstanding);
}

export function createTryPractice({ db, now }: { db: Database; now: () => Date }) {
  // Created on first use, because it takes memory that most servers never need.
  let understanding: Promise<Understanding> | null = null;

  return async ({ document, difficulty, turns }: TryRequest): Promise<TryResult> => {
    const findings = (await checkContent(db, { kind: 'practice', id: PRACTICE_ID, document })).filter(
      ({ severity, path }) => severity === 'error' && BLOCKING.has(String(path[0])),
    );
    const coach = await readCoach(db, document.agentId);
    if (findings.length > 0 || coach === null || document.script === null) return { status: 'blocked', findings };
    const { practice, objectives } = practiceRows(PRACTICE_ID, document, coach);
    const { dialogue } = practice;
    if (dialogue === null) return { status: 'blocked', findings };
    understanding ??= loadUnderstanding();
    const role = { coachName: coach.name, seed: SEED, reassure: coach.manner.reassure };
    const scene: GuidedScene = {
      dialogue,
      difficulty,
      manner: coach.manner,
      coachName: coach.name,
      sceneCoach: (await understanding).coachFor(dialogue, role),
      seed: SEED,
    };
    const conversation = turns.map((turn) => toTurn(turn, now()));
    const last = conversation.at(-1);
    if (last?.role !== 'learner') {
      const { text, node, kind } = openConversation(scene);
      const turn: TriedTurn = { role: 'coach', text: text.replaceAll('{coach}', coach.name), node, kind, fitted: true };
      return { status: 'said', turn, fitted: true, proved: [], hasEnded: false };
    }
    await (await understanding).prepare(dialogue, nodesToUnderstand(scene, conversation));
    // Objectives stay open, so that an author sees every place that meets one.
    const completed: CompletedObjective[] = [];
    const { line, fitted, proved } = answerTurn({ ...scene, objectives }, { turns: conversation, completed }, last);
    return {
      status: 'said',
      turn: {
        role: 'coach',
        text: line.text.replaceAll('{coach}', coach.name),
        node: line.node,
        kind: line.kind,
        fitted,
      },
      fitted,
      proved: proved.flatMap(({ objectiveId, words }) => {
        const objective = objectives.find((each) => each.objectiveId === objectiveId);
        return objective === undefined ? [] : [{ key: objective.key, words }];
      }),
      hasEnded: line.kind === 'goodbye',
    };
  };
}

/** Without these, the coach cannot play the scene. */
const BLOCKING: ReadonlySet<string> = new Set(['script', 'objectives', 'agentId']);

async function readCoach(db: Database, agentId: string | null) {
  if (agentId === null) return null;
  const { aiAgentProfiles } = tables;
  const [row] = await db
    .select()
    .from(aiAgentProfiles)
    .where(and(eq(aiAgentProfiles.agentId, agentId as never), isNull(aiAgentProfiles.deletedAt)));
  return row ?? null;
}

export function toTurn({ role, text, node, kind, fitted }: TriedTurn, at: Date): Turn {
  const common = { turnId: TurnId.parse(randomUUID()), at: at.toISOString(), text, node };
  return role === 'coach'
    ? { ...common, role, kind }
    : { ...common, role, mode: 'typed', fitted, recordingId: null, assessment: null, hintLevel: 0 };
}
