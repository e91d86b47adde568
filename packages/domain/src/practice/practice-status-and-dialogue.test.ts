import { describe, expect, it } from 'vitest';
import { Dialogue, type DialogueNode, ObjectiveKey } from './dialogue.ts';
import { idleSessionAction, hasEnoughSpeechToScore, transitionPractice } from './practice-status.ts';

const HOUR_MS = 3_600_000;

describe('practice status', () => {
  it('completes once and never goes back', () => {
    expect(transitionPractice('in_progress', { type: 'scored' })).toEqual({ ok: true, status: 'completed' });
    expect(transitionPractice('completed', { type: 'scoring_gave_up' }).ok).toBe(false);
  });

  it('can be retried after scoring failed', () => {
    const failed = transitionPractice('in_progress', { type: 'scoring_gave_up' });
    expect(failed).toEqual({ ok: true, status: 'failed_to_generate_score' });
    expect(transitionPractice('failed_to_generate_score', { type: 'scored' })).toEqual({
      ok: true,
      status: 'completed',
    });
  });

  it('offers to resume after a day and finishes after seven', () => {
    expect(idleSessionAction({ idleMs: 23 * HOUR_MS })).toBe('keep');
    expect(idleSessionAction({ idleMs: 24 * HOUR_MS })).toBe('offer_to_resume');
    expect(idleSessionAction({ idleMs: 7 * 24 * HOUR_MS })).toBe('finish');
  });

  it('scores an abandoned session only with enough turns and speech', () => {
    expect(hasEnoughSpeechToScore({ learnerTurns: 3, speechMs: 20_000 })).toBe(true);
    expect(hasEnoughSpeechToScore({ learnerTurns: 2, speechMs: 60_000 })).toBe(false);
    expect(hasEnoughSpeechToScore({ learnerTurns: 9, speechMs: 19_999 })).toBe(false);
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

describe('dialogue schema', () => {
  it('accepts a dialogue in which every branch continues', () => {
    expect(problemsOf([opening(), end])).toBeUndefined();
  });

  it('names a branch that leads nowhere', () => {
    expect(problemsOf([opening({ replies: same([reply('nowhere'), reply('end')]) }), end])).toContain(
      '"opening": a reply leads to the unknown node "nowhere"',
    );
  });

  it('names an unreachable node', () => {
    expect(problemsOf([opening(), end, { ...end, key: 'lost' }])).toContain('"lost" cannot be reached');
  });

  it('rejects a proof that is not part of its reply', () => {
    const replies = same([
      reply('end', [{ objective: ObjectiveKey.parse('apologise'), words: 'so sorry' }]),
      reply('end'),
    ]);
    expect(problemsOf([opening({ replies }), end])).toContain(
      '"opening": the proof "so sorry" is not part of its reply',
    );
  });
});
