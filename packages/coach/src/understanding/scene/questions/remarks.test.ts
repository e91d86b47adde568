/**
 * The coach's replies to remarks that answer nothing: small talk, insults and corrections, at several steps of the
 * scenes that ship.
 */
import { loadSharedUnderstanding } from '@parley/catalogue';
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf } from '../../../test-kit/scene-coaches.ts';
import type { SceneAnswer } from '../../index.ts';

const STEPS: readonly (readonly [title: string, node: string])[] = [
  ['Check in at a hotel', 'nights'],
  ['Chase an unpaid invoice', 'which'],
  ['Explain a delay to a client', 'reason'],
  ['See a doctor', 'opening'],
];

/** Coaches who choose different phrases, at each step. */
const coaches = STEPS.flatMap(([title, node]) => [0, 1, 2, 3].map((seed) => ({ coach: coachOf(title, seed), node })));

const answersTo = (said: string): SceneAnswer[] =>
  coaches.map(({ coach, node }) => coach.answer({ node, difficulty: 'intermediate', said }));

/** Whichever words it picks, the coach says one of these, ticks nothing and stays. */
function expectReplies(said: string, act: string): void {
  const phrases = (loadSharedUnderstanding().asks[act]?.replies ?? []).map((reply) => reply.replace(/ \{.*$/, ''));
  expect(phrases.length).toBeGreaterThan(1);
  for (const { coach, reply, objectives } of answersTo(said)) {
    expect({ reply, objectives }).toEqual({ reply: null, objectives: [] });
    expect(
      phrases.filter((phrase) => coach.startsWith(phrase)),
      coach,
    ).not.toEqual([]);
  }
}

describe('remark to the coach', { timeout: 60_000 }, () => {
  it.each([
    'Fuck you',
    'You are stupid',
    'Shut up',
    'This is stupid',
    "You're an idiot!",
    'fuck off',
    'you are so stupid',
  ])('that insults gets a calm line, neither thanks nor a lecture: %s', (said) => expectReplies(said, 'rude'));

  it.each(['Hello, how are you?', 'How are you?', 'hi how are you', 'I am fine, and you?'])(
    'that asks how the coach is gets an answer: %s',
    (said) => expectReplies(said, 'how-are-you'),
  );

  it.each(['did i make a mistake', 'Is my English good?'])('that asks about mistakes is encouraged: %s', (said) =>
    expectReplies(said, 'other-language-apology'),
  );

  it.each(['i dont want to practise anymore today', "Sorry, I can't practise any more."])(
    'that asks to stop is granted: %s',
    (said) => expectReplies(said, 'stop'),
  );

  it.each(['can you translate this into spanish', 'Translate, please.', 'in german please'])(
    'that asks for another language is told that the coach speaks English: %s',
    (said) => {
      for (const { coach, objectives } of answersTo(said)) {
        expect(coach).toMatch(/English/);
        expect(objectives).toEqual([]);
      }
    },
  );

  it('that asks for another topic skips the question', () => {
    const { coach, kind, reply } = answerAt('Open a job interview', 'strength', 'can we talk about something else');
    expect(coach).not.toContain('interesting');
    expect({ kind, reply }).toEqual({ kind: 'asks', reply: 'example' });
  });

  it('that leaves the choice to the coach gets it back', () => {
    expect(answerAt('Make an appointment', 'day', 'its up to you').coach).toMatch(/choice|decide|leave that to you/);
  });

  it('that asks which of two things is meant is not about the coach', () => {
    const { coach } = answerAt('Ask a colleague for help', 'what', 'you mean the file or the computer');
    expect(coach).not.toMatch(/practise|about me/);
  });

  it.each(['Good evening.', 'Hello', 'Good morning'])('that only greets is greeted: %s', (said) =>
    expectReplies(said, 'greeting'),
  );

  it.each(['Nice to meet you.', "I'm glad to meet you"])('that expresses pleasure is returned: %s', (said) =>
    expectReplies(said, 'nice-to-meet'),
  );

  it.each([
    'You misunderstood me',
    "That's not what I meant",
    'No, I said four, not five',
    'i said twelve not ten',
    "I didn't say that.",
  ])('that corrects the coach gets an apology, and the question again: %s', (said) =>
    expectReplies(said, 'correction'),
  );

  it.each([
    ['Sorry, I meant two, not three.', 'two'],
    ['No, I said Anna, not Hannah', 'Anna'],
    ['Oh wait, I mean the blue one', 'the blue one'],
    ['I said the green file, not the red one', 'the green file'],
  ])('that corrects a detail gets it repeated: %s', (said, corrected) => {
    for (const { coach, reply, objectives } of answersTo(said)) {
      expect({ reply, objectives }).toEqual({ reply: null, objectives: [] });
      expect(coach.toLowerCase()).toContain(corrected.toLowerCase());
      expect(coach).not.toMatch(/tell me again|ask you again/);
    }
  });

  it.each([
    'I already told you.',
    'But I said that already!',
    "I've just told you that",
    'I have answered this before',
  ])('that reminds the coach of an answer gets an apology: %s', (said) => expectReplies(said, 'correction'));

  it.each(['Thank you, bye', 'Thanks for your help, goodbye!', 'Okay, see you tomorrow', 'Bye, have a nice day!'])(
    'lets the learner say goodbye early: %s',
    (said) => expectReplies(said, 'stop'),
  );

  it.each(['stop', 'I want to stop.'])('that asks to stop again is not answered with the question: %s', (said) => {
    for (const { coach, node } of coaches) {
      const { memory } = coach.answer({ node, difficulty: 'intermediate', said: 'stop' });
      const again = coach.answer({ node, difficulty: 'intermediate', said, memory });
      expect(again).toMatchObject({ reply: null, objectives: [] });
      expect(again.coach).toMatch(/stop here|end the practice|all for today/i);
      expect(again.coach).not.toContain('?');
    }
  });

  it.each(['Can you hear me?', 'Do you understand me?', 'Are you there?'])(
    'that asks whether the coach listens is told so: %s',
    (said) => expectReplies(said, 'with-me'),
  );
});
