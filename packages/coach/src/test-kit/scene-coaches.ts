/** The scenes that ship, and coaches who understand free answers in them. */
import { loadSharedUnderstanding, loadStarterCatalogue } from '@parley/catalogue';
import type { Dialogue, PracticeDifficulty } from '@parley/domain';
import { createUnderstanding, type SceneAnswer, type SceneCoach } from '../understanding/index.ts';

const dialogues = new Map(loadStarterCatalogue().practices.map(({ title, dialogue }) => [title, dialogue]));
export const SCENES: readonly string[] = [...dialogues.keys()];

const understanding = createUnderstanding(loadSharedUnderstanding);
/** Coaches are shared, because preparing one takes longer than most tests, and a coach has no state. */
const coaches = new Map<string, SceneCoach>();

export function dialogueOf(title: string): Dialogue {
  const dialogue = dialogues.get(title) ?? null;
  if (dialogue === null) throw new Error(`no scene ${title}`);
  return dialogue;
}

/** Coaches with different seeds choose different phrases. */
export function coachOf(title: string, seed = 3): SceneCoach {
  const key = `${seed} ${title}`;
  const coach = coaches.get(key) ?? understanding.coachFor(dialogueOf(title), { coachName: 'Priya', seed });
  if (coach === null) throw new Error(`"${title}" does not understand answers`);
  coaches.set(key, coach);
  return coach;
}

/** The coach's reply to one turn at a step of a scene. */
export const answerAt = (
  title: string,
  node: string,
  said: string,
  difficulty: PracticeDifficulty = 'intermediate',
): SceneAnswer => coachOf(title).answer({ node, difficulty, said });
