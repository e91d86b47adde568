/** Replies of a few words that only agree, refuse or hesitate, at steps of the scenes that ship. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../test-kit/scene-coaches.ts';
import { reasonToDecline, stanceOf, stanceOfSentence, wantsToSkip } from './bare-reply.ts';

describe('stance', () => {
  it.each([
    ['Definitely not.', 'no'],
    ['Not really', 'no'],
    ["I don't think so", 'no'],
    ['Of course not!', 'no'],
    ['No way!', 'no'],
    ["I'm afraid not", 'no'],
    ['Probably not', 'no'],
    ['Sure, of course.', 'yes'],
    ['Absolutely', 'yes'],
    ['I think so', 'yes'],
    ['Yes, no problem', 'yes'],
    ['By all means!', 'yes'],
    ["I'd say so", 'yes'],
    ['Could be', 'unsure'],
    ["I'd prefer to keep that to myself", 'declined'],
    ['Maybe', 'unsure'],
    ['Hm, perhaps', 'unsure'],
    ['It depends.', 'unsure'],
    ["I'm not sure yet", 'unsure'],
    ["I'd rather not say", 'declined'],
    ["I'd prefer not to", 'declined'],
    ["I don't want to talk about that.", 'declined'],
  ])('of “%s” is %s', (said, stance) => expect(stanceOf(said)).toBe(stance));

  it.each([
    'Maybe Tuesday',
    "No, it's too late",
    'Not at all',
    'Not so well',
    'I will.',
    "I didn't say that.",
    'Are you sure?',
    'Sure, two nights',
    'Nothing',
    "That's not good",
    '',
  ])('is not the whole meaning of “%s”', (said) => expect(stanceOf(said)).toBeNull());
});

it('of a long text is found quickly', () => {
  const started = performance.now();
  expect(stanceOf(`${'I am sorry '.repeat(24)} x`)).toBeNull();
  expect(performance.now() - started).toBeLessThan(100);
});

describe('stance of a sentence', () => {
  it.each([
    ['I think I can.', 'yes'],
    ['Yes, that works for me', 'yes'],
    ['That would be great, thank you!', 'yes'],
    ["I don't mind.", 'yes'],
    ['Not a problem.', 'yes'],
    ["I'm afraid I can't.", 'no'],
    ["Sorry, that doesn't work for me.", 'no'],
    ["I don't think I can", 'no'],
    ["That's impossible!", 'no'],
  ])('of “%s” is %s', (said, stance) => expect(stanceOfSentence(said)).toBe(stance));

  it.each(['I can come on Tuesday', "I can't sleep", 'Works it for you?', "It doesn't work", 'I want to', ''])(
    'is not the whole meaning of “%s”',
    (said) => expect(stanceOfSentence(said)).toBeNull(),
  );

  it('of a long text is found quickly', () => {
    const started = performance.now();
    expect(stanceOfSentence(`${'it is fine with me '.repeat(30)} x`)).toBeNull();
    expect(performance.now() - started).toBeLessThan(100);
  });
});

describe('bare reply', { timeout: 60_000 }, () => {
  it.each(['Definitely not', 'Not really.', "I don't think so", 'Probably not', 'No, not really, thank you'])(
    'that refuses means what “No.” means: %s',
    (said) => {
      for (const [title, node] of [
        ['Open a job interview', 'question'],
        ['Check in at a hotel', 'room'],
        ['See a doctor', 'medicine'],
        ['Swap a shift', 'choose'],
        ['Handle a complaint', 'more'],
      ] as const) {
        const { reply, kind, objectives } = answerAt(title, node, 'No.');
        expect(answerAt(title, node, said), `${title}, ${node}`).toMatchObject({ reply, kind, objectives });
      }
    },
  );

  it.each(['Sure', 'Of course.', 'Absolutely!', 'Yes, definitely'])(
    'that agrees means what “Yes.” means: %s',
    (said) => {
      for (const [title, node] of [
        ['Check in at a hotel', 'room'],
        ['Your first day at work', 'lunch'],
        ['Rent a flat', 'condition'],
      ] as const) {
        const { reply, kind, objectives } = answerAt(title, node, 'Yes.');
        expect(answerAt(title, node, said), `${title}, ${node}`).toMatchObject({ reply, kind, objectives });
      }
    },
  );

  it.each(['I think I can.', 'That works for me.', "I don't mind.", 'Fine with me.', 'That would be great, thanks.'])(
    'that accepts in a whole sentence means what “Yes.” means: %s',
    (said) => {
      for (const [title, node] of [
        ['See a doctor', 'rest'],
        ['Ask for a raise', 'lowball'],
        ['Rent a flat', 'insist'],
        ['Small talk before a meeting', 'coffee'],
      ] as const) {
        const { reply, kind, objectives } = answerAt(title, node, 'Yes.');
        expect(answerAt(title, node, said), `${title}, ${node}`).toMatchObject({ reply, kind, objectives });
      }
    },
  );

  it.each(["I'm afraid I can't.", "That's impossible.", "That doesn't work for me.", "Sorry, I don't think I can."])(
    'that declines in a whole sentence means what “No.” means: %s',
    (said) => {
      for (const [title, node] of [
        ['Change a booking by phone', 'full'],
        ['See a doctor', 'wait'],
        ['Say no to a request', 'boss'],
        ['Give a stand-up update', 'spare'],
      ] as const) {
        const { reply, kind, objectives } = answerAt(title, node, 'No.');
        expect(answerAt(title, node, said), `${title}, ${node}`).toMatchObject({ reply, kind, objectives });
      }
    },
  );

  it.each([
    ['Ask a colleague for help', 'solved', 'It works fine, thank you.', 'Yes.'],
    ['Ask a colleague for help', 'tried', 'Good idea.', 'Yes.'],
    ['Make an appointment', 'urgent', 'I’m afraid I can’t.', 'No.'],
    ['Swap a shift', 'doubt', 'No problem.', 'Yes.'],
  ] as const)(
    'to a question that is not a request does not replace the meaning of the sentence: %s, %s, %s',
    (title, node, said, bare) => {
      const { reply, objectives } = answerAt(title, node, bare);
      expect(answerAt(title, node, said)).not.toMatchObject({ reply, objectives });
    },
  );

  it.each(['Mm-hmm.', 'Mhm', 'Uh-huh.'])('that is only a sound of agreement means the same as “Yes.”: %s', (said) => {
    const { reply, kind } = answerAt('Small talk before a meeting', 'coffee', 'Yes.');
    expect(answerAt('Small talk before a meeting', 'coffee', said)).toMatchObject({ reply, kind });
  });

  it.each(['Sure', 'Yes, sure.', 'Of course'])('that agrees follows most of the author’s examples: %s', (said) => {
    for (const node of ['check-out', 'room'])
      expect(answerAt('Check in at a hotel', node, said).coach).not.toMatch(/ring the front desk|try/);
  });

  it.each(['Yep', 'Nope', 'Nah', 'Yup!', 'Nope, sorry'])('in colloquial English is English: %s', (said) => {
    for (const [title, node] of [
      ['Open a bank account', 'papers'],
      ['Join the discussion', 'floor'],
      ['Check in at a hotel', 'room'],
    ] as const)
      expect(answerAt(title, node, said).kind, `${title}, ${node}`).not.toBe('off');
  });

  it.each(['Maybe', 'Perhaps.', "I'm not sure", 'It depends', 'Hm, maybe'])(
    'that hesitates where no author expected it neither ends the scene nor ticks anything: %s',
    (said) => {
      for (const [title, node] of [
        ['Open a job interview', 'question'],
        ['See a doctor', 'medicine'],
        ['Give a stand-up update', 'yesterday'],
        ['Say no to a request', 'offer'],
      ] as const)
        expect(answerAt(title, node, said), `${title}, ${node}`).toMatchObject({
          reply: null,
          kind: 'asks',
          objectives: [],
          hasEnded: false,
        });
    },
  );

  it.each(['Hmm...', 'Hm.', 'Um', 'Erm…', 'Uhm, er', 'Mmm.', 'Well, um...'])(
    'that only hesitates gets time to think, and is not taken for another language: %s',
    (said) => {
      for (const [title, node] of [
        ['Check in at a hotel', 'nights'],
        ['Check in at a hotel', 'name'],
        ['Make an appointment', 'offer'],
      ] as const) {
        const { kind, reply, coach } = answerAt(title, node, said);
        expect([kind, reply], `${title}, ${node}`).toEqual(['asks', null]);
        expect(coach).toMatch(
          /^(?:Take your time|Sure, there's no hurry|Of course, think it over|No need to|You're doing)/,
        );
      }
    },
  );

  it.each(["I'd rather not say.", "I'd prefer not to say", "Sorry, I don't want to talk about that"])(
    'that declines to tell is respected, and ticks nothing: %s',
    (said) => {
      for (const [title, node, next] of [
        ['Hand over your work before a holiday', 'urgent', 'trouble'],
        ['Report a lost suitcase', 'address', 'news'],
      ] as const) {
        const { reply, objectives, coach } = answerAt(title, node, said);
        expect({ reply, objectives }).toEqual({ reply: next, objectives: [] });
        expect(coach).toMatch(/^(?:Let's leave that|All right, let's go on|We can come back)/);
      }
    },
  );

  it('that declines to answer the last question does not end the scene as if it were an answer', () => {
    expect(answerAt('Own up to a mistake', 'prevent', "I'd rather not say.")).toMatchObject({
      reply: null,
      objectives: [],
      hasEnded: false,
    });
  });
});

describe('wish that a reason follows', { timeout: 60_000 }, () => {
  it.each([
    ["I'd love to, but I have a meeting at twelve.", 'i have a meeting at twelve'],
    ["That's very kind, we would really like to come but our train leaves at one", 'our train leaves at one'],
    ["I'd love to, but only if there is a place for me.", null],
    ["I'd love to, but can we do it at one?", null],
    ["I'd love to.", null],
  ])('“%s” declines because “%s”', (said, reason) => expect(reasonToDecline(said)).toBe(reason));

  it('declines where the coach invites the learner', () => {
    const said = "I'd love to, but I have an appointment with HR at twelve.";
    expect(answerAt('Your first day at work', 'lunch', said)).toMatchObject({ reply: 'coffee', objectives: ['lunch'] });
    expect(answerAt('Your first day at work', 'lunch', "I'd love to.").reply).toBe('food');
  });
});

describe('wish to skip a question', { timeout: 60_000 }, () => {
  it.each(['Skip this question, please.', 'can we skip this', 'Next question, please!', 'Pass.'])(
    'is one: %s',
    (said) => expect(wantsToSkip(said)).toBe(true),
  );
  it.each(['I want to skip the meeting on Friday.', 'I passed the exam.', 'I have a question.'])(
    'is not one: %s',
    (said) => expect(wantsToSkip(said)).toBe(false),
  );

  it('refuses nothing, proves nothing and moves on', () => {
    const { kind, reply, objectives, coach } = answerAt('Agree on a price', 'small', 'Can we skip this?');
    expect({ kind, objectives }).toEqual({ kind: 'asks', objectives: [] });
    expect(reply).not.toBeNull();
    expect(coach).toMatch(/^(?:Let's leave that for now|All right, let's go on|We can come back to that)/);
  });
});
