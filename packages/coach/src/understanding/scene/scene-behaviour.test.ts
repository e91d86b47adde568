/** How scenes that ship react to what learners do: what is remembered, ticked and said at the end. */
import { PRACTICE_DIFFICULTIES, type PracticeDifficulty } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf, dialogueOf, SCENES } from '../../test-kit/scene-coaches.ts';
import { EMPTY_MEMORY, type SceneAnswer } from '../index.ts';

/** Says these things one after the other from the beginning of a scene. */
function hold(title: string, difficulty: PracticeDifficulty, says: readonly string[]): SceneAnswer[] {
  const coach = coachOf(title);
  let node = dialogueOf(title).start;
  let memory = EMPTY_MEMORY;
  return says.map((said) => {
    const answer = coach.answer({ node, difficulty, said, memory });
    node = answer.reply ?? node;
    memory = answer.memory;
    return answer;
  });
}

const DELAY = 'Explain a delay to a client';
const STAND_UP = 'Give a stand-up update';
const HOTEL = 'Check in at a hotel';
const INTERVIEW = 'Open a job interview';

it('never says the same line twice in a row, also when asked to repeat it', () => {
  const coach = coachOf(HOTEL);
  const said = { node: 'name', difficulty: 'hard', said: 'Could you repeat that, please?' } as const;
  const first = coach.answer(said).coach;
  const again = coach.answer({ ...said, lastLine: first }).coach;
  expect(again).not.toBe(first);
  expect(again).toMatch(/\?$/);
}, 60_000);

describe('ending', { timeout: 60_000 }, () => {
  it('names the day that was agreed', () => {
    const { coach } = answerAt(DELAY, 'new-date', 'I can promise you Thursday morning.');
    expect(coach).toContain('Thursday');
    expect(coach).not.toContain('Tuesday');
  });

  it.each(PRACTICE_DIFFICULTIES)('names no day that was not mentioned (%s)', (difficulty) => {
    const { coach } = answerAt(DELAY, 'last-chance', "I'm sorry, I can't give you a date.", difficulty);
    expect(coach).not.toMatch(/\b(?:Mon|Tues|Wednes|Thurs|Fri)day\b/);
  });

  it('does not answer a question that was not asked', () => {
    const nothing = answerAt(HOTEL, 'more', 'No, thank you. I just want to sleep.');
    expect(nothing).toMatchObject({ kind: 'intent', hasEnded: true });
    expect(nothing.coach).not.toContain('included');
    expect(answerAt(HOTEL, 'more', 'When is breakfast?').coach).toContain('included');
  });
});

