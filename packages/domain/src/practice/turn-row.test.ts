import { describe, expect, it } from 'vitest';
import { SessionId, TurnId } from '../ids.ts';
import type { LearnerTurn } from './conversation.ts';
import { projectConversation, toTurnFields } from './turn-row.ts';

const sessionId = SessionId.parse('019aa000-0000-7000-8000-000000000001');
const id = (number: number): TurnId => TurnId.parse(`019aa000-0000-7000-8000-${String(number).padStart(12, '0')}`);
const START_MS = Date.parse('2026-11-18T10:00:00.000Z');

const turn = (number: number, atS: number): LearnerTurn => ({
  role: 'learner',
  turnId: id(number),
  at: new Date(START_MS + atS * 1_000).toISOString(),
  text: `turn ${number}`,
  mode: 'typed',
  node: 'opening',
  fitted: true,
  recordingId: null,
  assessment: null,
  hintLevel: 0,
});

const row = (said: LearnerTurn, previousTurnId: TurnId | null, deletedAt: Date | null = null) => ({
  ...toTurnFields(said, { sessionId, previousTurnId }),
  createdAt: new Date(said.at),
  deletedAt,
});

const projectedTexts = (rows: Parameters<typeof projectConversation>[0]) =>
  projectConversation(rows).map(({ text, continuation }) => [text, continuation ?? 0]);

describe('projectConversation', () => {
  it('returns the turns in the order in which they were spoken', () => {
    const turns = [turn(1, 0), turn(2, 10), turn(3, 20)];
    const rows = turns.map((said, index) => row(said, turns[index - 1]?.turnId ?? null));
    expect(projectConversation(rows.toReversed())).toEqual(turns);
  });

  it('includes both branches of two devices, one after the other', () => {
    const rows = [
      row(turn(1, 0), null),
      row(turn(2, 10), id(1)),
      row(turn(3, 30), id(2)),
      row(turn(8, 20), id(1)),
      row(turn(9, 40), id(8)),
    ];
    const expected = [
      ['turn 1', 0],
      ['turn 2', 0],
      ['turn 3', 0],
      ['turn 8', 1],
      ['turn 9', 1],
    ];
    expect(projectedTexts(rows)).toEqual(expected);
    expect(projectedTexts(rows.toReversed())).toEqual(expected);
  });

  it('keeps a device’s order even if its clock went back', () => {
    const rows = [row(turn(1, 100), null), row(turn(2, 50), id(1)), row(turn(3, 0), id(2))];
    expect(projectedTexts(rows).map(([text]) => text)).toEqual(['turn 1', 'turn 2', 'turn 3']);
  });

  it('keeps turns whose predecessor is missing, deleted or the turn itself', () => {
    const rows = [
      row(turn(1, 0), null),
      row(turn(2, 10), id(1), new Date(START_MS)),
      row(turn(3, 20), id(2)),
      row(turn(4, 30), id(77)),
      row(turn(5, 40), id(6)),
      row(turn(6, 50), id(5)),
    ];
    const texts = projectedTexts(rows).map(([text]) => text);
    expect(new Set(texts)).toEqual(new Set(['turn 1', 'turn 3', 'turn 4', 'turn 5', 'turn 6']));
    expect(texts).toHaveLength(5);
  });

  it('includes a turn without its assessment when that is unreadable', () => {
    const broken = { ...row(turn(1, 0), null), assessment: { v: 1, scores: [1] } as never };
    expect(projectConversation([broken])).toEqual([turn(1, 0)]);
  });

  it('handles thousands of turns', () => {
    const turns = Array.from({ length: 2_000 }, (_, index) => turn(index + 1, index));
    const rows = turns.map((said, index) => row(said, turns[index - 1]?.turnId ?? null));
    expect(projectConversation(rows)).toHaveLength(2_000);
  });
});
