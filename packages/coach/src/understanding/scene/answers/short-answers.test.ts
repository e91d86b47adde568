/** Answers that mean something only beside the coach's line: "The latter", "Not Wednesday", "I'll try". */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

const APPOINTMENT = 'Make an appointment';
const ACCOUNT = 'Open a bank account';

describe('a short answer', { timeout: 60_000 }, () => {
  it.each(['The latter.', 'the second one', "I'd prefer the second one, please.", 'Not Wednesday.'])(
    'chooses one of two days: %s',
    (said) => {
      expect(answerAt(APPOINTMENT, 'offer', said)).toMatchObject({ kind: 'intent', objectives: ['when'] });
    },
  );

  it('chooses one half of a question', () => {
    expect(answerAt(ACCOUNT, 'job', 'The latter.').objectives).toContain('work');
  });

  it('accepts what the coach proposes', () => {
    expect(answerAt('A phone call on a bad line', 'other-day', "I'll try.").reply).toBe('bye-moved');
  });

  it.each([
    ['Check in at a hotel', 'nights', 'The same as last time.'],
    ['Rent a flat', 'when', 'same as before'],
    ['Open a bank account', 'purpose', 'It’s the same as always, please.'],
  ])('refers to nothing that was said: %s, %s, %s', (title, node, said) => {
    const { reply, objectives, coach } = answerAt(title, node, said);
    expect({ reply, objectives }).toEqual({ reply: null, objectives: [] });
    expect(coach).toMatch(/Remind me|told me yet|have that here/);
  });

  it('may refer to what the person knows', () => {
    expect(answerAt('Leave a message', 'number', "It's the same as always.").kind).toBe('intent');
  });

  it('that only rules out a day does not name one', () => {
    for (const said of ['Not on Wednesday, I work.', 'Wednesday is not possible.', "Sorry, I can't on Wednesday."]) {
      const { kind, reply, coach } = answerAt(APPOINTMENT, 'day', said);
      expect({ kind, reply }).toEqual({ kind: 'asks', reply: null });
      expect(coach).toMatch(/not then|another day|doesn't suit you/);
    }
    expect(answerAt(APPOINTMENT, 'day', 'Not Wednesday, but Thursday is good.').kind).toBe('intent');
    expect(answerAt('Explain a delay to a client', 'straight', 'Not Friday.').kind).toBe('intent');
  });
});

describe('a name, a number or a time', { timeout: 60_000 }, () => {
  it.each([
    ['Hand over your work before a holiday', 'trouble', 'Petra, like I mentioned.', 'help'],
    ['Leave a message', 'number', '351 912 345 678, as I said.', 'spell'],
    ['Change a booking by phone', 'who', 'wang xiao ming', 'booking'],
    ['Change a booking by phone', 'who', 'José García López', 'booking'],
    ['Make an appointment', 'time', 'at ten in morning', 'when'],
  ])('is an answer where the coach asks for it: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).toContain(objective);
  });

  it('does not meet the objective of the other when they are exchanged', () => {
    const phone = answerAt(APPOINTMENT, 'name', 'my phone is zero one seven six five five five');
    expect(phone).toMatchObject({ reply: null, objectives: ['number'] });
    expect(phone.coach).toMatch(/name|appointment/);
    const { reply, objectives } = answerAt(APPOINTMENT, 'number', 'My name is Nguyen.');
    expect({ reply, objectives }).toEqual({ reply: null, objectives: ['name'] });
  });

  it('is not taken for another language because of its accents', () => {
    expect(answerAt('Meet a client for the first time', 'company', 'Müller and Söhne').coach).not.toMatch(/English/);
  });

  it('answers together with another kind of value', () => {
    expect(answerAt('Pitch an idea', 'when', 'monday morning ten o clock').kind).toBe('intent');
  });
});

describe('an unasked fact', { timeout: 60_000 }, () => {
  it('is acknowledged where the coach invites questions', () => {
    const offer = answerAt('Handle a complaint', 'details', 'I can offer you one month for free.');
    expect(offer.objectives).toEqual(['solution']);
    expect(offer.coach).not.toContain('simple words');
    const { coach } = answerAt('Handle a complaint', 'details', 'I understand that you are angry.');
    expect(coach).not.toMatch(/simple words|short sentence/);
  });

  it('counts where it suggests something', () => {
    const said = 'What about keeping the phone line in the mornings only?';
    expect(answerAt('Disagree politely in a meeting', 'press', said).kind).toBe('bridge');
  });

  it('is not asked again once it has been said', () => {
    const said = 'I can take your early shift on Monday, and I will tell the boss.';
    const { reply, objectives } = answerAt('Swap a shift', 'return', said);
    expect({ reply, objectives }).toEqual({ reply: 'handover', objectives: ['in-return', 'boss'] });
  });

  it.each([
    ['Check in at a hotel', 'welcome', 'hello i am ahmed from siemens i have booked a room for two nights', 'room'],
    [
      'Change a booking by phone',
      'pick-up',
      'my name is yuki tanaka i have a room on monday but i want to come on wednesday',
      'price',
    ],
    ['Your first day at work', 'lunch', "yes i come with you but i don't eat pork", 'bye-lunch'],
  ])('need not be said twice: %s, %s, %s', (title, node, said, next) => {
    expect(answerAt(title, node, said, 'easy').reply).toBe(next);
  });

  it('is not taken for another language when it is a name', () => {
    expect(answerAt(APPOINTMENT, 'gone', 'Kowalska. Anna Kowalska.').coach).not.toContain('English');
  });

  it('is asked for the person who is out', () => {
    expect(answerAt('Leave a message', 'pick-up', 'Hello, can I speak with Mrs. Lee please?').coach).toMatch(
      /me today|only me|let me help/,
    );
  });
});

describe('an answer about something that no author foresaw', { timeout: 60_000 }, () => {
  it.each([
    ['Hand over your work before a holiday', 'task', 'You need to feed the fish in my office every morning.', 'task'],
    [
      'Explain a gap in your CV',
      'meantime',
      'in the evening i learn excel with youtube and also a bit of english',
      'use',
    ],
    ['Own up to a mistake', 'prevent', 'i turn off the automatic addresses in my mail program', 'prevent'],
    ['Make an appointment', 'pick-up', 'hello i want to marry', 'about'],
    ['Give feedback to a colleague', 'side', "of course what's going on", 'listen'],
    ['Explain a price rise', 'react', "I completely get that. You've been with us for six years.", 'understand'],
  ])('is taken for an answer: %s, %s, %s', (title, node, said, objective) => {
    const { kind, objectives } = answerAt(title, node, said);
    expect(kind).not.toMatch(/off|asks/);
    expect(objectives).toContain(objective);
  });
});

describe('an agreement', { timeout: 60_000 }, () => {
  it.each([
    ['Rent a flat', 'insist', 'That would work for me.', 'next'],
    ['Chase an unpaid invoice', 'confirm', 'Can you put that in writing?', 'bye-email'],
  ])('is understood: %s, %s, %s', (title, node, said, next) => {
    expect(answerAt(title, node, said)).toMatchObject({ kind: 'intent', reply: next });
  });
});

it('is acknowledged once', { timeout: 60_000 }, () => {
  expect(answerAt(APPOINTMENT, 'offer', 'The second one.').coach).not.toContain('written that down');
});
