/** Plants each difference in an equal replica and expects the oracle to report it. */
import { describe, expect, it } from 'vitest';
import { checkReplica, type ReplicaCase } from './check-replica.ts';
import { buildConversation } from './conversation.ts';
import type { Row } from './oracle-edit.ts';
import { readProtocolDocument } from './protocol-document.ts';
import { aSession, aTurn, SESSION, timeAt, toRows, USER } from './test-kit/builders.ts';

const document = readProtocolDocument();

describe('checkReplica', () => {
  const turns = [
    aTurn('t1', { saidAt: timeAt(1) }),
    aTurn('t2', { saidAt: timeAt(2), previousTurnId: 't1' }),
    aTurn('t3', { saidAt: timeAt(3), previousTurnId: 't1' }),
    aTurn('t4', { saidAt: timeAt(4), previousTurnId: 't2' }),
  ];
  const rows = toRows(aSession(), ...turns);
  const server = { rows, catalogue: new Map([['courses c', 1]]) };
  const aReplica = (changed: Partial<ReplicaCase> = {}): ReplicaCase => ({
    rows,
    catalogue: new Map(server.catalogue),
    conversations: new Map([[SESSION, buildConversation(turns)]]),
    waiting: 0,
    damage: [],
    ...changed,
  });
  const check = (changed: Partial<ReplicaCase>): string[] => checkReplica(document, aReplica(changed), server, USER);

  it('accepts an equal replica and numbers the second continuation', () => {
    expect(check({})).toEqual([]);
    const order = buildConversation(turns).map(({ turnId, continuation }) => [turnId, continuation]);
    expect(order).toEqual([
      ['t1', undefined],
      ['t2', undefined],
      ['t4', undefined],
      ['t3', 1],
    ]);
  });

  it('reports a diverged row, a missing row and an extra row', () => {
    const other = new Map(rows).set(`practice_history ${SESSION}`, aSession({ duration: 11 }));
    expect(check({ rows: other })).toEqual([expect.stringContaining('differs in practice_history')]);
    expect(check({ rows: toRows(aSession(), ...turns.slice(1)) })).toEqual([
      expect.stringContaining('lacks ai_conversations t1'),
    ]);
    expect(check({ rows: new Map([...rows, ...toRows(aTurn('t5'))]) })).toEqual([expect.stringContaining('has')]);
  });

  it('reports differing field times', () => {
    const withClocks = (clocks: Record<string, string>): Map<string, Row> =>
      new Map(rows).set(`practice_history ${SESSION}`, aSession({ fieldClocks: clocks }));
    const timed = { rows: withClocks({ '*': 'x', duration: 'y' }), catalogue: server.catalogue };
    const found = aReplica({ rows: withClocks({ '*': 'x' }) });
    expect(checkReplica(document, found, timed, USER)).toEqual([expect.stringContaining('fieldClocks')]);
  });

  it('reports duplicate, missing, reordered and changed turns', () => {
    const [first, second, ...others] = buildConversation(turns);
    if (first === undefined || second === undefined) throw new Error('the conversation has no turns');
    const shows = (...conversation: Row[]): string[] => check({ conversations: new Map([[SESSION, conversation]]) });
    expect(shows(first, first, second, ...others)).toEqual([expect.stringContaining('twice')]);
    expect(shows(first, ...others)).toEqual([expect.stringContaining('lacks turn t2')]);
    expect(shows(second, first, ...others)).toEqual([expect.stringContaining('is in the order')]);
    expect(shows({ ...first, text: 'other' }, second, ...others)).toEqual([expect.stringContaining('differs in text')]);
  });

  it('reports pending changes, another catalogue and a foreign row', () => {
    expect(check({ waiting: 2 })).toEqual([expect.stringContaining('2 changes in its outbox')]);
    expect(check({ catalogue: new Map() })).toEqual([expect.stringContaining('another catalogue')]);
    const foreign = new Map([...rows].map(([key, row]) => [key, { ...row, userId: 'other' }]));
    expect(check({ rows: foreign })[0]).toContain('of another learner');
  });
});
