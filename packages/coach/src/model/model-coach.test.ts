/** The model coach with a scripted model. */
import { type CoachEvent, CoachReview, ServiceFailure, type Turn } from '@parley/domain';
import { describe, expect, it, vi } from 'vitest';
import { coachSuite } from '../coach.suite.ts';
import {
  someTurns,
  anObjectiveId,
  APOLOGISE,
  aScene,
  coachSaid,
  collect,
  aConversationState,
  learnerSaid,
  NAME_THE_DELAY,
  OFFER_A_DATE,
} from '../test-kit/builders.ts';
import { comparableWords, containsPhrase } from '../text/comparable-words.ts';
import { toCharacters, type Script, scriptedModel } from '../test-kit/scripted-model.ts';
import type { LanguageModelRequest } from './language-model.ts';
import { createModelCoach } from './model-coach.ts';
import { JUDGE_GRACE_MS } from './reply/stream-speech.ts';

const notAborted = new AbortController().signal;
const NEXT = 'I see. And when will it come?';
const BYE = 'Thank you, Ana. Goodbye!<goodbye/>';
const ANSWERS = [
  "I'm SO sorry about that.",
  "Well, it's two days late.",
  'We can bring it on Friday.',
  'Thank you, bye!',
];

/** Proves the objectives that the words reach, as an honest judge would, by their numbers in this request. */
function honestJudge({ messages: [message] }: LanguageModelRequest): unknown {
  const said = /<said>\n(.*)\n<\/said>/.exec(message?.text ?? '')?.[1] ?? '';
  const reached = [
    { description: 'Say that you are sorry', words: 'so sorry' },
    { description: 'Say how late it is', words: 'it is two days late' },
    { description: 'Offer a new date', words: 'on Friday' },
  ].filter(({ words }) => containsPhrase(comparableWords(said), comparableWords(words)));
  return {
    proofs: reached.flatMap(({ description, words }) => {
      const number = new RegExp(`(\\d+)\\. ${description}`).exec(message?.text ?? '')?.[1];
      return number === undefined ? [] : [{ objective: Number(number), words }];
    }),
  };
}

const HONEST_MODEL: Script = {
  reply: ({ instructions }: LanguageModelRequest) =>
    toCharacters(instructions.includes('sound like a goodbye') ? BYE : NEXT),
  judge: honestJudge,
  review: {
    best: 'You said “I’m SO sorry” at once.',
    fix: 'Name the day first.',
    nextStep: 'Try the same call one level harder.',
    summary: 'You explained a late delivery.',
    corrections: [{ said: 'We can bring it', better: 'We can deliver it', why: '“Deliver” is the word for goods.' }],
    remember: ['The learner looks after customers in Madrid.'],
    languageQuality: 72.4,
  },
  hint: {
    replies: [
      { keywords: 'very sorry', sentence: 'I am very sorry about the delay.' },
      { keywords: 'two days', sentence: 'It will be two days late.' },
      { keywords: 'Friday', sentence: 'Could we bring it on Friday?' },
    ],
  },
};

const coachWithModel = (script: Script) => {
  const model = scriptedModel({ ...HONEST_MODEL, ...script });
  return { model, coach: createModelCoach(aScene({ model })) };
};

describe('model coach', () => {
  coachSuite(() => ({
    coach: coachWithModel({}).coach,
    objectiveIds: [APOLOGISE, NAME_THE_DELAY, OFFER_A_DATE],
    answer: (_, { turns }) => ANSWERS[turns.filter(({ role }) => role === 'learner').length] ?? 'Bye.',
  }));
});

const QUESTION = 'Good morning. Where is my delivery?';
const conversationAfter = (said: string): Turn[] => someTurns(QUESTION, said);
const replyTo = (script: Script, said: string, ...reached: (typeof APOLOGISE)[]): Promise<CoachEvent[]> =>
  collect(coachWithModel(script).coach.reply(aConversationState(conversationAfter(said), ...reached), notAborted));
