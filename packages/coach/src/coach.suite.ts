/** The contract that every coach must meet: the guided coach and the model coach run the same tests. */
import { type CoachEvent, type CoachUtterance, CoachReview, type ObjectiveId, type Turn } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { Coach, ConversationState } from './coach.ts';
import { coachSaid, collect, aConversationState, learnerSaid } from './test-kit/builders.ts';
import { NothingToAnswerError } from './find-turn-to-answer.ts';

export interface CoachFixture {
  coach: Coach;
  objectiveIds: readonly ObjectiveId[];
  /** The answers of a cooperative learner, with which the conversation proves objectives and reaches its end. */
  answer: (line: CoachUtterance, conversation: ConversationState) => string;
}

const notAborted = new AbortController().signal;
const MAX_TURNS = 60;

/** Plays a whole conversation and returns, for each reply, the conversation before it and its events. */
async function playConversation({
  coach,
  answer,
}: CoachFixture): Promise<{ before: ConversationState; events: CoachEvent[] }[]> {
  const replies: { before: ConversationState; events: CoachEvent[] }[] = [];
  const turns: Turn[] = [];
  const completed: ConversationState['completed'][number][] = [];
  while (turns.length < MAX_TURNS) {
    const before = structuredClone({ turns, completed });
    const events = await collect(coach.reply(before, notAborted));
    replies.push({ before, events });
    const line = utteranceOf(events);
    completed.push(...events.filter((event) => event.type === 'proved'));
    turns.push(coachSaid(line.text, line));
    if (line.kind === 'goodbye') break;
    turns.push(learnerSaid(answer(line, { turns, completed })));
  }
  return replies;
}

function utteranceOf(events: readonly CoachEvent[]): CoachUtterance {
  const last = events.at(-1);
  if (last?.type !== 'line') throw new Error('the reply does not end with a line event');
  return last.line;
}

const learnerTexts = ({ turns }: ConversationState): string[] =>
  turns.flatMap((turn) => (turn.role === 'learner' ? turn.text : []));

