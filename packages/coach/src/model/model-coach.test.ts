/** A coach that a model plays, over a model that says what is written here. */
import { type CoachEvent, CoachReview, type Turn } from '@parley/domain';
import { describe, expect, it, vi } from 'vitest';
import { coachSuite } from '../coach.suite.ts';
import {
  aConversation,
  anObjectiveId,
  APOLOGISE,
  aScene,
  coachSaid,
  collect,
  held,
  learnerSaid,
  NAME_THE_DELAY,
  OFFER_A_DATE,
} from '../test-kit/builders.ts';
import { comparableWords, containsPhrase } from '../words.ts';
import { inPieces, type Script, scriptedModel } from '../test-kit/scripted-model.ts';
import { type Asked, ModelFailure } from './language-model.ts';
import { createModelCoach } from './model-coach.ts';
import { JUDGE_GRACE_MS } from './speak.ts';

const never = new AbortController().signal;
const NEXT = 'I see. And when will it come?';
const BYE = 'Thank you, Ana. Goodbye!<goodbye/>';
const ANSWERS = [
  "I'm SO sorry about that.",
  "Well, it's two days late.",
  'We can bring it on Friday.',
  'Thank you, bye!',
];

/** As an honest judge would: the objective that the words reach, by its number in this call. */
function honestJudge({ messages: [message] }: Asked): unknown {
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

const honest: Script = {
  reply: ({ instructions }: Asked) => inPieces(instructions.includes('sound like a goodbye') ? BYE : NEXT),
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

const coachOver = (script: Script) => {
  const model = scriptedModel({ ...honest, ...script });
  return { model, coach: createModelCoach(aScene({ model })) };
};

describe('a coach that a model plays', () => {
  coachSuite(() => ({
    coach: coachOver({}).coach,
    objectiveIds: [APOLOGISE, NAME_THE_DELAY, OFFER_A_DATE],
    answer: (_, { turns }) => ANSWERS[turns.filter(({ role }) => role === 'learner').length] ?? 'Bye.',
  }));
});

const asked = 'Good morning. Where is my delivery?';
const after = (said: string): Turn[] => aConversation(asked, said);
const replyTo = (script: Script, said: string, ...reached: (typeof APOLOGISE)[]): Promise<CoachEvent[]> =>
  collect(coachOver(script).coach.reply(held(after(said), ...reached), never));
const proofsIn = (events: readonly CoachEvent[]) => events.filter((event) => event.type === 'proved');

describe('proofs', () => {
  const judging = (...proofs: { objective: number; words: string }[]): Script => ({ judge: { proofs } });

  it('come while the coach speaks: the judge does not wait for the words, nor the words for the judge', async () => {
    const judged = Promise.withResolvers<void>();
    const script: Script = {
      async *reply() {
        yield 'I see. ';
        // Never comes if the judge is asked only afterwards.
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

  it('are in the learner’s own spelling', async () => {
    const events = await replyTo(judging({ objective: 2, words: 'it is two days late' }), "Well, IT'S two days late!");
    expect(proofsIn(events)).toEqual([{ type: 'proved', objectiveId: NAME_THE_DELAY, words: "IT'S two days late" }]);
  });

  it('are numbered among the open objectives alone', async () => {
    const events = await replyTo(judging({ objective: 1, words: 'two days late' }), 'It is two days late.', APOLOGISE);
    expect(proofsIn(events)).toMatchObject([{ objectiveId: NAME_THE_DELAY }]);
  });

  it.each([
    ['words that nobody said', { objective: 1, words: 'I apologise' }],
    ['words that were said, in another order', { objective: 1, words: 'sorry so' }],
    ['no words', { objective: 1, words: '…' }],
    ['an objective that is none', { objective: 4, words: 'so sorry' }],
    ['half an objective', { objective: 1.5, words: 'so sorry' }],
  ])('are not taken from %s', async (_, proof) => {
    expect(proofsIn(await replyTo(judging(proof), 'I am so sorry.'))).toEqual([]);
  });

  it('are not waited for long', async () => {
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
    ['fails', () => Promise.reject(new ModelFailure('unreachable'))],
    ['answers in another shape', () => ({ verdict: 'all of them' })],
  ])('are what is lost when the judge %s, and nothing else', async (_, judge) => {
    const events = await replyTo({ judge }, 'I am so sorry.');
    expect(proofsIn(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'line', line: { text: NEXT, kind: 'line' }, fitted: true });
  });

  it('are not asked for when all is reached', async () => {
    const { coach, model } = coachOver({});
    await collect(coach.reply(held(after('I am so sorry.'), APOLOGISE, NAME_THE_DELAY, OFFER_A_DATE), never));
    expect(model.asked.map(({ purpose }) => purpose)).toEqual(['reply']);
  });
});

describe('an answer', () => {
  it.each(['', ' \n ', '<goodbye/>', '\u200b', '**'])('without a word is a malformed one: %j', async (reply) => {
    await expect(replyTo({ reply }, 'Hello.')).rejects.toMatchObject({ reason: 'malformed' });
  });

  it('that breaks off is a failure, and the judge is not left running', async () => {
    const signals: AbortSignal[] = [];
    const script: Script = {
      *reply() {
        yield 'I see. And ';
        throw new ModelFailure('unreachable');
      },
      judge: ({ signal }: Asked) => {
        signals.push(signal);
        return Promise.withResolvers().promise;
      },
    };
    await expect(replyTo(script, 'I am so sorry.')).rejects.toMatchObject({ reason: 'unreachable' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('that nobody listens to any more ends upstream', async () => {
    const { coach, model } = coachOver({});
    for await (const event of coach.reply(held(after('Hello.')), never)) {
      expect(event.type).toBe('words');
      break;
    }
    expect(model.askedFor('reply').signal.aborted).toBe(true);
  });

  it('is read to its end when it is withheld, so that its cost is known', async () => {
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
    const last = (await collect(coachOver(script).coach.reply(held(turns, ...reached), never))).at(-1);
    return last?.type === 'line' ? last.line.kind : null;
  };
  const long = (learnerTurns: number): Turn[] =>
    Array.from({ length: learnerTurns }, () => [coachSaid(asked), learnerSaid('It is on its way.')]).flat();
  const marked: Script = { reply: inPieces(BYE) };
  const twoOfThree = [APOLOGISE, NAME_THE_DELAY];

  it('comes with the model’s mark where all is reached, also by the last words', async () => {
    expect(await kindOf(marked, after('Fine, thank you.'), ...twoOfThree, OFFER_A_DATE)).toBe('goodbye');
    expect(await kindOf(marked, after('We come on Friday.'), ...twoOfThree)).toBe('goodbye');
  });

  it('comes with the mark where the learner takes leave', async () => {
    expect(await kindOf(marked, after("Sorry, I've got to go. Bye!"))).toBe('goodbye');
  });

  it('does not come by the mark alone, nor without it', async () => {
    expect(await kindOf(marked, after('What do you mean?'))).toBe('line');
    expect(await kindOf(marked, [])).toBe('line');
    expect(await kindOf({ reply: NEXT }, after('Before I say goodbye: may I ask something?'))).toBe('line');
  });

  it('comes after thirty answers whatever the model says, and is told of before', async () => {
    expect(await kindOf({ reply: NEXT }, long(29))).toBe('line');
    expect(await kindOf({ reply: NEXT }, long(30))).toBe('goodbye');
    const { coach, model } = coachOver({});
    await collect(coach.reply(held(long(27)), never));
    expect(model.askedFor('reply').instructions).toContain('a few more answers only');
  });

  it('needs some turns where there is nothing to reach', async () => {
    const model = scriptedModel(marked);
    const coach = createModelCoach(aScene({ model, objectives: [] }));
    const kinds = [];
    for (const turns of [long(2), long(6)]) {
      const last = (await collect(coach.reply(held(turns), never))).at(-1);
      kinds.push(last?.type === 'line' ? last.line.kind : null);
    }
    expect(kinds).toEqual(['line', 'goodbye']);
  });

  it('is no matter of objectives that this practice does not have', async () => {
    const others = [1, 2, 3].map((number) => anObjectiveId(number + 100));
    expect(await kindOf(marked, after('What do you mean?'), ...others)).toBe('line');
  });
});

describe('a long conversation', () => {
  const turns = Array.from({ length: 120 }, (_, at) =>
    at % 2 === 0
      ? coachSaid(`Question ${at}? ${'really '.repeat(80)}`)
      : learnerSaid(`Answer ${at}. ${'so '.repeat(99)}`),
  );

  it('is told in bounded size, from its beginning and its end, and says what is left out', async () => {
    const { coach, model } = coachOver({});
    await collect(coach.reply(held(turns.slice(0, 59).concat(learnerSaid('The very last.'))), never));
    const { messages } = model.askedFor('reply');
    const told = messages.map(({ text }) => text).join('\n');
    expect(told.length).toBeLessThan(25_000);
    expect(told).toContain('Question 0?');
    expect(told).toMatch(/<note>\d+ turns of the conversation are left out here\.<\/note>/);
    expect(messages.at(-1)?.text).toContain('The very last.');
    expect(messages.map(({ role }) => role)).toEqual(messages.map((_, at) => (at % 2 === 0 ? 'learner' : 'coach')));
  });

  it('is told in no more than eighty turns, however short they are', async () => {
    const { coach, model } = coachOver({});
    const short = Array.from({ length: 199 }, (_, at) => (at % 2 === 0 ? coachSaid('And?') : learnerSaid('Well.')));
    await coach.review(held(short), never);
    const told = model.askedFor('review').messages[0]?.text ?? '';
    expect(told.match(/<(said|coach_said)>/g)).toHaveLength(80);
    expect(told).toContain('<note>119 turns');
  });

  it('is reviewed in bounded size, and may be corrected from its middle', async () => {
    const middle = learnerSaid('I am agree with you in this middle of it.');
    const all = [...turns.slice(0, 61), middle, ...turns.slice(62)];
    const corrections = [{ said: 'I am agree', better: 'I agree', why: '“Agree” is a verb.' }];
    const { coach, model } = coachOver({ review: { ...(honest['review'] as CoachReview), corrections } });
    expect((await coach.review(held(all), never)).corrections).toEqual(corrections);
    expect(model.askedFor('review').messages[0]?.text.length).toBeLessThan(25_000);
  });
});