describe('learner', { timeout: 60_000 }, () => {
  it('who has no problem says so', () => {
    expect(answerAt(STAND_UP, 'problem', 'No, no problems on my side.')).toMatchObject({
      kind: 'intent',
      objectives: ['problem'],
    });
  });

  it('who has no question says so', () => {
    expect(answerAt(INTERVIEW, 'question', "No, I don't have any questions.")).toMatchObject({
      kind: 'intent',
      objectives: [],
    });
  });

  it('who names a problem early is not asked for one', () => {
    const answers = hold(STAND_UP, 'easy', [
      'I could not work because the server was down all day.',
      'I will continue with the tests.',
    ]);
    expect(answers[0]?.objectives).toContain('problem');
    expect(answers[1]?.reply).toBe('ask');
  });

  it('who gives a name early is not asked for it', () => {
    const answers = hold(HOTEL, 'easy', ['Good evening, I have a reservation under the name of Kowalski.']);
    expect(answers[0]?.memory.knownFacts).toContain('name');
    expect(answers[0]?.reply).not.toBe('name');
  });

  it.each([
    ['Open a bank account', 'papers', 'No.'],
    ['Open a bank account', 'papers', 'Not yet.'],
    ['Open a bank account', 'papers', "No, I don't."],
  ])('who answers in a word answers only what was asked: %s, %s, %s', (title, node, said) => {
    const { objectives, memory } = answerAt(title, node, said, 'easy');
    const { learns, understanding: known } = dialogueOf(title).nodes.find(({ key }) => key === node) ?? {};
    const own = known?.intents.flatMap(({ proves }) => proves) ?? [];
    expect(objectives.filter((objective) => !own.some((key) => key === objective))).toEqual([]);
    expect([...memory.knownFacts].filter((fact) => fact !== learns)).toEqual([]);
  });

  it('who reports no problems early is not asked for any', () => {
    const said = 'Yesterday I finished the login page. Today I will write tests. No problems.';
    expect(answerAt(STAND_UP, 'yesterday', said).memory.knownFacts).toContain('problem');
  });

  it.each(['Hello, my name is Ana, nice to meet you.', "Hi, my name's Chen."])(
    'who says a name has not said anything else: %s',
    (said) => {
      expect(answerAt('Your first day at work', 'welcome', said, 'easy').objectives).toEqual(['introduce']);
    },
  );

  it('who says a name before it is asked for is not asked for it', () => {
    const { memory, objectives } = answerAt(HOTEL, 'welcome', "Good evening, my name's Adam Weber.", 'easy');
    expect(memory.knownFacts).toContain('name');
    expect(objectives).not.toContain('nights');
  });

  it.each([
    'Smith',
    "O'Brien",
    'zhang',
    'Mr Brown',
    "it's yuki tanaka",
    'Ana María de la Cruz',
    'Werth',
    'Ng',
    'Schmidt',
    'Emma Stone',
    'david field',
    'Wendy',
    'Amber',
    'Carpenter',
    'Мария',
    '田中',
  ])('who is asked for a name may say nothing else: %s', (said) => {
    expect(answerAt(HOTEL, 'name', said)).toMatchObject({ kind: 'intent', reply: 'nights' });
    expect(answerAt('Make an appointment', 'name', said).objectives).toEqual(['name']);
  });

  it.each([
    'Sorry',
    'again please',
    'I like pizza',
    'nice weather',
    'hola',
    'не знаю',
    '我不知道',
    'My cat sleeps',
    'asdf qwer zxcv',
    'asdfgh',
    'qwertz',
    'hjkl',
    'xxxx',
    'aaaaaa',
    'bcdfg',
  ])('who is asked for a name has not said one: %s', (said) => {
    expect(answerAt(HOTEL, 'name', said)).toMatchObject({ reply: null, objectives: [] });
  });

  it.each([
    'Pizza',
    'Credit card',
    'Business trip',
    'Insurance',
    'Doctor',
    'Football',
    'Breakfast',
    'dentist appointment',
  ])('who is asked for a name has not said one with another word: %s', (said) => {
    expect(answerAt('Make an appointment', 'name', said).objectives).toEqual([]);
  });

  it('who says a name where none is asked for has not answered', () => {
    expect(answerAt(HOTEL, 'more', 'Zhang')).toMatchObject({ reply: null });
  });

  it.each(['Can I have a quiet room please?', 'Do you have a quieter room?', 'When will you pay?'])(
    'whose question has no answer here is told so: %s',
    (said) => {
      const { coach, kind } = answerAt(HOTEL, 'name', said);
      expect(kind).toBe('asks');
      expect(coach).toMatch(
        /look that up later|for sure right now|what we know for the moment|come back to that|think about that/,
      );
    },
  );

  it.each([
    ['Open a job interview', 'question', 'Yes.'],
    ['Open a job interview', 'question', 'I have a question.'],
    ['Check in at a hotel', 'more', 'Yes, I do.'],
    ['Open a bank account', 'questions', 'yes i have one'],
    ['Join the discussion', 'idea', 'Yes, I have an idea.'],
  ])('who only says that there is a question is asked for it: %s, %s, %s', (title, node, said) => {
    expect(answerAt(title, node, said)).toMatchObject({ kind: 'asks', reply: null, objectives: [], hasEnded: false });
  });

  it('who names a strength proves it only with an example', () => {
    expect(answerAt(INTERVIEW, 'strength', "I'm very well organised.").objectives).not.toContain('strength');
    const said = "I'm well organised. Last year I planned a conference for two hundred people.";
    expect(answerAt(INTERVIEW, 'strength', said).objectives).toContain('strength');
  });

  it('who is asked for questions gets an answer, and the question counts', () => {
    const answer = answerAt(INTERVIEW, 'question', 'How many people have applied for the job?');
    expect(answer).toMatchObject({ kind: 'bridge', objectives: ['question'], hasEnded: true });
    expect(answer.coach).toContain('five people');
  });

  it.each([
    ['Open a job interview', 'Because I want to learn new things.'],
    ['Interview for an internship', "I'm very motivated."],
    ['Rent a flat', 'I live near the station now.'],
  ])('who is asked for questions and asks none is asked again: %s, %s', (title, said) => {
    const { nodes } = dialogueOf(title);
    const node = nodes.find(({ key }) => ['question', 'questions'].includes(key));
    const answer = answerAt(title, node?.key ?? '', said);
    expect(answer).toMatchObject({ reply: null, hasEnded: false });
    // It may meet an objective of another question.
    const own = new Set<string>(node?.understanding?.intents.flatMap(({ proves }) => proves));
    expect(answer.objectives.filter((objective) => own.has(objective))).toEqual([]);
  });

  it.each(['Thank you, goodbye', 'Bye, thanks for everything!'])(
    'who says goodbye where the coach offers more declines the offer: %s',
    (said) => expect(answerAt(HOTEL, 'more', said)).toMatchObject({ kind: 'intent', hasEnded: true }),
  );

  it.each([
    ['Rent a flat', 'How long will that take?'],
    ['Rent a flat', 'How old is the lift?'],
    ['Interview for an internship', 'How many printers do you have?'],
  ])('whose invited question has no answer here is told so: %s, %s', (title, said) => {
    const { kind, coach } = answerAt(title, 'questions', said);
    expect(['bridge', 'asks']).toContain(kind);
    expect(coach).toMatch(/look that up later|for sure right now|what we know for the moment|come back to that/);
  });

  it('answers a question about the scene at any step, and stays there', () => {
    const answer = answerAt(DELAY, 'offer', 'How many customers are waiting for it?');
    expect(answer).toMatchObject({ kind: 'asks', reply: null });
    expect(answer.coach).toContain('twenty people');
  });

  it.each([
    [HOTEL, 'room', 'Is there wifi in the room?', /internet is free/],
    [HOTEL, 'welcome', 'Do you have wifi?', /internet is free/],
    [HOTEL, 'name', 'How much does it cost?', /ninety pounds/],
    ['Open a bank account', 'papers', 'Is there a fee for the card?', /five pounds a month/],
    ['Open a bank account', 'job', 'How much does the account cost?', /five pounds a month/],
  ])('who asks what things cost, or for the internet, is told: %s, %s, %s', (title, node, said, told) => {
    const { kind, coach } = answerAt(title, node, said);
    expect({ kind, coach }).toEqual({ kind: 'asks', coach: expect.stringMatching(told) });
  });

  it.each([
    [HOTEL, 'more', 'Is there wifi in the room?', 'breakfast'],
    ['Open a bank account', 'questions', 'Is there a fee for the card?', 'cost'],
  ])('who asks that where questions are invited meets the objective: %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).toEqual([objective]);
  });

  it('who asks something is not greeted', () => {
    expect(
      answerAt('Ask a colleague for help', 'when', 'How do you say "damaged" in a simple way?').coach,
    ).not.toContain('Nice to');
  });

  it('who speaks with hesitation, and without punctuation, is understood', () => {
    expect(answerAt(DELAY, 'how-late', 'um i i dont know yet er im not sure')).toMatchObject({
      kind: 'intent',
      objectives: [],
    });
    expect(answerAt(DELAY, 'how-late', 'ok and what does that mean')).toMatchObject({ kind: 'asks' });
  });

  it.each(['Maybe 160.', 'Around 170, I guess', 'Perhaps one hundred and fifty', 'I think 165 each, maybe'])(
    'who names a figure with hesitation has named it: %s',
    (said) =>
      expect(answerAt('Agree on a price', 'target', said)).toMatchObject({ kind: 'intent', objectives: ['figure'] }),
  );

  it('who meets two objectives in one turn is credited with both', () => {
    const said = "I see that it would save a lot of money, but I don't think that it's a good idea.";
    expect(answerAt('Disagree politely in a meeting', 'idea', said).objectives.toSorted()).toEqual([
      'acknowledge',
      'disagree',
    ]);
  });
});

describe.each(SCENES)('“%s”', (title) => {
  it('ends in more than one way, depending on what the learner says', () => {
    const { nodes, start } = dialogueOf(title);
    const byKey = new Map(nodes.map((node) => [node.key, node]));
    for (const difficulty of PRACTICE_DIFFICULTIES) {
      const reached = new Set([start]);
      for (const key of reached)
        for (const { next } of byKey.get(key)?.understanding?.intents ?? []) reached.add(next[difficulty]);
      const endings = [...reached].filter((key) => byKey.get(key)?.replies[difficulty].length === 0);
      expect(endings.length, difficulty).toBeGreaterThan(1);
    }
  });
});
