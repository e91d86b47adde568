/** The guided coach on every practice that ships, at each difficulty. */
import { loadSharedUnderstanding, loadStarterCatalogue } from '@parley/catalogue';
import { PRACTICE_DIFFICULTIES, type PracticeDifficulty, type Turn } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { coachSaid, learnerSaid } from '../test-kit/builders.ts';
import { createUnderstanding } from '../understanding/index.ts';
import { answerTurn, currentReplies } from './answer-turn.ts';
import { openConversation } from './dialogue-engine.ts';
import type { GuidedPractice } from './guided-coach.ts';
import { buildHints } from './hints.ts';

const catalogue = loadStarterCatalogue();
const understanding = createUnderstanding(loadSharedUnderstanding);
const MAX_ANSWERS = 60;
/** How many practices are part of the quick tests. */
const QUICK = 2;
/** One for each way of being difficult; `npm run prove -- coach` runs a hundred for each practice. */
const CONVERSATIONS = Number(process.env['DIFFICULT_CONVERSATIONS'] ?? 9);

function openPractice(title: string, difficulty: PracticeDifficulty, seed = 7): GuidedPractice {
  const practice = catalogue.practices.find((row) => row.title === title);
  const profile = catalogue.aiAgentProfiles.find(({ agentId }) => agentId === practice?.agentId);
  const dialogue = practice?.dialogue ?? null;
  if (practice === undefined || dialogue === null || profile === undefined) throw new Error(`no dialogue "${title}"`);
  const { manner, name: coachName } = profile;
  const objectiveIds = new Set(
    catalogue.practiceObjectives.flatMap((row) => (row.practiceId === practice.practiceId ? [row.objectiveId] : [])),
  );
  return {
    title,
    dialogue,
    difficulty,
    manner,
    coachName,
    seed,
    sceneCoach: understanding.coachFor(dialogue, { coachName, seed, reassure: manner.reassure }),
    objectives: catalogue.objectives.filter(({ objectiveId }) => objectiveIds.has(objectiveId)),
  };
}

interface Held {
  turns: Turn[];
  proved: Map<string, string>;
  hasEnded: boolean;
}

/** Answers the coach until it says goodbye. */
function hold(practice: GuidedPractice, answer: (turns: readonly Turn[]) => string): Held {
  const opening = openConversation(practice);
  const turns: Turn[] = [coachSaid(opening.text, opening)];
  const proved = new Map<string, string>();
  for (let count = 0; count < MAX_ANSWERS; count += 1) {
    const text = answer(turns);
    const said = learnerSaid(text, { node: turns.at(-1)?.node ?? null });
    const completed = practice.objectives.filter(({ objectiveId }) => proved.has(objectiveId));
    const reply = answerTurn(practice, { turns: [...turns, said], completed }, said);
    for (const { objectiveId, words } of reply.proved) {
      expect(text).toContain(words);
      proved.set(objectiveId, words);
    }
    turns.push({ ...said, fitted: reply.fitted }, coachSaid(reply.line.text, reply.line));
    if (reply.line.kind === 'goodbye') return { turns, proved, hasEnded: true };
  }
  return { turns, proved, hasEnded: false };
}

const linesOf = ({ turns }: Held): string[] => turns.flatMap((turn) => (turn.role === 'coach' ? turn.text : []));

/** Park and Miller's minimal standard generator. */
function createPick(first: number): <Value>(values: readonly Value[]) => Value {
  let seed = first + 1;
  return (values) => {
    seed = (seed * 16_807) % 2_147_483_647;
    const value = values[seed % values.length];
    if (value === undefined) throw new Error('there is nothing to pick from');
    return value;
  };
}

const OFF_TOPIC = [
  'My cat sleeps on the sofa.',
  'Pizza is my favourite food.',
  'Do you like football?',
  'The moon is far.',
];
const SILENT = ['', '…', 'Hm.', 'Eh'];
const FOREIGN = [
  'Ich weiß es leider nicht.',
  'no sé qué decir',
  'je ne comprends pas',
  '我不知道',
  'Sorry, wie sagt man das?',
];
const QUESTIONS = ['Could you repeat that?', 'Slower, please.', 'What does that mean?', 'Can you give me an example?'];

/** Learners who are difficult for the coach, each in one way or in all of them. */
function difficultAnswer(practice: GuidedPractice, number: number): (turns: readonly Turn[]) => string {
  const pick = createPick(number * 7_919);
  const all = practice.dialogue.nodes.flatMap(({ understanding: known }) =>
    (known?.intents ?? []).flatMap(({ examples }) => examples.slice(0, 6)),
  );
  const longWinded = (): string =>
    `Well, you know, ${pick(all)} And by the way, ${pick(OFF_TOPIC)} ${pick(all)} So, yes.`;
  const everything = (): string => [pick(all), pick(all), pick(all), pick(all)].join(' ');
  const mixed = (): string => `${pick(FOREIGN)} ${pick(all)}`;
  const ways = [
    () => pick(OFF_TOPIC),
    () => pick(SILENT),
    longWinded,
    () => pick(FOREIGN),
    mixed,
    everything,
    () => pick(QUESTIONS),
    () => pick(all),
  ];
  const isMixedLearner = number % (ways.length + 1) === ways.length;
  const only = ways[number % ways.length] ?? everything;
  return () => (isMixedLearner ? pick(ways)() : only());
}

