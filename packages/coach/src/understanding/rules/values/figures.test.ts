/** Answers that are typed in figures, at steps of the scenes that ship. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';
import { spellOutFigures } from './figures.ts';

describe('figures', () => {
  it.each([
    ['€50', '50 euros'],
    ['50€', '50 euros'],
    ['$1,200 a month', '1200 dollars a month'],
    ['£2.50 each', '2.50 pounds each'],
    ['£50k', '50 thousand pounds'],
    ['10%', '10 percent'],
    ['14:30', 'at half past two'],
    ['At 14:00', 'At two o’clock'],
    ['10:45, please', 'at quarter to eleven, please'],
    ['12:15', 'at quarter past twelve'],
    ['0:20', 'at twelve 20'],
    ['9am', '9 am'],
    ['10:30 a.m.', 'at half past ten am'],
    ['90 min', '90 minutes'],
    ['2 hrs.', '2 hours'],
    ['1½ hours', 'one and a half hours'],
    ['1.5 hours', 'one and a half hours'],
    ['24/12', '24 December'],
    ['12/24/2026', '24 December'],
    ['24.12.', '24 December'],
    ['2026-03-05', '5 March'],
    ['Dec 24', 'December 24'],
    ['On Wed.', 'On Wednesday'],
    ['Sat', 'Saturday'],
    ['150 000 000', '150 000 000'],
    ['912 345 678', 'nine one two three four five six seven eight'],
    ['0151 234', 'zero one five one two three four'],
    ['It’s +44 20 7946 0958.', 'It’s four four two zero seven nine four six zero nine five eight.'],
    ['555-1234', 'five five five one two three four'],
    ['$1,500.00', '1500 dollars'],
    ['24-12-2024', '24 December'],
    ['I can’t do 14:30', 'I can’t do half past two'],
    ['10.30', 'at half past ten'],
    ['At 10.30, if you can', 'At half past ten, if you can'],
    ['50 quid', '50 pounds'],
    ['20 bucks', '20 dollars'],
  ])('are read aloud: %s', (typed, spoken) => expect(spellOutFigures(typed)).toBe(spoken));

  it.each([
    'I sat in the sun.',
    'Two nights',
    '1500 euros',
    '150 000 euros',
    'Version 1.2',
    'I bought it at 10.30 euros.',
    'Growth stayed at 2.15 percent.',
    'He bucks the trend.',
    '24/7',
    'May I come in?',
    'We wed in 2019.',
    'LH 902',
    '25:70',
    '45/99',
    '8/10',
    'It costs 5.10.',
    '5/6 people',
    '500-1000 euros',
    '800-1200 a month',
    '20000000 dollars',
  ])('are left as they are: %s', (typed) => expect(spellOutFigures(typed)).toBe(typed));
});

describe('answer in figures', { timeout: 60_000 }, () => {
  it.each([
    ['Make an appointment', 'number', '+44 20 7946 0958', 'number'],
    ['Make an appointment', 'number', '0151 234 567', 'number'],
    ['Make an appointment', 'number', '07700900123', 'number'],
    ['Make an appointment', 'time', '14:30', 'when'],
    ['Make an appointment', 'time', 'At 14:30', 'when'],
    ['Make an appointment', 'time', '10am', 'when'],
    ['Leave a message', 'number', '555-1234', 'spell'],
    ['Ask for a raise', 'figure', '€200 a month', 'figure'],
    ['Ask a colleague for help', 'when', '9am', 'fix-a-time'],
    ['Ask a colleague for help', 'when', 'On Wed.', 'fix-a-time'],
    ['Ask a colleague for help', 'when', '90 min', 'fix-a-time'],
    ['Ask a colleague for help', 'when', '2 hrs', 'fix-a-time'],
  ])('is understood and meets its objective: %s, %s, %s', (title, node, said, objective) => {
    const { kind, proofs } = answerAt(title, node, said);
    expect([kind, proofs]).toEqual(['intent', expect.arrayContaining([{ objective, words: said }])]);
  });

  it.each([
    ['Ask a colleague for help', 'when', 'The 24th.'],
    ['Ask a colleague for help', 'when', '24/12'],
    ['Ask a colleague for help', 'when', 'On the 24th of December, please.'],
    ['Agree on a price', 'target', '€50'],
    ['Agree on a price', 'target', 'Maybe 50 euros?'],
    ['Make an appointment', 'day', '24/12'],
    ['Report a lost suitcase', 'budget', '€50'],
  ])('is taken for an answer where its kind of value is asked for: %s, %s, %s', (title, node, said) => {
    expect(answerAt(title, node, said).kind).not.toBe('off');
  });

  it.each([
    ['Make an appointment', 'number', 'Meine Nummer ist 0151 23456789'],
    ['Make an appointment', 'time', 'Ich komme um 14:30'],
    ['Make an appointment', 'time', 'Je viens à 14:30'],
    ['Ask a colleague for help', 'when', 'Um 9:00 Uhr bitte'],
    ['Make an appointment', 'offer', '10:00 is too early for me'],
    ['Make an appointment', 'offer', 'I have a meeting at 10:00'],
    ['Make an appointment', 'offer', 'Neither 10:00 nor 15:00'],
    ['Make an appointment', 'time', 'I can’t do 14:30'],
    ['Make an appointment', 'time', 'The 14:30 train is late'],
    ['Make an appointment', 'number', 'My passport number is 123456789'],
    ['Leave a message', 'number', '100.000 euros'],
  ])(
    'meets no objective in another language, or where it does not give what is asked for: %s, %s, %s',
    (title, node, said) => {
      expect(answerAt(title, node, said).proofs).toEqual([]);
    },
  );

  it.each(['€150.00', 'between €150 and €160'])('keeps the objective that it met as it was typed: %s', (said) => {
    expect(answerAt('Agree on a price', 'target', said).proofs).toMatchObject([{ objective: 'figure', words: said }]);
  });

  it('of another kind than asked for is not taken for an answer', () => {
    expect(answerAt('Make an appointment', 'day', '€50').kind).toBe('off');
    expect(answerAt('Make an appointment', 'time', '€50').kind).toBe('off');
  });
});
