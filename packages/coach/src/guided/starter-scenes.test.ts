/** Answers of different learners in the scenes that ship: short ones, ones in other words, and ones that say two things at once. */
import { PRACTICE_DIFFICULTIES } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf, dialogueOf } from '../test-kit/scene-coaches.ts';

const HELP = 'Ask a colleague for help';
const TEAM = 'Introduce your team';
const SUITCASE = 'Report a lost suitcase';
const MISTAKE = 'Own up to a mistake';
const INVOICE = 'Chase an unpaid invoice';
const HOTEL = 'Check in at a hotel';
const FLAT = 'Rent a flat';

describe('a learner’s own words', { timeout: 60_000 }, () => {
  it.each([
    [HELP, 'thanks', 'ok thanks', ['thank']],
    [TEAM, 'arrive', "Hi, come in! You are welcome. I'm Pedro.", ['welcome']],
    [TEAM, 'proud', 'Honestly? Turning furious customers into fans.', ['good']],
    [SUITCASE, 'bag', 'black, small', ['describe']],
    [MISTAKE, 'angry', 'sorry, I was too fast', ['sorry']],
    [MISTAKE, 'prevent', "I've locked the old templates so nobody can use them any more.", ['prevent']],
    [INVOICE, 'waiting', 'No.', []],
    [FLAT, 'when', "I don't know yet. I have to tell my landlord.", []],
    [FLAT, 'condition', "Two years? I honestly can't commit to that, my contract's up next spring.", ['condition']],
  ])('prove what they say (%s, %s): %s', (scene, node, said, objectives) => {
    expect(answerAt(scene, node, said).objectives).toEqual(objectives);
  });

  it.each([
    [SUITCASE, 'delay', "That's no good at all, I've got a wedding on Saturday.", 'expenses'],
    [MISTAKE, 'door', 'The system deleted a file.', 'tell'],
    [INVOICE, 'opening', 'I want my money.', 'clarify'],
  ])('lead on (%s, %s): %s', (scene, node, said, next) => {
    expect(answerAt(scene, node, said).reply).toBe(next);
  });

  it('that tell two things at once answer both questions', () => {
    const said = "It's so bright! I'd be moving in alone, by the way, I'm a nurse at the hospital. What's the rent?";
    const { objectives, memory } = answerAt(FLAT, 'look', said);
    expect(objectives).toEqual(['costs', 'who']);
    const moved = coachOf(FLAT).answer({
      node: 'price',
      difficulty: 'easy',
      said: "Yes, that's okay with me.",
      memory,
    });
    expect(moved.reply).toBe('when');
  });
});

describe('a question about a scene', { timeout: 60_000 }, () => {
  it.each([
    [HOTEL, 'room', 'Are dogs allowed?', /Small dogs/],
    [HOTEL, 'room', 'Is it quiet?', /traffic/],
    [HELP, 'what', 'Who else could help me?', /Mia/],
  ])('is answered (%s): %s %s', (scene, node, said, answer) => {
    expect(answerAt(scene, node, said).coach).toMatch(answer);
  });
});

describe('a model reply', { timeout: 60_000 }, () => {
  it('is acknowledged according to what it says', () => {
    const said = "Yes, please go ahead, since I'd rather not spend the whole afternoon at the airport.";
    expect(answerAt(HOTEL, 'late-fee', said, 'hard').coach).not.toContain('eleven');
  });

  const WEEKDAY = /(?:Mon|Tues|Wednes|Thurs|Fri)day/;
  const DAY = new RegExp(`${WEEKDAY.source}|today|next week`, 'i');
  const dated = ['Explain a delay to a client', 'Run a short meeting'].flatMap((scene) =>
    dialogueOf(scene).nodes.flatMap(({ key, replies }) =>
      PRACTICE_DIFFICULTIES.flatMap((difficulty) =>
        replies[difficulty].flatMap(({ text, proves }) => {
          const day = proves.map(({ words }) => WEEKDAY.exec(words)?.[0]).find((found) => found !== undefined);
          return day === undefined ? [] : [[scene, key, text, difficulty, day] as const];
        }),
      ),
    ),
  );
  it.each(dated)('is agreed to with the day that it promises (%s, %s): %s', (scene, node, text, difficulty, day) => {
    const named = DAY.exec(answerAt(scene, node, text, difficulty).coach)?.[0] ?? day;
    expect(named).toBe(day);
  });
});
