/** Answers to another question of the scene than the current one. */
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf } from '../../../test-kit/scene-coaches.ts';

const BOOKING = 'Change a booking by phone';
const GAP = 'Explain a gap in your CV';
const HAND_OVER = 'Hand over your work before a holiday';
const HOTEL = 'Check in at a hotel';
const INTERVIEW = 'Open a job interview';
const TEAM = 'Introduce your team';

describe('answering out of order', { timeout: 60_000 }, () => {
  it.each([
    [HAND_OVER, 'trouble', 'It must be ready on Friday at noon.', 'deadline'],
    [HAND_OVER, 'urgent', 'If you have a problem you can ask Petra, she knows everything.', 'help'],
    ['Interview for an internship', 'example', 'From June until the end of August.', 'period'],
    [
      'Talk to a stranger at a conference',
      'turn',
      "I think I'll go to the workshop about data after the break.",
      'plan',
    ],
  ])('meets an objective before or after its question: %s, %s, %s', (title, node, said, objective) => {
    const { objectives, proofs } = answerAt(title, node, said);
    expect(objectives).toContain(objective);
    expect(proofs.find((proof) => proof.objective === objective)?.words).not.toBe('');
  });

  it('counts an answer that does not fit the current question, and does not call it off topic', () => {
    const answer = answerAt(HOTEL, 'name', 'Just for one night, please.', 'easy');
    expect(answer).toMatchObject({ kind: 'bridge', reply: null, objectives: ['nights'] });
    expect(answer.coach).toMatch(/\?$/);
    expect(answer.memory.knownFacts).toContain('nights');
  });

  it('remembers answers to other questions after a restart', () => {
    const { knownFacts } = coachOf(HOTEL).recall([
      { node: 'name', next: 'name', said: 'Just for one night, please.', fitted: true },
    ]);
    expect(knownFacts).toContain('nights');
  });

  it('counts a question about the scene where its objective is to ask it', () => {
    const answer = answerAt(HOTEL, 'name', 'When can I have breakfast?', 'easy');
    expect(answer).toMatchObject({ kind: 'asks', reply: null, objectives: ['breakfast'] });
  });

  it('does not ask at once for a detail that was just given', () => {
    expect(answerAt(TEAM, 'person', 'We are very good in solving problems fast.', 'easy')).toMatchObject({
      reply: 'next',
      objectives: ['good'],
    });
  });

  it.each([
    [INTERVIEW, 'strength', 'I am very organised. Last year I planned a conference for 200 people.', ['strength']],
    ['Give a stand-up update', 'yesterday', 'I repair the login page and I write a mail to the client.', ['yesterday']],
  ])('answers only the current question with words that fit it: %s, %s, %s', (title, node, said, objectives) => {
    expect(answerAt(title, node, said).objectives).toEqual(objectives);
  });

  it.each([
    [BOOKING, 'price', 'My cat sleeps all day.'],
    [GAP, 'boundary', 'I would like a pizza with ham.'],
  ])('is not found in other talk: %s, %s, %s', (title, node, said) => {
    expect(answerAt(title, node, said).objectives).toEqual([]);
  });

  it('quotes all of a turn that meets several objectives together', () => {
    const said = "Hello, I'm Paulo Ferreira from Lisbon, it's about the invoice of October. Could Laura call me back?";
    const { proofs } = answerAt('Leave a message', 'pick-up', said);
    expect(proofs.find(({ objective }) => objective === 'who')?.words).toContain('Paulo Ferreira');
  });
});

describe('questions that the author expects', { timeout: 60_000 }, () => {
  it.each([
    ['A phone call on a bad line', 'noise', 'What did you say?', 'repeat'],
    ['A phone call on a bad line', 'noise', "Sorry, I can't hear you well. What did you say?", 'repeat'],
    ['Give feedback to a colleague', 'effect', 'What happened? Is there something that I can help with?', 'listen'],
  ])('is an answer, also as a question to the coach: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said)).toMatchObject({ kind: 'intent', objectives: [objective] });
  });
});

describe('coach', { timeout: 60_000 }, () => {
  it.each(['Bullshit.', 'Xyzzy.'])('does not take one unknown word for another language: %s', (said) => {
    expect(answerAt('Chase an unpaid invoice', 'half', said).coach).not.toContain('English');
  });

  it('asks for English when a word is foreign', () => {
    expect(answerAt('Chase an unpaid invoice', 'half', 'Gracias, muy bien.').coach).toContain('English');
  });

  it('does not take the promise of an answer for the question that it invites', () => {
    const said = 'I will call you tomorrow and tell you what was the problem.';
    expect(answerAt('Handle a complaint', 'details', said).objectives).not.toContain('ask-details');
  });

  it('acknowledges an answer once', () => {
    const { coach } = answerAt('Ask for a raise', 'clarify', "It's about my salary.", 'easy');
    expect(coach).not.toMatch(/\. (?:Okay|All right|I see|Right)\. /);
  });

  it('does not refuse an answer that its next line gives', () => {
    const { coach, reply } = answerAt('A phone call on a bad line', 'read-back', 'Half past four, okay. Which room?');
    expect(reply).toBe('room-told');
    expect(coach).toContain('room fifteen');
    expect(coach).not.toMatch(/for sure right now|look that up/);
  });

  it.each([
    [BOOKING, 'dates', 'From the 12th to the 15th of March instead of the 10th.', 'new'],
    [BOOKING, 'dates', 'From 12 to 15 March.', 'new'],
    ['Explain a price rise', 'amount', 'Eight. Sorry, I meant eighty.', 'figure'],
    ['Explain a price rise', 'amount', 'eighty', 'figure'],
    ['Explain a price rise', 'amount', 'Eighteen.', 'figure'],
  ])('understands a bare value of the kind that it asks for: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said)).toMatchObject({ kind: 'intent', objectives: [objective] });
  });
});
