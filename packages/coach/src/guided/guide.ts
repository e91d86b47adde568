/** One step of a guided conversation: the learner's words found in the dialogue, what they prove, and the coach's answer. */
import type { CoachLine, DialogueReply, LearnerTurn, ObjectiveId, Turn } from '@parley/domain';
import type { Held } from '../coach.ts';
import { findQuote, quoteAt } from '../find-quote.ts';
import { answer, candidateReplies, type GuidedScene } from './converse.ts';
import { matchTypedReply } from './match-reply.ts';
import { proveObjectives } from './prove-objectives.ts';

export interface GuidedObjective {
  objectiveId: ObjectiveId;
  /** By which the dialogue's replies name it. */
  key: string;
  description: string;
}

export interface Guided {
  line: CoachLine;
  /** Whether the dialogue had a place for what was said. */
  fitted: boolean;
  proved: { objectiveId: ObjectiveId; words: string }[];
}

/** Where the coach waits: the node of its last line. */
export const whereCoachWaits = (scene: GuidedScene, turns: readonly Turn[]): string =>
  turns.findLast((turn) => turn.role === 'coach')?.node ?? scene.dialogue.start;

export const repliesHere = (scene: GuidedScene, turns: readonly Turn[]): readonly DialogueReply[] =>
  candidateReplies({ dialogue: scene.dialogue, node: whereCoachWaits(scene, turns), difficulty: scene.difficulty });

/** `said` is the last turn of what was held. */
export function guideTurn(
  scene: GuidedScene & { objectives: readonly GuidedObjective[] },
  held: Held,
  said: LearnerTurn,
): Guided {
  const replies = repliesHere(scene, held.turns);
  const reply =
    replies.find((candidate) => candidate.text === said.text) ??
    matchTypedReply({ text: said.text, candidates: replies })?.reply ??
    null;
  const proved = reply === null ? [] : provedBy(scene.objectives, held, { ...said, reply });
  const line = answer(scene, {
    node: whereCoachWaits(scene, held.turns),
    reply,
    provedObjective: proved.length > 0,
    misses: reply === null ? missesBefore(held.turns) + 1 : 0,
    turnCount: held.turns.filter((turn) => turn.role === 'learner').length,
  });
  return { line, fitted: reply !== null, proved };
}

/** Each miss was met with a rephrasing, so they are counted there. */
function missesBefore(turns: readonly Turn[]): number {
  const lines = turns.filter((turn) => turn.role === 'coach');
  return lines.length - 1 - lines.findLastIndex((line) => line.kind !== 'rephrase');
}

function provedBy(
  objectives: readonly GuidedObjective[],
  held: Held,
  said: LearnerTurn & { reply: DialogueReply },
): Guided['proved'] {
  const done = new Set(held.completed.map(({ objectiveId }) => objectiveId));
  const open = objectives.filter(({ objectiveId }) => !done.has(objectiveId));
  const already = new Set<string>(objectives.filter((one) => done.has(one.objectiveId)).map(({ key }) => key));
  return proveObjectives({ ...said, already }).flatMap(({ objective, words }) => {
    const proved = open.find(({ key }) => key === objective);
    return proved === undefined ? [] : [{ objectiveId: proved.objectiveId, words: asSaid(said.text, words) }];
  });
}

const MAX_PROOF = 400;

/** The dialogue's words in the learner's spelling. */
function asSaid(text: string, words: string): string {
  const span = findQuote(text, words);
  return span === null ? words : quoteAt(text, span, MAX_PROOF);
}
