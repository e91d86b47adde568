/** Holds the three conversations of `docs/transcripts.md` with the guided coach, in a learner's own words. */
import { fileURLToPath } from 'node:url';
import { readScenes, readSharedActs } from '@parley/catalogue/scenes';
import type { PracticeDifficulty } from '@parley/domain';
import { createUnderstanding, EMPTY_MEMORY } from '@parley/coach/understanding';

interface Conversation {
  practice: string;
  difficulty: PracticeDifficulty;
  coach: string;
  learner: string;
  says: readonly string[];
}

const CONVERSATIONS: readonly Conversation[] = [
  {
    practice: 'explain-a-delay',
    difficulty: 'intermediate',
    coach: 'Grace',
    learner: 'Bruno, from São Paulo, who sells garden lamps',
    says: [
      'Good morning Grace, here is Bruno. Unfortunately I have not so good news.',
      'No, I am very sorry, your lamps will not come on Friday.',
      'Could you say that again, a bit slower please?',
      'About five days more, maybe six.',
      'There was a big storm in Santos and our ship could not leave the port.',
      'I know, and I feel really bad about it. I can send you twenty lamps by plane tomorrow, so you have something for the shop window.',
      'You can count on Wednesday, I promise.',
    ],
  },
  {
    practice: 'lost-luggage',
    difficulty: 'easy',
    coach: 'Elena',
    learner: 'Mei, from Chengdu, after eleven hours in the air',
    says: [
      'I am waiting one hour at the belt and everybody is gone, but my luggage never came out.',
      'Sorry, I do not remember this number.',
      'From Chengdu, and then I changed the plane in Frankfurt this afternoon.',
      'It is a big green suitcase with dark stripes, like a watermelon, and my niece put a panda sticker on the side.',
      'My hotel is the Harbour View, near the old bridge.',
      'How long do I have to wait for it?',
      'Hm, this is difficult. I give a speech tomorrow at nine in the morning, and my suit is inside.',
      'A toothbrush is nice, but I cannot speak to two hundred people in a T-shirt.',
    ],
  },
  {
    practice: 'job-interview',
    difficulty: 'hard',
    coach: 'Priya',
    learner: 'Yusuf, from Izmir, a nurse who wants to plan a hospital’s shifts',
    says: [
      'Thank you for inviting me. I have been a nurse for nine years, the last four in an emergency room at night.',
      'What do you mean by strength? Something about my character?',
      'People say that I stay calm when everything is burning.',
      'One night the computer system was down and forty patients were waiting. I took a marker and drew the whole plan on a window.',
      'In the end all forty patients were treated before sunrise, and we made no mistake.',
      'I would like to work with you because I want to do for a whole hospital what I did on that window.',
      'They know the job, but they have never stood in the corridor at three in the morning when a plan falls apart. I have.',
      'I would like to know how many people I would work with.',
    ],
  },
];

const content = fileURLToPath(new URL('../packages/catalogue/content', import.meta.url));
const scenes = new Map(readScenes(content).map((scene) => [scene.key, scene]));
const understanding = createUnderstanding(() => readSharedActs(content));

function hold({ practice, difficulty, coach: coachName, learner, says }: Conversation): string {
  const scene = scenes.get(practice);
  if (scene === undefined) throw new Error(`there is no practice "${practice}"`);
  const words = Object.entries(scene.file.words).map(([word, meaning]) => ({ word, meaning }));
  const coach = understanding.coachFor(scene.dialogue, { coachName, seed: 4, words });
  if (coach === null) throw new Error(`"${practice}" does not understand answers`);
  const learnerName = learner.split(',')[0] ?? learner;
  const lines = [`**${coachName}:** ${coach.open(difficulty)}`];
  const met = new Set<string>();
  let node = scene.dialogue.start;
  let memory = EMPTY_MEMORY;
  for (const [index, said] of says.entries()) {
    const answer = coach.answer({ node, difficulty, said, memory });
    const newlyMet = answer.objectives.filter((key) => !met.has(key));
    for (const key of newlyMet) met.add(key);
    const ticks = newlyMet.map(
      (key) => ` _(✓ ${scene.file.objectives[key as keyof typeof scene.file.objectives] ?? key})_`,
    );
    lines.push(`**${learnerName}:** ${said}${ticks.join('')}`, `**${coachName}:** ${answer.coach}`);
    ({ memory } = answer);
    node = answer.reply ?? node;
    if (answer.hasEnded !== (index === says.length - 1))
      throw new Error(
        `"${practice}" ${answer.hasEnded ? 'ends early' : 'does not end'}, at "${node}":\n${lines.join('\n')}`,
      );
  }
  return [
    `## ${scene.title}`,
    `${coachName} and ${learner}; difficulty: ${difficulty}. Objectives met: ${met.size} of ${scene.objectives.length}.`,
    ...lines,
  ].join('\n\n');
}

export const describeTranscripts = (): string =>
  `${[
    '# Three conversations',
    'These are conversations with the guided coach, offline, without a language model; the learner’s words are free. `scripts/write-transcripts.ts` writes this page.',
    ...CONVERSATIONS.map(hold),
  ].join('\n\n')}\n`;
