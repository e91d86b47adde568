/** Questions to the person whom the coach plays, and about things that the scene does not mention. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

const CONFERENCE = 'Talk to a stranger at a conference';
const HOTEL = 'Check in at a hotel';

describe('coach', { timeout: 60_000 }, () => {
  it('answers in character from the scene’s facts about the person', () => {
    expect(answerAt(CONFERENCE, 'talk', 'And you? What do you do?').coach).toContain('theatre');
  });

  it.each([
    [HOTEL, 'nights', 'Where do you live?'],
    [HOTEL, 'nights', 'And you? What do you do?'],
    ['Small talk before a meeting', 'weekend', 'Are you married?'],
  ])('stays in character where the scene says nothing: %s, %s, %s', (title, node, said) => {
    const { kind, coach } = answerAt(title, node, said);
    expect(kind).toBe('asks');
    expect(coach).not.toMatch(/computer|Parley|practi[sc]e/);
    expect(coach).toMatch(/about me|about you|stay with you/);
  });

  it('identifies itself when asked', () => {
    expect(answerAt(HOTEL, 'nights', 'Are you a robot?').coach).toMatch(/coach|practi[sc]e/);
    expect(answerAt(HOTEL, 'nights', 'What is your name?').coach).toContain('Priya');
  });

  it.each(['Can I speak with your manager?', 'Can I talk to somebody else?', 'I want to talk to the boss, please.'])(
    'stands in for others: %s',
    (said) => {
      const { coach } = answerAt(HOTEL, 'nights', said);
      expect(coach).not.toMatch(/apologise|English|mistakes/);
      expect(coach).toMatch(/me today|only me|let me help/);
    },
  );

  it.each([
    ['Do you speak Spanish?', /English/],
    ['This is too easy.', /level/],
    ['this is too easy can you speak more difficult', /level/],
    ['Can you make it harder?', /level/],
    ['One second, my phone is ringing.', /time|hurry|think it over|No rush/],
    ['How do I say this in English?', /sentence|own words|few words|simple words/],
  ])('helps with questions that may come up in every scene: %s', (said, reply) => {
    const { kind, coach, objectives } = answerAt('Agree on a price', 'small', said);
    expect({ kind, objectives }).toEqual({ kind: 'asks', objectives: [] });
    expect(coach).toMatch(reply);
  });

  it('does not give the place of something that was not asked for', () => {
    const title = 'Small talk before a meeting';
    expect(answerAt(title, 'weekend', 'Where are the toilets?').coach).toContain('second door');
    expect(answerAt(title, 'weekend', 'Where can I find the printer?').coach).not.toContain('second door');
  });

  it('says goodbye', () => {
    const said = 'It was nice to meet you, enjoy the conference!';
    expect(answerAt(CONFERENCE, 'contact', said)).toMatchObject({ objectives: ['close'], hasEnded: true });
    expect(answerAt(CONFERENCE, 'talk', said).coach).not.toContain('The pleasure is mine');
    expect(answerAt('Small talk before a meeting', 'hello', 'Nice to meet you!').objectives).toContain('greet');
  });

  it('does not explain its question when it is asked why something is refused', () => {
    const { kind, coach } = answerAt('Agree on a price', 'final', 'Why not?');
    expect(kind).toBe('asks');
    expect(coach).not.toMatch(/I'd like to understand|to plan|just want to be sure|simply like to know/);
  });

  it('asks for the learner’s opinion before it gives its own', () => {
    expect(answerAt('Disagree politely in a meeting', 'idea', 'How do you see it?').coach).toMatch(
      /you think first|my mind|you see it/,
    );
  });

  it('answers the question that an announcement begins', () => {
    expect(answerAt('Your first day at work', 'food', 'Can I ask something? When can I go home?').coach).toContain(
      'go home at five',
    );
  });

  it('does not leave open whether it can help', () => {
    const said = 'Hi! I have a problem with Saturday, can you help me?';
    expect(answerAt('Swap a shift', 'opening', said).coach).not.toMatch(/look that up|for sure right now|see about/);
  });

  it.each([
    ['Make an appointment', 'about', 'Can I ring you on Thursday?'],
    ['Rent a flat', 'questions', 'Can I come along tomorrow instead?'],
    ['Rent a flat', 'price', 'It is a fair price. May I think about it until Sunday?'],
  ])('does not need to look up whether the learner may do something: %s, %s, %s', (title, node, said) => {
    expect(answerAt(title, node, said).coach).not.toMatch(/look that up|for sure right now|what we know/);
  });

  it('does not acknowledge its own question', () => {
    const { coach } = answerAt('Make an appointment', 'about', 'Who are you?');
    expect(coach).toBe("My name is Priya. And what's it about?");
  });

  it('does not take surprise for a wish to stop', () => {
    expect(answerAt('Agree on a price', 'give', "That's a lot.").coach).not.toMatch(/stop|leave it there|close the/i);
  });

  it.each(['As I said, just me.', 'I already told you, just me.', 'Just me, as I told you.'])(
    'takes an answer with a reminder for an answer: %s',
    (said) => expect(answerAt('Rent a flat', 'who', said).objectives).toEqual(['who']),
  );

  it('does not credit a job as an origin', () => {
    expect(answerAt('Your first day at work', 'job', "I'm from Spain.").objectives).toEqual([]);
  });
});