function describePractice(title: string): void {
  it.each(PRACTICE_DIFFICULTIES)(
    'ends for any model replies, and all objectives can be proved (%s)',
    { tags: ['slow'] },
    (difficulty) => {
      const practice = openPractice(title, difficulty);
      const provedBy = [0, 1, 2, 3, 4, 5].map((choice) => {
        const held = hold(practice, (turns) => {
          const replies = currentReplies(practice, turns);
          const most = replies.toSorted((a, b) => b.proves.length - a.proves.length);
          return (
            (choice === 3 ? most[0] : replies[(choice * (choice > 3 ? turns.length : 1)) % replies.length])?.text ?? ''
          );
        });
        const lines = linesOf(held);
        expect(held.hasEnded, lines.join('\n')).toBe(true);
        for (const line of lines) expect(line).not.toMatch(/[{}]|undefined/);
        return [...held.proved.keys()];
      });
      expect(new Set(provedBy.flat()).size).toBe(practice.objectives.length);
    },
  );

  it.each(PRACTICE_DIFFICULTIES)('offers hints at every node (%s)', (difficulty) => {
    const { dialogue } = openPractice(title, difficulty);
    for (const { replies } of dialogue.nodes) {
      const candidates = replies[difficulty];
      for (const level of [1, 2, 3] as const)
        for (const hint of buildHints(candidates, level)) expect(hint).toMatch(/\w/);
    }
  });

  it('ends with a difficult learner, without a loop or a repeated line', () => {
    for (let number = 0; number < CONVERSATIONS; number += 1) {
      const difficulty = PRACTICE_DIFFICULTIES[number % 3] ?? 'easy';
      const practice = openPractice(title, difficulty, number);
      const held = hold(practice, difficultAnswer(practice, number));
      const lines = linesOf(held);
      expect(held.hasEnded, held.turns.map(({ role, text }) => `${role}: ${text}`).join('\n')).toBe(true);
      lines.forEach((line, index) => expect(line).not.toBe(lines[index - 1]));
    }
  });
}

const EVERY_PRACTICE = '“%s”';
const titles = catalogue.practices.map(({ title }) => title);
// Each trains a model for every question of its conversation.
describe.each(titles.slice(0, QUICK))(EVERY_PRACTICE, { timeout: 600_000 }, describePractice);
describe.each(titles.slice(QUICK))(EVERY_PRACTICE, { timeout: 600_000, tags: ['slow'] }, describePractice);

describe('memory of a session', { timeout: 120_000 }, () => {
  const title = 'Explain a delay to a client';

  it('is derived from its turns, so that another device continues identically', { tags: ['slow'] }, () => {
    const here = openPractice(title, 'intermediate');
    const elsewhere: GuidedPractice = {
      ...here,
      sceneCoach: createUnderstanding(loadSharedUnderstanding).coachFor(here.dialogue, {
        coachName: here.coachName,
        seed: here.seed,
        reassure: here.manner.reassure,
      }),
    };
    const { turns } = hold(here, difficultAnswer(here, 8));
    for (const [index, turn] of turns.entries()) {
      const next = turns[index + 1];
      if (turn.role !== 'learner' || next?.role !== 'coach') continue;
      const reply = answerTurn(elsewhere, { turns: turns.slice(0, index + 1), completed: [] }, turn);
      expect(reply.line).toEqual({ node: next.node, text: next.text, kind: next.kind });
    }
  });

  it('does not ask for details that the learner has already given', () => {
    const practice = openPractice(title, 'easy');
    const opening = openConversation(practice);
    const first = learnerSaid("I'm calling because our truck has broken down.");
    const turns: Turn[] = [coachSaid(opening.text, opening), first];
    const reply = answerTurn(practice, { turns, completed: [] }, first);
    const second = learnerSaid('About four days.');
    const later = [...turns, coachSaid('How late will it be?', { node: 'how-late' }), second];
    expect(reply.fitted).toBe(true);
    expect(answerTurn(practice, { turns: later, completed: [] }, second).line.node).not.toBe('reason');
  });

  it('continues an old session whose node no longer exists', () => {
    const practice = openPractice(title, 'easy');
    const said = learnerSaid('Your delivery is late.');
    const turns: Turn[] = [coachSaid('An old question?', { node: 'removed' }), said];
    expect(currentReplies(practice, turns).length).toBeGreaterThan(1);
    const { line } = answerTurn(practice, { turns, completed: [] }, said);
    expect(practice.dialogue.nodes.map(({ key }) => key)).toContain(line.node);
  });

  it('speaks with the name of the assigned coach', () => {
    const practice = { ...openPractice(title, 'easy'), coachName: 'Priya' };
    const sceneCoach = understanding.coachFor(practice.dialogue, { coachName: 'Priya', seed: 7 });
    expect(openConversation({ ...practice, sceneCoach }).text).toContain('Priya');
  });
});
