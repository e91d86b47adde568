import { describe, expect, it } from 'vitest';
import { Dialogue, type DialogueNode, ObjectiveKey } from './dialogue.ts';
import { idleSessionAction, isEnoughToScore, movePractice } from './practice-machine.ts';

const HOUR_MS = 3_600_000;

describe('the life of a practice', () => {
  it('completes once, and never goes back', () => {
    expect(movePractice('in_progress', { type: 'scored' })).toEqual({ ok: true, status: 'completed' });
    expect(movePractice('completed', { type: 'scoring_gave_up' }).ok).toBe(false);
  });

  it('lets a retry save a practice whose scoring failed', () => {
    const failed = movePractice('in_progress', { type: 'scoring_gave_up' });
    expect(failed).toEqual({ ok: true, status: 'failed_to_generate_score' });
    expect(movePractice('failed_to_generate_score', { type: 'scored' })).toEqual({ ok: true, status: 'completed' });
  });

  it('offers to resume after a day and finishes after seven', () => {
    expect(idleSessionAction({ idleMs: 23 * HOUR_MS })).toBe('keep');
    expect(idleSessionAction({ idleMs: 24 * HOUR_MS })).toBe('offer_to_resume');
    expect(idleSessionAction({ idleMs: 7 * 24 * HOUR_MS })).toBe('finish');
  });

  it('scores an abandoned session only with three turns and twenty seconds of speech', () => {
    expect(isEnoughToScore({ learnerTurns: 3, speechMs: 20_000 })).toBe(true);
    expect(isEnoughToScore({ learnerTurns: 2, speechMs: 60_000 })).toBe(false);
    expect(isEnoughToScore({ learnerTurns: 9, speechMs: 19_999 })).toBe(false);
  });
});

const same = <Value>(value: Value) => ({ easy: value, intermediate: value, hard: value });
const reply = (next: string, proves: DialogueNode['replies']['easy'][number]['proves'] = []) => ({
  text: 'The delivery is two days late.',
  next,
  keyword: 'late',
  proves,
});
const opening = (overrides: object = {}) => ({
  key: 'opening',
  say: same('What happened?'),
  replies: same([reply('end'), reply('end')]),
  rephrase: ['Is it late?'],
  ...overrides,
});
const end = { key: 'end', say: same('Thank you.'), replies: same([]), rephrase: [] };
const problemsOf = (nodes: object[]) =>
  Dialogue.safeParse({ start: 'opening', nodes }).error?.issues.map((issue) => issue.message);

describe('a dialogue', () => {
  it('is accepted when every branch leads on', () => {
    expect(problemsOf([opening(), end])).toBeUndefined();
  });

  it('names a branch that leads nowhere', () => {
    expect(problemsOf([opening({ replies: same([reply('nowhere'), reply('end')]) }), end])).toContain(
      '"opening": reply leads to unknown "nowhere"',
    );
  });

  it('names a node that no branch reaches', () => {
    expect(problemsOf([opening(), end, { ...end, key: 'lost' }])).toContain('"lost" is never reached');
  });

  it('refuses a proof that its reply does not say', () => {
    const replies = same([
      reply('end', [{ objective: ObjectiveKey.parse('apologise'), words: 'so sorry' }]),
      reply('end'),
    ]);
    expect(problemsOf([opening({ replies }), end])).toContain(
      '"opening": the proof "so sorry" does not stand in its reply',
    );
  });
});
