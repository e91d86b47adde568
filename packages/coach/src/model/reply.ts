/** The coach's answer to a turn: its words, the proofs that the judge finds meanwhile, and the line that stays. */
import type { CoachEvent, CoachLine } from '@parley/domain';
import type { Held } from '../coach.ts';
import { turnToAnswer } from '../turn-to-answer.ts';
import { backToScene, GOODBYE_LINE } from './back-to-scene.ts';
import { mayEnd, momentOf } from './farewell.ts';
import { judgeTurn, type Proof } from './judge.ts';
import type { Asked } from './language-model.ts';
import { levelText, materialOf, MAX_WORDS, type ModelScene, type ToldScene } from './model-scene.ts';
import { fillPrompt, ourWords, type PromptText } from './prompts.ts';
import { speak, speakAndJudge } from './speak.ts';
import { createSpeechGate } from './speech-gate.ts';
import { dialogueOf } from './transcript.ts';

/** Room for the 60 words of a line, and for what a small model puts around them. */
const MAX_OUTPUT_TOKENS = 300;

/** Throws `NothingToAnswer`, a `ModelFailure`, or what the signal says. */
export async function* replyTo(scene: ModelScene, held: Held, signal: AbortSignal): AsyncGenerator<CoachEvent, void> {
  signal.throwIfAborted();
  const said = turnToAnswer(held);
  // Whoever stops listening ends the judge's call with the words'.
  const ending = new AbortController();
  const whileHeard = AbortSignal.any([signal, ending.signal]);
  try {
    const judging = said === null ? Promise.resolve([]) : judgeTurn(scene, held, { said, signal: whileHeard });
    const gate = createSpeechGate(MAX_WORDS[scene.learner.level ?? 'unknown']);
    const words = speak(scene.model, replyAsked(scene, held, whileHeard), gate);
    const proofs = yield* speakAndJudge(words, judging);
    signal.throwIfAborted();
    const reached = isAllReached(scene, held, proofs);
    const isOver = momentOf(held) === 'last' || (gate.saysGoodbye() && mayEnd(held, reached));
    const instead = gate.hasWithheld() ? insteadOf(gate.said(), isOver ? GOODBYE_LINE : backToScene(held)) : '';
    if (instead !== '') yield { type: 'words', text: instead };
    const kind = isOver ? 'goodbye' : gate.hasWithheld() ? 'rephrase' : 'line';
    const line: CoachLine = { text: gate.said() + instead, node: null, kind };
    yield { type: 'line', line, fitted: !gate.hasWithheld() };
  } finally {
    ending.abort();
  }
}

/** Behind what was said before something had to be kept back. */
const insteadOf = (said: string, line: string): string => (said === '' ? line : ` ${line}`);

/** The instructions hold nothing but our words: two learners at one level are told of by the same ones. */
function replyAsked(scene: ModelScene, held: Held, signal: AbortSignal): Asked {
  return {
    purpose: 'reply',
    instructions: fillPrompt('reply', {
      level: levelText(scene),
      difficulty: fillPrompt(`difficulty/${scene.difficulty}`),
      moment: fillPrompt(`moment/${momentOf(held)}`),
      open: openObjectives(scene, held),
    }),
    messages: dialogueOf(materialOf(scene), held.turns),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
  };
}

/** By number, and so in our words. */
export function openObjectives({ objectives }: Pick<ToldScene, 'objectives'>, { completed }: Held): PromptText {
  if (objectives.length === 0) return ourWords('There are no objectives in this lesson.');
  const done = new Set(completed.map(({ objectiveId }) => objectiveId));
  const open = objectives.flatMap(({ objectiveId }, at) => (done.has(objectiveId) ? [] : [at + 1]));
  return ourWords(open.length === 0 ? 'Every objective is reached.' : `Still open: objective ${open.join(', ')}.`);
}

export function isAllReached(
  { objectives }: Pick<ToldScene, 'objectives'>,
  { completed }: Held,
  proofs: readonly Proof[],
): boolean | null {
  if (objectives.length === 0) return null;
  const reached = new Set([...completed, ...proofs].map(({ objectiveId }) => objectiveId));
  return objectives.every(({ objectiveId }) => reached.has(objectiveId));
}
