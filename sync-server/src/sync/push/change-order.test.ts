import type { Mutation } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { type ChangeOrder, type NewestChange, orderChanges } from './change-order.ts';

const DEVICE = '01a228e9-3ebf-7eb2-84e9-d374992c9b32';
const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-11-18T10:00:00.000Z');

const timeAt = (seconds: number): string => `${START_MS + seconds * 1_000}-0000-${DEVICE}`;
const change = (id: string, seconds: number, op: Mutation['op'] = 'upsert') => ({ id, op, at: timeAt(seconds) });
const newestAt = (seconds: number, offsetMs = 0): NewestChange => ({ at: timeAt(seconds), offsetMs });
const idsOf = ({ newest, older }: ChangeOrder) => ({ newest: [...newest], older: [...older] });

/** The request was sent an hour after the start, unless given. */
const order = (
  changes: Parameters<typeof orderChanges>[0],
  given: Partial<Parameters<typeof orderChanges>[1]> = {},
): ChangeOrder =>
  orderChanges(changes, {
    protocol: 3,
    deviceNow: new Date(START_MS + HOUR_MS),
    offsetMs: 0,
    last: null,
    hasSentChanges: false,
    ...given,
  });

describe('the changes of a device', () => {
  it('count as its newest if their times never decrease', () => {
    const ordered = order([change('a', 1), change('b', 2), change('b too', 2)], { last: newestAt(1) });
    expect(idsOf(ordered)).toEqual({ newest: ['a', 'b', 'b too'], older: [] });
    expect(ordered.last).toEqual(newestAt(2));
  });

  it('are older when the server has had a later one, and those behind them are not', () => {
    const ordered = order([change('a', 1), change('b', 5)], { last: newestAt(3), hasSentChanges: true });
    expect(idsOf(ordered)).toEqual({ newest: ['b'], older: ['a'] });
  });

  it('are not made older by a restore, which is sent before them with a later time', () => {
    const ordered = order([change('row', 60, 'restore'), change('a', 2)], { last: newestAt(1), hasSentChanges: true });
    expect(idsOf(ordered)).toEqual({ newest: ['a'], older: [] });
    expect(ordered.last).toEqual(newestAt(2));
    expect(order([change('row', 60, 'restore')], { last: newestAt(1) }).last).toEqual(newestAt(1));
  });

  it('are in no known order when the server did not keep the newest before', () => {
    const ordered = order([change('a', 1), change('b', 2)], { hasSentChanges: true });
    expect(idsOf(ordered)).toEqual({ newest: [], older: [] });
    expect(ordered.last).toEqual(newestAt(2));
  });

  it('are in no known order when its clock has started again, and are ordered from there', () => {
    const aYearAhead = newestAt(365 * 24 * 3_600);
    const ordered = order([change('a', 1), change('b', 2)], { last: aYearAhead, hasSentChanges: true });
    expect(idsOf(ordered)).toEqual({ newest: [], older: [] });
    expect(ordered.last).toEqual(newestAt(2));
    expect(order([], { last: aYearAhead, hasSentChanges: true }).last).toEqual(aYearAhead);
  });

  it('are corrected by no more than the newest was, if they are older', () => {
    const last = newestAt(3, -HOUR_MS);
    expect(order([change('a', 1)], { last, offsetMs: 300 - HOUR_MS }).olderOffsetMs).toBe(-HOUR_MS);
    expect(order([change('a', 1)], { last, offsetMs: -2 * HOUR_MS }).olderOffsetMs).toBe(-2 * HOUR_MS);
    expect(order([change('b', 4)], { last, offsetMs: 300 - HOUR_MS }).last).toEqual(newestAt(4, 300 - HOUR_MS));
  });

  it('always count as its newest in protocol 2', () => {
    const given = { protocol: 2, deviceNow: null, last: newestAt(3), hasSentChanges: true } as const;
    expect(idsOf(order([change('b', 5), change('a', 1)], given))).toEqual({ newest: ['b', 'a'], older: [] });
  });
});
