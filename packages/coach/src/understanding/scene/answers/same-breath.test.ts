/** Additions to an answer in the same breath, at steps of the scenes that ship: a correction, or a question back. */
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf } from '../../../test-kit/scene-coaches.ts';
import { LEFT_OPEN, TURNED_BACK, UNANSWERED } from '../coach-phrases.ts';
import { EMPTY_MEMORY } from '../../index.ts';

const DELAY = 'Explain a delay to a client';

describe('corrected value', { timeout: 60_000 }, () => {
  it.each([
    [DELAY, 'new-date', 'It will be there on Monday, no wait, on Tuesday.', /Tuesday works/],
    [DELAY, 'new-date', 'it comes on monday sorry tuesday', /Tuesday works/],
    ['Swap a shift', 'return', 'I could take Monday, I mean Wednesday.', /Wednesday works/],
    ['Run a short meeting', 'deadline', 'By Thursday, no, sorry, by Friday.', /Friday should be possible/],
  ])('is the one that the coach repeats: %s, %s', (title, node, said, line) => {
    expect(answerAt(title, node, said).coach).toMatch(line);
  });

  it('is understood like the answer that it represents', () => {
    expect(answerAt('Report a lost suitcase', 'flight', "It's BA 245, sorry, BA 254.").objectives).toEqual(
      answerAt('Report a lost suitcase', 'flight', "It's BA 254.").objectives,
    );
    expect(answerAt('Check in at a hotel', 'nights', 'Two nights, sorry, three nights.')).toMatchObject({
      kind: 'intent',
      objectives: ['nights'],
    });
  });
});

describe('question back', { timeout: 60_000 }, () => {
  it.each([
    [DELAY, 'opening', 'We are two days late.', 'Is that okay?'],
    [DELAY, 'new-date', 'On Tuesday morning.', 'Does that work for you?'],
    ['Check in at a hotel', 'nights', 'Two nights.', 'How much does it cost?'],
    ['Small talk before a meeting', 'journey', 'It was good, thanks.', 'And yours?'],
    ['Open a job interview', 'work', 'I sold phones for five years.', 'What about you?'],
  ])('leaves the answer as it is: %s, %s', (title, node, answer, question) => {
    const alone = answerAt(title, node, answer);
    const both = answerAt(title, node, `${answer} ${question}`);
    expect(both.reply).toBe(alone.reply);
    expect(both.objectives.filter((objective) => objective !== 'ask-back')).toEqual(alone.objectives);
  });

  it('about a fact of the scene gets the fact, once', () => {
    const { coach, reply } = answerAt('Check in at a hotel', 'nights', 'Two nights. How much does it cost?');
    expect(reply).toBe('room');
    expect(coach.match(/pounds/g)).toHaveLength(1);
  });

  it('that returns the coach’s own question gets the scene’s answer about the coach', () => {
    const said = 'It was long, but okay. How was yours?';
    expect(answerAt('Small talk before a meeting', 'journey', said).coach).toContain('ten minutes away');
  });

  it('that the scene does not answer is turned back politely', () => {
    const toReturned = answerAt('Open a job interview', 'work', 'I sold phones for five years. And you?').coach;
    expect(TURNED_BACK.some((phrase) => toReturned.includes(phrase))).toBe(true);
    const toOther = answerAt('Check in at a hotel', 'nights', 'Three nights. Who painted this picture?').coach;
    expect(UNANSWERED.some((phrase) => toOther.includes(phrase))).toBe(true);
  });

  it('whether the answer suits the coach is left open where no reaction says so', () => {
    const { coach, kind } = answerAt(DELAY, 'offer', 'On Tuesday. Does that work for you?');
    expect(kind).toBe('bridge');
    expect(LEFT_OPEN.some((phrase) => coach.includes(phrase))).toBe(true);
  });

  it('does not hide the details of the answer when the scene is remembered', () => {
    const coach = coachOf(DELAY);
    const tell = (said: string) => coach.recall([{ node: 'opening', next: 'reason', said, fitted: true }]).knownFacts;
    expect(tell('It comes on Tuesday. What time do you open?')).toEqual(tell('It comes on Tuesday.'));
  });

  it('beside how the learner is remains small talk', () => {
    const coach = coachOf('Check in at a hotel');
    const said = "I'm fine, thanks. And you?";
    const answer = coach.answer({ node: 'nights', difficulty: 'easy', said, memory: EMPTY_MEMORY });
    expect(answer).toMatchObject({ kind: 'asks', reply: null, objectives: [] });
  });
});

it('saying how late a delivery is gives no reason for the delay', { timeout: 60_000 }, () => {
  const { objectives, coach } = answerAt(DELAY, 'reason', 'We are two days late.');
  expect(objectives).not.toContain('give-the-reason');
  expect(coach).toMatch(/not why|reason/);
  expect(answerAt(DELAY, 'opening', 'We are two days late.').objectives).toEqual(['name-the-delay']);
});

it('the coach asks for the reason of a delay after hearing only its length', { timeout: 60_000 }, () => {
  const answer = answerAt(DELAY, 'how-late', 'four days it come on tuesday', 'easy');
  expect(answer.reply).toBe('reason');
  expect([...answer.memory.knownFacts]).toEqual(['lateness']);
  expect(answerAt(DELAY, 'how-late', 'four days because the truck broke down', 'easy').reply).toBe('upset');
  const { objectives } = answerAt(
    'Give a stand-up update',
    'yesterday',
    'I finished the tests and I have no problems.',
  );
  expect(objectives).toContain('problem');
});

it('wishes and statements that begin like questions are not questions', { timeout: 60_000 }, () => {
  const wish = answerAt('A phone call on a bad line', 'close', 'Yes, thanks. Have a safe trip!');
  expect(UNANSWERED.some((phrase) => wish.coach.includes(phrase))).toBe(false);
  const said = "That's Leo. When he has his headphones on, nobody can disturb him.";
  const { coach } = answerAt('Introduce your team', 'person', said);
  expect(UNANSWERED.some((phrase) => coach.includes(phrase))).toBe(false);
});

it.each([
  ['Report a lost suitcase', 'news', 'when i can have it', 'when'],
  ['Your first day at work', 'where', 'where i can find the toilet', 'where'],
  ['Check in at a hotel', 'more', 'where i can eat breakfast', 'breakfast'],
  ['Open a bank account', 'questions', 'how much if i take money in other country', 'cost'],
  ['Meet a client for the first time', 'needs', 'How many deliveries do you need per month, more or less?', 'needs'],
])('a question in a learner’s own grammar counts: %s, %s, %s', { timeout: 60_000 }, (title, node, said, objective) => {
  expect(answerAt(title, node, said).objectives).toContain(objective);
});

it('a sentence that begins like a question may be an offer', { timeout: 60_000 }, () => {
  expect(answerAt('Agree on a price', 'small', 'What we can do is split the cost.').kind).not.toBe('asks');
});

it('a name in the reservation is not asked for again', { timeout: 60_000 }, () => {
  expect(answerAt('Check in at a hotel', 'welcome', "I've got a reservation under Zhang, three nights.").reply).toBe(
    'room',
  );
});