const proofsIn = (events: readonly CoachEvent[]) => events.filter((event) => event.type === 'proved');

describe('proofs', () => {
  const judging = (...proofs: { objective: number; words: string }[]): Script => ({ judge: { proofs } });

  it('arrive while the coach speaks: judge and reply run in parallel', async () => {
    const judged = Promise.withResolvers<void>();
    const script: Script = {
      async *reply() {
        yield 'I see. ';
        // Never resolves if the judge is only asked afterwards.
        await judged.promise;
        yield 'And when will it come?';
      },
      judge: () => {
        judged.resolve();
        return { proofs: [{ objective: 1, words: 'so sorry' }] };
      },
    };
    const types = (await replyTo(script, 'I am so sorry.')).map(({ type }) => type);
    expect(types.indexOf('proved')).toBeLessThan(types.lastIndexOf('words'));
  });

  it('use the learner’s spelling', async () => {
    const events = await replyTo(judging({ objective: 2, words: 'it is two days late' }), "Well, IT'S two days late!");
    expect(proofsIn(events)).toEqual([{ type: 'proved', objectiveId: NAME_THE_DELAY, words: "IT'S two days late" }]);
  });

  it('are numbered among the open objectives only', async () => {
    const events = await replyTo(judging({ objective: 1, words: 'two days late' }), 'It is two days late.', APOLOGISE);
    expect(proofsIn(events)).toMatchObject([{ objectiveId: NAME_THE_DELAY }]);
  });

  it.each([
    ['a question back', 'I am fine. And you?', 'and you'],
    ['all that was said', 'I will.', 'I will'],
  ])('may be function words if they are %s', async (_, said, words) => {
    expect(proofsIn(await replyTo(judging({ objective: 1, words }), said))).toHaveLength(1);
  });

  it.each([
    ['function words of a longer sentence', { objective: 1, words: 'I am' }],
    ['words that the learner did not say', { objective: 1, words: 'I apologise' }],
    ['words in a different order', { objective: 1, words: 'sorry so' }],
    ['no words', { objective: 1, words: '…' }],
    ['an objective that does not exist', { objective: 4, words: 'so sorry' }],
    ['a fractional objective number', { objective: 1.5, words: 'so sorry' }],
  ])('are not accepted from %s', async (_, proof) => {
    expect(proofsIn(await replyTo(judging(proof), 'I am so sorry.'))).toEqual([]);
  });

  it('are awaited only for a short time', async () => {
    vi.useFakeTimers();
    try {
      const events = replyTo({ judge: () => Promise.withResolvers().promise }, 'I am so sorry.');
      await vi.advanceTimersByTimeAsync(JUDGE_GRACE_MS);
      expect((await events).at(-1)).toMatchObject({ type: 'line', line: { text: NEXT } });
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['fails', () => Promise.reject(new ServiceFailure('coach', 'unreachable'))],
    ['returns another shape', () => ({ verdict: 'all of them' })],
  ])('are all that is lost when the judge %s', async (_, judge) => {
    const events = await replyTo({ judge }, 'I am so sorry.');
    expect(proofsIn(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'line', line: { text: NEXT, kind: 'line' }, fitted: true });
  });

  it('do not hide a bug in the judge', async () => {
    const judge = () => Promise.reject(new TypeError('a bug'));
    await expect(replyTo({ judge }, 'I am so sorry.')).rejects.toThrow('a bug');
  });

  it('are not requested when every objective is reached', async () => {
    const { coach, model } = coachWithModel({});
    await collect(
      coach.reply(
        aConversationState(conversationAfter('I am so sorry.'), APOLOGISE, NAME_THE_DELAY, OFFER_A_DATE),
        notAborted,
      ),
    );
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['reply']);
  });
});

