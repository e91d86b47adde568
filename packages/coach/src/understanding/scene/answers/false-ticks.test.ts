/** Turns that meet no objective although they resemble answers that do. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

const CLIENT = 'Meet a client for the first time';
const CONFERENCE = 'Talk to a stranger at a conference';

describe('an objective', { timeout: 60_000 }, () => {
  it.each([
    ['Disagree politely in a meeting', 'idea', 'No.', 'disagree'],
    ['Agree on a price', 'small', 'No.', 'ask'],
    ['Agree on a price', 'give', 'Not really.', 'ask'],
    ['Chase an unpaid invoice', 'waiting', 'No, thank you.', 'firm'],
    ['Own up to a mistake', 'effect', 'No.', 'effect'],
    [CONFERENCE, 'talk', 'Yes.', 'opinion'],
    ['Explain a gap in your CV', 'current', 'Of course.', 'ready'],
    ['Make an appointment', 'offer', 'Yes.', 'when'],
  ])('is not met by a bare reply that says nothing of it: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).not.toContain(objective);
  });

  it.each([
    ['Disagree politely in a meeting', 'idea', "No, I don't think that's a good idea.", 'disagree'],
    ['Agree on a price', 'small', "No, that's still too expensive for us.", 'ask'],
    ['Chase an unpaid invoice', 'waiting', "No, we can't wait, we have to pay our own bills.", 'firm'],
    ['See a doctor', 'medicine', 'No.', 'medicine'],
    ['Give a stand-up update', 'problem', 'No.', 'problem'],
    ['Your first day at work', 'lunch', 'No, thank you.', 'lunch'],
  ])('is met by as few words as it takes: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).toContain(objective);
  });

  it.each([
    ['Ask for a raise', 'evidence', 'company earn about forty thousand pound more', 'figure'],
    ['Explain a gap in your CV', 'opening', 'the same as last time', 'reason'],
    ['Ask a colleague for help', 'propose', 'same as before', 'fix-a-time'],
  ])('is not met by words about something else: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).not.toContain(objective);
  });

  it.each([
    [CLIENT, 'company', 'I am engineer.', 'company'],
    ['Explain a delay to a client', 'opening', 'I am an engineer.', 'give-the-reason'],
    ['Small talk before a meeting', 'weekend', 'I am engineer.', 'weekend'],
    ['Give a stand-up update', 'problem', "I'm a teacher.", 'problem'],
    ['Change a booking by phone', 'pick-up', 'My name is Ana.', 'change'],
  ])(
    'is not met by the learner’s name or job where neither was asked for: %s, %s, %s',
    (title, node, said, objective) => {
      expect(answerAt(title, node, said).objectives).not.toContain(objective);
    },
  );

  it.each([
    [CONFERENCE, 'who', 'I am engineer.', 'self'],
    [CLIENT, 'welcome', 'I am an engineer.', 'yourself'],
    ['Open a job interview', 'introduce', "Hello, I'm Ana and I'm a nurse.", 'introduce'],
    ['Leave a message', 'who', 'My name is Ana.', 'who'],
    ['Leave a message', 'who', 'David Field', 'who'],
  ])('is met by the learner’s name or job where that is asked for: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).toContain(objective);
  });
});
