import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PushRequestV2, PushResponseV2, StreamLineV2, StreamRequestV2 } from './messages-v2.ts';
import {
  OLDEST_SYNC_PROTOCOL,
  Poke,
  PushRequest,
  PushResponse,
  StreamLine,
  StreamRequest,
  SYNC_PROTOCOL,
} from './messages.ts';
import { PokeWithRows } from './poke-rows.ts';
import { TurnsLaterLine, TurnsLine, TurnsRequest } from './turns-later.ts';

/** One entry per protocol version that has shipped. A changed message needs a new version and a new entry. */
const SHIPPED = [
  {
    protocol: 2,
    schemas: [PushRequestV2, PushResponseV2, StreamRequestV2, StreamLineV2, Poke],
    fingerprint: 'ff933bdca9595414',
  },
  {
    protocol: 3,
    schemas: [PushRequest, PushResponse, StreamRequest, StreamLine, Poke],
    fingerprint: '810c39236f5d6fd4',
  },
];

function fingerprintOf(schemas: readonly z.ZodType[]): string {
  const described = schemas.map((schema) => z.toJSONSchema(schema, { unrepresentable: 'any' }));
  return createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 16);
}

it.each(SHIPPED)('keeps the messages of protocol $protocol as they shipped', ({ schemas, fingerprint }) => {
  expect(fingerprintOf(schemas)).toBe(fingerprint);
});

it('keeps the messages of turns that come later as they shipped', () => {
  expect(fingerprintOf([TurnsLaterLine, TurnsRequest, TurnsLine])).toBe('1ffcb4af52eedd90');
});

it('keeps the messages of pokes with rows as they shipped', () => {
  expect(fingerprintOf([PokeWithRows])).toBe('9bf4cc3ea7b04c54');
});

it('supports the last two versions', () => {
  expect(SHIPPED.slice(-2).map(({ protocol }) => protocol)).toEqual([OLDEST_SYNC_PROTOCOL, SYNC_PROTOCOL]);
});
