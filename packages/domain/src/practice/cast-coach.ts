/**
 * Chooses the coach who plays in a practice. Dialogues say `{coach}` where the coach's name belongs, so any coach can
 * play them, unless a line names the coach for whom the practice was written.
 */
import type { Dialogue } from './dialogue.ts';

const isWordOf = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\\p{L}\\p{N}])`, 'gu');

const mentions = (text: string, name: string): boolean => name.trim() !== '' && isWordOf(name).test(text);

/** Whether only this coach can play: a line of the dialogue names them, or the scene does where there is no dialogue. */
export const castsCoach = (
  { dialogue, scene }: { dialogue: Dialogue | null; scene: string },
  coachName: string,
): boolean =>
  dialogue === null
    ? mentions(scene, coachName)
    : dialogue.nodes.some(
        ({ say, rephrase, replies }) =>
          [...Object.values(say), ...rephrase].some((line) => mentions(line, coachName)) ||
          Object.values(replies).some((all) => all.some(({ text }) => mentions(text, coachName))),
      );

/** A text about the scene, with the name of another coach inserted. */
export const renameCoach = (text: string, from: string, to: string): string =>
  from === to || from.trim() === '' ? text : text.replaceAll(isWordOf(from), () => to);