describe('a reply', () => {
  it.each(['', ' \n ', '<goodbye/>', '\u200b', '**'])('without words is malformed: %j', async (reply) => {
    await expect(replyTo({ reply }, 'Hello.')).rejects.toMatchObject({ reason: 'malformed' });
  });

  it('that breaks off fails and cancels the judge', async () => {
    const signals: AbortSignal[] = [];
    const script: Script = {
      *reply() {
        yield 'I see. And ';
        throw new ServiceFailure('coach', 'unreachable');
      },
      judge: ({ signal }: LanguageModelRequest) => {
        signals.push(signal);
        return Promise.withResolvers().promise;
      },
    };
    await expect(replyTo(script, 'I am so sorry.')).rejects.toMatchObject({ reason: 'unreachable' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('is cancelled at the provider when the consumer stops', async () => {
    const { coach, model } = coachWithModel({});
    for await (const event of coach.reply(aConversationState(conversationAfter('Hello.')), notAborted)) {
      expect(event.type).toBe('words');
      break;
    }
    expect(model.requestFor('reply').signal.aborted).toBe(true);
  });

  it('is read to its end when withheld, so that its usage is known', async () => {
    let isRead = false;
    const script: Script = {
      *reply() {
        yield 'Look at https://somewhere.example/page and ';
        yield 'tell me.';
        isRead = true;
      },
    };
    expect((await replyTo(script, 'Hello.')).at(-1)).toMatchObject({
      fitted: false,
      line: { text: 'Look at Let us go back to our conversation. Where is my delivery?', kind: 'rephrase' },
    });
    expect(isRead).toBe(true);
  });
});

describe('the end of a conversation', () => {
  const kindOf = async (script: Script, turns: readonly Turn[], ...reached: (typeof APOLOGISE)[]) => {
    const last = (
      await collect(coachWithModel(script).coach.reply(aConversationState(turns, ...reached), notAborted))
    ).at(-1);
    return last?.type === 'line' ? last.line.kind : null;
  };
  const long = (learnerTurns: number): Turn[] =>
    Array.from({ length: learnerTurns }, () => [coachSaid(QUESTION), learnerSaid('It is on its way.')]).flat();
  const marked: Script = { reply: toCharacters(BYE) };
  const twoOfThree = [APOLOGISE, NAME_THE_DELAY];

  it('is accepted with the marker when all objectives are reached', async () => {
    expect(await kindOf(marked, conversationAfter('Fine, thank you.'), ...twoOfThree, OFFER_A_DATE)).toBe('goodbye');
    expect(await kindOf(marked, conversationAfter('We come on Friday.'), ...twoOfThree)).toBe('goodbye');
  });

  it('is accepted with the marker after a farewell', async () => {
    expect(await kindOf(marked, conversationAfter("Sorry, I've got to go. Bye!"))).toBe('goodbye');
  });

  it('needs both the marker and a reason', async () => {
    expect(await kindOf(marked, conversationAfter('What do you mean?'))).toBe('line');
    expect(await kindOf(marked, [])).toBe('line');
    expect(await kindOf({ reply: NEXT }, conversationAfter('Before I say goodbye: may I ask something?'))).toBe('line');
  });

  it('is forced after thirty answers and announced before', async () => {
    expect(await kindOf({ reply: NEXT }, long(29))).toBe('line');
    expect(await kindOf({ reply: NEXT }, long(30))).toBe('goodbye');
    const { coach, model } = coachWithModel({});
    await collect(coach.reply(aConversationState(long(27)), notAborted));
    expect(model.requestFor('reply').instructions).toContain('only time for a few more answers');
  });

  it('gives a conversation that goes on after its goodbye eight more answers', async () => {
    const goodbye = coachSaid('Goodbye!', { kind: 'goodbye' });
    const extended = (learnerTurns: number): Turn[] => [...long(30), goodbye, ...long(learnerTurns)];
    expect(await kindOf({ reply: NEXT }, extended(1))).toBe('line');
    expect(await kindOf({ reply: NEXT }, extended(7))).toBe('line');
    expect(await kindOf({ reply: NEXT }, extended(8))).toBe('goodbye');
    expect(await kindOf({ reply: NEXT }, [...extended(8), goodbye, ...long(1)])).toBe('line');
    // An early goodbye does not shorten the conversation.
    expect(await kindOf({ reply: NEXT }, [...long(5), goodbye, ...long(20)])).toBe('line');
    const { coach, model } = coachWithModel({});
    await collect(coach.reply(aConversationState(extended(4)), notAborted));
    expect(model.requestFor('reply').instructions).toContain('only time for a few more answers');
  });

  it('is left to the coach after a call with more than thirty answers', async () => {
    expect(await kindOf({ reply: NEXT }, long(34))).toBe('line');
    expect(await kindOf(marked, long(34))).toBe('goodbye');
    const { coach, model } = coachWithModel({});
    await collect(coach.reply(aConversationState(long(34)), notAborted));
    expect(model.requestFor('reply').instructions).toContain('only time for a few more answers');
  });

  it('needs some turns when there are no objectives', async () => {
    const model = scriptedModel(marked);
    const coach = createModelCoach(aScene({ model, objectives: [] }));
    const kinds = [];
    for (const turns of [long(2), long(6)]) {
      const last = (await collect(coach.reply(aConversationState(turns), notAborted))).at(-1);
      kinds.push(last?.type === 'line' ? last.line.kind : null);
    }
    expect(kinds).toEqual(['line', 'goodbye']);
  });

  it('ignores objectives of other practices', async () => {
    const others = [1, 2, 3].map((number) => anObjectiveId(number + 100));
    expect(await kindOf(marked, conversationAfter('What do you mean?'), ...others)).toBe('line');
  });
});

describe('a long conversation', () => {
  const turns = Array.from({ length: 120 }, (_, at) =>
    at % 2 === 0
      ? coachSaid(`Question ${at}? ${'really '.repeat(80)}`)
      : learnerSaid(`Answer ${at}. ${'so '.repeat(99)}`),
  );

  it('is sent in bounded size with its beginning and end', async () => {
    const { coach, model } = coachWithModel({});
    await collect(
      coach.reply(aConversationState(turns.slice(0, 59).concat(learnerSaid('The very last.'))), notAborted),
    );
    const { messages } = model.requestFor('reply');
    const told = messages.map(({ text }) => text).join('\n');
    expect(told.length).toBeLessThan(25_000);
    expect(told).toContain('Question 0?');
    expect(told).toMatch(/<note>\d+ turns of the conversation are left out here\.<\/note>/);
    expect(messages.at(-1)?.text).toContain('The very last.');
    expect(messages.map(({ role }) => role)).toEqual(messages.map((_, at) => (at % 2 === 0 ? 'learner' : 'coach')));
  });

  it('is sent in at most eighty turns', async () => {
    const { coach, model } = coachWithModel({});
    const short = Array.from({ length: 199 }, (_, at) => (at % 2 === 0 ? coachSaid('And?') : learnerSaid('Well.')));
    await coach.review(aConversationState(short), notAborted);
    const told = model.requestFor('review').messages[0]?.text ?? '';
    expect(told.match(/<(said|coach_said)>/g)).toHaveLength(80);
    expect(told).toContain('<note>119 turns');
  });

  it('is reviewed in bounded size, and its middle can be corrected', async () => {
    const middle = learnerSaid('I am agree with you in this middle of it.');
    const all = [...turns.slice(0, 61), middle, ...turns.slice(62)];
    const corrections = [{ said: 'I am agree', better: 'I agree', why: '“Agree” is a verb.' }];
    const { coach, model } = coachWithModel({ review: { ...(HONEST_MODEL['review'] as CoachReview), corrections } });
    expect((await coach.review(aConversationState(all), notAborted)).corrections).toEqual(corrections);
    expect(model.requestFor('review').messages[0]?.text.length).toBeLessThan(25_000);
  });
});