export function coachSuite(open: () => CoachFixture): void {
  const openedConversation = async (subject: CoachFixture): Promise<Turn[]> => {
    const line = utteranceOf(await collect(subject.coach.reply(aConversationState([]), notAborted)));
    return [coachSaid(line.text, line)];
  };

  describe('reply', () => {
    it('opens the conversation with one utterance and proves nothing yet', async () => {
      const events = await collect(open().coach.reply(aConversationState([]), notAborted));
      expect(utteranceOf(events)).toMatchObject({ kind: 'line', text: expect.stringMatching(/\w/) });
      expect(events.filter(({ type }) => type === 'proved')).toEqual([]);
    });

    it('ends with exactly one line event whose text is the streamed words', async () => {
      for (const { events } of await playConversation(open())) {
        expect(events.map(({ type }) => type).indexOf('line')).toBe(events.length - 1);
        const words = events.flatMap((event) => (event.type === 'words' ? [event.text] : []));
        expect(words.join('')).toBe(utteranceOf(events).text);
      }
    });

    it('leads a cooperative learner to a goodbye', async () => {
      const kinds = (await playConversation(open())).map(({ events }) => utteranceOf(events).kind);
      expect(kinds.indexOf('goodbye')).toBe(kinds.length - 1);
    });

    it('proves each objective once, with an exact quote from the last turn', async () => {
      const subject = open();
      const replies = await playConversation(subject);
      const proofs = replies.flatMap(({ before, events }) =>
        events.flatMap((event) => (event.type === 'proved' ? [{ ...event, said: before.turns.at(-1)?.text }] : [])),
      );
      expect(proofs.length).toBeGreaterThan(0);
      for (const { words, said } of proofs) expect(said).toContain(words);
      const ids = proofs.map(({ objectiveId }) => objectiveId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => !subject.objectiveIds.includes(id))).toEqual([]);
    });

    it('never proves a completed objective again', async () => {
      const subject = open();
      const proving = (await playConversation(subject)).filter(({ events }) =>
        events.some(({ type }) => type === 'proved'),
      );
      for (const { before } of proving) {
        const events = await collect(
          subject.coach.reply(aConversationState(before.turns, ...subject.objectiveIds), notAborted),
        );
        expect(events.filter(({ type }) => type === 'proved')).toEqual([]);
      }
    });

    it('throws when the coach spoke last', async () => {
      const subject = open();
      const turns = await openedConversation(subject);
      await expect(collect(subject.coach.reply(aConversationState(turns), notAborted))).rejects.toThrow(
        NothingToAnswerError,
      );
      const afterGoodbye = [coachSaid('Goodbye.', { kind: 'goodbye' }), learnerSaid('Wait, one more thing.')];
      await expect(collect(subject.coach.reply(aConversationState(afterGoodbye), notAborted))).rejects.toThrow(
        NothingToAnswerError,
      );
    });

    it('stops when it is aborted, before and during the reply', async () => {
      const { coach } = open();
      await expect(collect(coach.reply(aConversationState([]), AbortSignal.abort()))).rejects.toThrow(/abort/i);
      const stop = new AbortController();
      const heard: CoachEvent[] = [];
      const listen = async (): Promise<void> => {
        for await (const event of coach.reply(aConversationState([]), stop.signal)) {
          heard.push(event);
          stop.abort();
        }
      };
      await expect(listen()).rejects.toThrow(/abort/i);
      expect(heard.map(({ type }) => type)).toEqual(['words']);
    });

    it('does not modify its input', async () => {
      const subject = open();
      const turns = await openedConversation(subject);
      const given = aConversationState([
        ...turns,
        learnerSaid(subject.answer(lastUtterance(turns), aConversationState(turns))),
      ]);
      const copy = structuredClone(given);
      await collect(subject.coach.reply(given, notAborted));
      expect(given).toEqual(copy);
    });
  });

  describe('hint', () => {
    it.each([1, 2, 3] as const)('returns up to three hints, none of them blank (level %i)', async (level) => {
      const subject = open();
      const hints = await subject.coach.hint(aConversationState(await openedConversation(subject)), {
        level,
        signal: notAborted,
      });
      expect(hints.length).toBeGreaterThan(0);
      expect(hints.length).toBeLessThanOrEqual(3);
      for (const hint of hints) expect(hint).toMatch(/\w/);
    });

    it('returns nothing after the goodbye, and rejects when aborted', async () => {
      const subject = open();
      const over = aConversationState([coachSaid('Goodbye.', { kind: 'goodbye' })]);
      expect(await subject.coach.hint(over, { level: 3, signal: notAborted })).toEqual([]);
      const aborted = subject.coach.hint(aConversationState(await openedConversation(subject)), {
        level: 3,
        signal: AbortSignal.abort(),
      });
      await expect(aborted).rejects.toThrow(/abort/i);
    });
  });

  describe('review', () => {
    const review = async (subject: CoachFixture): Promise<{ of: ConversationState; review: CoachReview }> => {
      const last = (await playConversation(subject)).at(-1);
      const of = last?.before ?? aConversationState([]);
      return { of, review: await subject.coach.review(of, notAborted) };
    };

    it('has three sentences and a summary within their limits', async () => {
      const { review: written } = await review(open());
      expect(CoachReview.parse(written)).toEqual(written);
      for (const text of [written.best, written.fix, written.nextStep, written.summary]) expect(text).toMatch(/\w/);
    });

    it('corrects only the learner’s own words', async () => {
      const { of, review: written } = await review(open());
      for (const { said } of written.corrections) expect(learnerTexts(of).join('\n')).toContain(said);
    });

    it('praises, corrects and remembers nothing when the learner said nothing', async () => {
      const subject = open();
      const of = aConversationState(await openedConversation(subject));
      expect(await subject.coach.review(of, notAborted)).toMatchObject({
        corrections: [],
        remember: [],
        languageQuality: null,
        summary: expect.stringContaining('"turns":0'),
      });
    });
  });
}

function lastUtterance(turns: readonly Turn[]): CoachUtterance {
  const last = turns.at(-1);
  if (last?.role !== 'coach') throw new Error('the coach did not speak last');
  return last;
}
