import { RecordingId, TurnId } from '@parley/domain';
import { expect, it } from 'vitest';
import { wasUnderstood } from './was-understood.ts';

const turn = {
  turnId: TurnId.parse('0198a000-0000-7000-8000-000000000001'),
  recordingId: RecordingId.parse('0198a000-0000-7000-8000-000000000002'),
  isInterrupted: false,
};
const notRecognised = { ...turn, status: 'not_recognised' as const, candidates: [], failure: null };

it('cues a recording that has to be said again, and no other', () => {
  expect(wasUnderstood({ ...turn, status: 'unusable', reason: 'silent' })).toBe(false);
  expect(wasUnderstood(notRecognised)).toBe(false);
  expect(wasUnderstood({ ...notRecognised, candidates: ['I finished the report.'] })).toBe(true);
  expect(wasUnderstood({ ...notRecognised, failure: 'quota.out' })).toBe(true);
  expect(wasUnderstood({ ...turn, status: 'not_scored', candidates: [], text: null })).toBe(true);
});
