import { loadStarterCatalogue } from '@parley/catalogue';
import { GRAMMAR_RULES, readFeedbackText } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { findGrammarHints, grammarCorrections } from './find-grammar-hints.ts';

describe('grammar hint', () => {
  it.each([
    ['I has finished the report.', 'I have finished', 'agreement'],
    ["He don't know it.", "He doesn't know", 'agreement'],
    ["my boss don't like it", "my boss doesn't like", 'agreement'],
    ['She have a question.', 'She has', 'agreement'],
    ['Sorry, we was late.', 'we were late', 'agreement'],
    ['I am agree with you.', 'I agree', 'agree'],
    ["I'm not agree.", "I don't agree", 'agree'],
    ["I didn't went there.", "didn't go", 'base_form'],
    ['Did you saw the e-mail?', 'Did you see', 'base_form'],
    ['I have forgot the number.', 'I have forgotten', 'participle'],
    ['I work here since three years.', 'for three years', 'since_for'],
    ['It is more better like this.', 'better', 'comparative'],
    ['I need two informations.', 'information', 'uncountable'],
    ['Can you give me an advice?', 'some advice', 'uncountable'],
    ['I can to send it today.', 'I can send', 'no_to'],
    ['I want know the price.', 'I want to know', 'with_to'],
    ['It depends of the price.', 'depends on', 'preposition'],
    ['We must discuss about the date.', 'discuss', 'preposition'],
    ['Can you explain me the problem?', 'explain to me', 'preposition'],
    ['Yesterday I go to the bank.', 'Yesterday I went', 'past'],
    ['I go to Berlin yesterday.', 'I went to Berlin yesterday', 'past'],
    ['We have too much problems.', 'too many problems', 'many'],
    ['Can you say me the number?', 'Can you tell me', 'tell'],
    ["You doesn't understand me.", "You don't understand", 'agreement'],
    ["I'm sorry, you was right.", 'you were right', 'agreement'],
    ['What did you saw?', 'did you see', 'base_form'],
    ['Do you want have breakfast?', 'you want to have', 'with_to'],
    ['If you want come earlier, call me.', 'you want to come', 'with_to'],
    ['How much people are there?', 'How many people', 'many'],
    ['How much nights do you want?', 'How many nights', 'many'],
    ['I know that yesterday we go home late.', 'yesterday we went', 'past'],
    ['How much days does it take?', 'How many days', 'many'],
    ['How much months is it?', 'How many months', 'many'],
    ['But you was late.', 'you were late', 'agreement'],
    ['And you doesn’t understand me.', "you don't understand", 'agreement'],
    ['If you has time, call me.', 'you have time', 'agreement'],
    ['Good morning I would like make a reservation', 'I would like to make', 'with_to'],
    ['Actually I want know the price', 'I want to know', 'with_to'],
    ['Today we need make a decision', 'we need to make', 'with_to'],
    ['Yesterday did you saw him?', 'did you see', 'base_form'],
    ['Actually yesterday I speak with her', 'yesterday I spoke', 'past'],
    ['We discussed about a new plan.', 'discussed', 'preposition'],
    ['I need an information and a map.', 'some information', 'uncountable'],
    ['I have a good news for you.', 'good news', 'uncountable'],
    ['There is many people in the shop.', 'There are many people', 'agreement'],
    ['Because there was two problems.', 'there were two problems', 'agreement'],
    ['I have 25 years old.', 'I am 25 years old', 'age'],
    ['My name is Ana and I have twenty-five years old', 'I am twenty-five years old', 'age'],
    ['She has eighteen years old.', 'She is eighteen years old', 'age'],
    ['I am engineer.', 'I am an engineer', 'article'],
    ["Hello, I'm teacher in a small school.", "I'm a teacher", 'article'],
    ["My brother is ill, and he's software developer.", "he's a software developer", 'article'],
    ['I want that you come.', 'I want you to come', 'with_to'],
    ['We would like that he sends it today.', 'We would like him to send', 'with_to'],
    ['How many time do you need?', 'How much time', 'many'],
    ['How many time does it take to get there?', 'How much time', 'many'],
    ['How many money do you have?', 'How much money', 'many'],
    ['Since five years I work here.', 'For five years', 'since_for'],
    ['I have broke the machine, so I called yesterday.', 'I have broken', 'participle'],
    ['She do the invoices.', 'She does', 'agreement'],
    ['I think he do it every day.', 'he does', 'agreement'],
    ["When she don't answer, I call again.", "she doesn't answer", 'agreement'],
    ["I know a man in the office and the problem is he don't call back", "he doesn't call", 'agreement'],
    ['If she have time, we can meet.', 'she has time', 'agreement'],
    ["I didn't felt well.", "didn't feel", 'base_form'],
    ["We didn't lost anything.", "didn't lose", 'base_form'],
    ['It is a more better price.', 'a better', 'comparative'],
    ['It is more easier this way.', 'It is easier', 'comparative'],
    ['I have a headache since a few days.', 'for a few days', 'since_for'],
    ['I work here since about three years.', 'for about three years', 'since_for'],
    ['I know her since a long time.', 'for a long time', 'since_for'],
    ['I have too much works today.', 'too much work', 'uncountable'],
    ['I am looking for a work in Berlin.', 'looking for work', 'uncountable'],
    ['It is depending of the weather.', 'depending on', 'preposition'],
    ['I will explain you the problem.', 'explain to you', 'preposition'],
    ['I call to explain you what happened.', 'explain to you', 'preposition'],
    ['She explained him why it is late.', 'explained to him', 'preposition'],
    ['I suggest you a new date.', 'suggest a', 'preposition'],
    ['I can propose you a refund.', 'offer you', 'preposition'],
    ['I am very interested on this job.', 'interested in', 'preposition'],
    ['We arrived to the hotel at ten.', 'arrived at the hotel', 'preposition'],
    ['I like to listen music.', 'listen to music', 'preposition'],
    ['I can wait you here.', 'wait for you', 'preposition'],
    ['I will call to you tomorrow.', 'call you', 'preposition'],
    ['Can we meet in Monday?', 'on Monday', 'preposition'],
    ['I can come at Friday morning.', 'on Friday', 'preposition'],
    ['I work as engineer in a big company.', 'work as an engineer', 'article'],
  ])('is given to “%s”: “%s” (%s)', (text, better, rule) => {
    expect(findGrammarHints(text, { isSpoken: true })).toMatchObject([{ better, rule }]);
  });

  it.each([
    ['I look forward to hear from you.', 'ing'],
    ['It comes in two day.', 'plural'],
    ['She need a room.', 'agreement'],
    ["I didn't worked there.", 'base_form'],
    ['Yesterday I work from home.', 'past'],
    ['I have question about the contract.', 'article'],
    ['Sorry, I have meeting at ten.', 'article'],
    ['I would be free in morning.', 'article'],
    ['I go to bank tomorrow.', 'article'],
    ['Thank you for help me.', 'ing'],
    ["I didn't stopped there.", 'base_form'],
  ])('about an ending that is easily misheard is for typed answers only: %s', (text, rule) => {
    expect(findGrammarHints(text, { isSpoken: true })).toEqual([]);
    expect(findGrammarHints(text, { isSpoken: false })).toMatchObject([{ rule }]);
  });

  it.each([
    "Does he have a reservation, or don't you know?",
    'The people who work with you have finished.',
    'One of you has my key.',
    "I'll do all I can to help you.",
    'Can you give me an information sheet?',
    'I have been here since two years ago, and since a week is too short.',
    'I need more cheaper rooms, and more often.',
    'We can talk more later.',
    'Let him have the file.',
    'Anna and I are late.',
    'I need help with this.',
    'I need make-up artists for the event.',
    'He need not come.',
    'How much time do people need?',
    'It arrived yesterday, and I go to work by bus.',
    'The driver and the client have agreed.',
    "What does it depend on? It doesn't depend on me.",
    'He did not say that they had called.',
    'I see that you went home yesterday.',
    "The link that I sent you doesn't work.",
    "The number they gave you doesn't exist.",
    'The man next to you has a reservation.',
    'Everyone but you has signed it.',
    'The contract between us and you was signed in May.',
    'The reason I did it was simple.',
    'The way they did it was wrong.',
    "Since two days were not enough, we stayed longer. Since three weeks don't matter, we can wait.",
    'I work for a software and hardware company.',
    'You need a knowledge of the market.',
    'I can to some extent. I could to a certain degree.',
    'The rooms you want have a balcony.',
    'The changes we want make sense.',
    'All the parts we need get here on Monday.',
    'That depends of course on the price.',
    'We discussed about a dozen ideas.',
    'Everyone but you was invited. The man next to you was late.',
    'We discussed about twenty ideas, and we will discuss about 10 more.',
    'I came back yesterday we get the parts on Monday',
    "I don't know how much people spend on travel.",
    'Can you tell me how much things cost here?',
    'I asked how much chairs cost.',
    'There is ten minutes left. There was two weeks of rain.',
    'It was a good news story.',
    // Age.
    'I have two sisters. One is 25 years old.',
    'I have 25 years of experience.',
    'I have a 25-year-old car.',
    'I am 25 years old and I have children.',
    'She has a son who is five years old.',
    'We have ten computers that are six years old.',
    'They have twenty years left on the contract.',
    'I have had it for ten years. Old machines last long.',
    'You have 30 years to pay it back.',
    'He has three old cars.',
    // A profession.
    'I am an engineer.',
    'I am responsible for the teacher training.',
    'I am student representative at my school.',
    'She is nurse manager here.',
    'He is teacher of the year.',
    "I'm Doctor Silva, and I'm manager of the sales team.",
    'I am Engineer Silva.',
    "I'm director of studies.",
    'The engineer I am in contact with is teacher Lopez.',
    'All I am is a student. I am both teacher and student.',
    'They are engineers, and so am I.',
    'I work as a teacher. Engineer was my first job.',
    // Here “I want” does not ask another person to do something.
    'I want that, you know.',
    'yes I want that you know',
    'I want that one. You come with me.',
    'I want that report. Can you send it?',
    'I would like that very much.',
    "I'd like that. They help a lot.",
    'Do you want that in writing?',
    'We want that car that you sent us pictures of.',
    'I want you to come.',
    'I think that you come at nine.',
    'I know what they want. That he comes is good.',
    // Questions about a quantity.
    'How many times do you need?',
    'How many time zones do you have?',
    'How much time do you need?',
    'How many time slots are there?',
    'How many information desks do you have?',
    'How many money transfers did you make?',
    'How many traffic lights are there?',
    'How many times did it take?',
    'How many did you have time for?',
    'I know how many. Time will tell.',
    // When.
    "I don't know when I will arrive.",
    'I have worked here for five years.',
    'Since 2019 I have worked here.',
    'Since May I work here.',
    // Verbs.
    'He need only call us, and she need never know.',
    "and I didn't said Jimmie",
    'If you have it don’t worry, and tell her he and she don’t agree.',
    "Neither he nor she don't know it.",
    'How well does he do? What did she do? Let him do it.',
    'Did she have time? Should he have time, call me.',
    'The work that she does is good, and so is the work he did.',
    "I didn't found the company.",
    'We need more cheaper rooms and no more better ideas.',
    'There are more older people here.',
    // Prepositions.
    'Let me explain. You are right.',
    'I will explain it to you. I explained her behaviour. I can explain them.',
    'As I explained you have to wait.',
    'I suggest you wait, and I suggest you take a taxi.',
    'I would like to propose. You may answer.',
    'Are you interested on Monday?',
    'We arrived to find the door closed. I arrive to work early.',
    'We arrived to the sound of music.',
    'Listen, music is playing.',
    'I can wait. You go first. ',
    'I made a call to you. The call to him was short.',
    'I am interested in Monday. In Friday’s meeting we said so.',
    'He was in Sunday school. At Monday meetings we laugh.',
    'Since a few days are not enough, we wait. Since a long time has passed, I forgot.',
    // Articles and nouns.
    'I work as engineer-in-chief, and he works as student representative.',
    'I have question marks everywhere. I have meeting rooms for you.',
    'In morning traffic it takes long. We met in evening dress.',
    'I go to bank holiday parties.',
    'Thank you for help and advice. Thanks for call number two.',
    'It is too much. Works of art are expensive.',
    'I am looking for a work permit and a work of art.',
  ])('is not given to correct English: %s', (text) => {
    expect(findGrammarHints(text, { isSpoken: false })).toEqual([]);
  });

  it.each([
    'I have broke my phone last year.',
    'We have went there two weeks ago.',
    "I've saw him yesterday.",
    'I has a meeting yesterday.',
    "It don't work last night.",
    'She have a problem two days ago.',
  ])('is not given where its wording would still be wrong: %s', (text) => {
    expect(findGrammarHints(text, { isSpoken: false })).toEqual([]);
  });

  it('is not given to anything that the catalogue says or suggests', () => {
    const sentences = loadStarterCatalogue().practices.flatMap(({ dialogue }) =>
      (dialogue?.nodes ?? []).flatMap(({ say, rephrase, replies, understanding }) => [
        ...Object.values(say),
        ...rephrase,
        ...Object.values(replies).flatMap((each) => each.map(({ text }) => text)),
        ...(understanding?.intents.flatMap(({ reactions }) => reactions) ?? []),
      ]),
    );
    expect(sentences.length).toBeGreaterThan(3_000);
    expect(sentences.flatMap((text) => findGrammarHints(text, { isSpoken: false }))).toEqual([]);
  });

  it('handles a long text quickly', () => {
    const started = performance.now();
    findGrammarHints('we has since a yesterday I did you can to '.repeat(100), { isSpoken: false });
    expect(performance.now() - started).toBeLessThan(500);
  });
});

it('keeps one correction of each kind, with its explanation as a code', () => {
  const corrections = grammarCorrections([
    { text: 'I am agree.', mode: 'voice' },
    { text: "We are agree, but he don't know.", mode: 'typed' },
  ]);
  expect(corrections).toEqual([
    { said: 'I am agree', better: 'I agree', why: expect.any(String) },
    { said: "he don't know", better: "he doesn't know", why: expect.any(String) },
  ]);
  expect(corrections.map(({ why }) => readFeedbackText(why).point)).toEqual([
    { code: 'grammar', rule: 'agree' },
    { code: 'grammar', rule: 'agreement' },
  ]);
  expect(GRAMMAR_RULES.every((rule) => rule.length <= 20)).toBe(true);
});
