/** What every coach keeps to, whoever it is: the same tests for the guided one and for one that a model plays. */
import { type CoachEvent, type CoachLine, CoachReview, type ObjectiveId, type Turn } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { Coach, Held } from './coach.ts';
import { coachSaid, collect, held, learnerSaid } from './test-kit/builders.ts';
import { NothingToAnswer } from './turn-to-answer.ts';

export interface CoachUnderTest {
  coach: Coach;
  objectiveIds: readonly ObjectiveId[];
  /** What a willing learner answers; with it a conversation proves something and comes to its end. */
  answer: (line: CoachLine, held: Held) => string;
}

const never = new AbortController().signal;
const MOST_TURNS = 60;

/** A whole conversation: each time what was held and what came. */
async function converse({ coach, answer }: CoachUnderTest): Promise<{ before: Held; events: CoachEvent[] }[]> {
  const replies: { before: Held; events: CoachEvent[] }[] = [];
  const turns: Turn[] = [];
  const completed: Held['completed'][number][] = [];
  while (turns.length < MOST_TURNS) {
    const before = structuredClone({ turns, completed });
    const events = await collect(coach.reply(before, never));
    replies.push({ before, events });
    const line = lineOf(events);
    completed.push(...events.filter((event) => event.type === 'proved'));
    turns.push(coachSaid(line.text, line));
    if (line.kind === 'goodbye') break;
    turns.push(learnerSaid(answer(line, { turns, completed })));
  }
  return replies;
}

function lineOf(events: readonly CoachEvent[]): CoachLine {
  const last = events.at(-1);
  if (last?.type !== 'line') throw new Error('the reply does not end with a line');
  return last.line;
}

const learnerTexts = ({ turns }: Held): string[] => turns.flatMap((turn) => (turn.role === 'learner' ? turn.text : []));

export function coachSuite(open: () => CoachUnderTest): void {
  const opened = async (under: CoachUnderTest): Promise<Turn[]> => {
    const line = lineOf(await collect(under.coach.reply(held([]), never)));
    return [coachSaid(line.text, line)];
  };

  describe('a reply', () => {
    it('opens the conversation with one line, and proves nothing yet', async () => {
      const events = await collect(open().coach.reply(held([]), never));
      expect(lineOf(events)).toMatchObject({ kind: 'line', text: expect.stringMatching(/\w/) });
      expect(events.filter(({ type }) => type === 'proved')).toEqual([]);
    });

    it('ends with exactly one line, whose text is the words that came', async () => {
      for (const { events } of await converse(open())) {
        expect(events.map(({ type }) => type).indexOf('line')).toBe(events.length - 1);
        const words = events.flatMap((event) => (event.type === 'words' ? [event.text] : []));
        expect(words.join('')).toBe(lineOf(events).text);
      }
    });

    it('leads a willing learner to a goodbye', async () => {
      const kinds = (await converse(open())).map(({ events }) => lineOf(events).kind);
      expect(kinds.indexOf('goodbye')).toBe(kinds.length - 1);
    });

    it('proves with words that stand in the last turn, letter by letter, and each objective once', async () => {
      const under = open();
      const replies = await converse(under);
      const proofs = replies.flatMap(({ before, events }) =>
        events.flatMap((event) => (event.type === 'proved' ? [{ ...event, said: before.turns.at(-1)?.text }] : [])),
      );
      expect(proofs.length).toBeGreaterThan(0);
      for (const { words, said } of proofs) expect(said).toContain(words);
      const ids = proofs.map(({ objectiveId }) => objectiveId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => !under.objectiveIds.includes(id))).toEqual([]);
    });

    it('never ticks again what is ticked', async () => {
      const under = open();
      const proving = (await converse(under)).filter(({ events }) => events.some(({ type }) => type === 'proved'));
      for (const { before } of proving) {
        const events = await collect(under.coach.reply(held(before.turns, ...under.objectiveIds), never));
        expect(events.filter(({ type }) => type === 'proved')).toEqual([]);
      }
    });

    it('answers nobody where the coach has spoken last', async () => {
      const under = open();
      const turns = await opened(under);
      await expect(collect(under.coach.reply(held(turns), never))).rejects.toThrow(NothingToAnswer);
      const afterGoodbye = [coachSaid('Goodbye.', { kind: 'goodbye' }), learnerSaid('Wait, one more thing.')];
      await expect(collect(under.coach.reply(held(afterGoodbye), never))).rejects.toThrow(NothingToAnswer);
    });

    it('does not begin when it is aborted, and ends without a line when it is aborted on the way', async () => {
      const { coach } = open();
      await expect(collect(coach.reply(held([]), AbortSignal.abort()))).rejects.toThrow(/abort/i);
      const stop = new AbortController();
      const heard: CoachEvent[] = [];
      const listen = async (): Promise<void> => {
        for await (const event of coach.reply(held([]), stop.signal)) {
          heard.push(event);
          stop.abort();
        }
      };
      await expect(listen()).rejects.toThrow(/abort/i);
      expect(heard.map(({ type }) => type)).toEqual(['words']);
    });

    it('leaves what it was given as it was', async () => {
      const under = open();
      const turns = await opened(under);
      const given = held([...turns, learnerSaid(under.answer(lineFrom(turns), held(turns)))]);
      const copy = structuredClone(given);
      await collect(under.coach.reply(given, never));
      expect(given).toEqual(copy);
    });
  });

  describe('hints', () => {
    it.each([1, 2, 3] as const)('of level %i are up to three, and none is blank', async (level) => {
      const under = open();
      const hints = await under.coach.hint(held(await opened(under)), { level, signal: never });
      expect(hints.length).toBeGreaterThan(0);
      expect(hints.length).toBeLessThanOrEqual(3);
      for (const hint of hints) expect(hint).toMatch(/\w/);
    });

    it('are none after the goodbye, nor for somebody who has gone', async () => {
      const under = open();
      const over = held([coachSaid('Goodbye.', { kind: 'goodbye' })]);
      expect(await under.coach.hint(over, { level: 3, signal: never })).toEqual([]);
      const aborted = under.coach.hint(held(await opened(under)), { level: 3, signal: AbortSignal.abort() });
      await expect(aborted).rejects.toThrow(/abort/i);
    });
  });

  describe('a review', () => {
    const review = async (under: CoachUnderTest): Promise<{ of: Held; review: CoachReview }> => {
      const last = (await converse(under)).at(-1);
      const of = last?.before ?? held([]);
      return { of, review: await under.coach.review(of, never) };
    };

    it('is three sentences and a summary within their bounds', async () => {
      const { review: written } = await review(open());
      expect(CoachReview.parse(written)).toEqual(written);
      for (const text of [written.best, written.fix, written.nextStep, written.summary]) expect(text).toMatch(/\w/);
    });

    it('corrects only what the learner said', async () => {
      const { of, review: written } = await review(open());
      for (const { said } of written.corrections) expect(learnerTexts(of).join('\n')).toContain(said);
    });

    it('of a conversation in which the learner said nothing praises, corrects and remembers nothing', async () => {
      const under = open();
      const of = held(await opened(under));
      expect(await under.coach.review(of, never)).toMatchObject({
        corrections: [],
        remember: [],
        languageQuality: null,
        summary: expect.stringMatching(/before your first answer/),
      });
    });
  });
}

function lineFrom(turns: readonly Turn[]): CoachLine {
  const last = turns.at(-1);
  if (last?.role !== 'coach') throw new Error('the coach has not spoken last');
  return last;
}
