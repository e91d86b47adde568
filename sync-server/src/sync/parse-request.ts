/** Parses requests of both protocols into one form. */
import {
  AnyProtocolRequest,
  type Mutation,
  PushRequest,
  PushRequestV2,
  type StreamCursors,
  StreamRequest,
  StreamRequestV2,
  TurnsRequest,
} from '@parley/contract';
import type { DeviceId } from '@parley/domain';
import type { z } from 'zod';
import { DomainError } from '../domain-error.ts';
import { requireKnownProtocol, type SpokenProtocol } from './protocol-version.ts';

interface ReadRequest {
  protocol: SpokenProtocol;
  deviceId: DeviceId;
  /** The epoch that the device last received; null when it received none, as in protocol 2. */
  epoch: string | null;
}

export interface ParsedPush extends ReadRequest {
  /** The device's clock when it sent the request; null when it does not report it. */
  deviceNow: Date | null;
  mutations: Mutation[];
}

export interface ParsedStreamRequest extends ReadRequest {
  cursors: StreamCursors;
  answeredSeq: number;
  /** Whether the device fetches the turns of sessions separately. */
  leavesOutTurns: boolean;
}

export type ParsedTurnsRequest = Omit<TurnsRequest, 'protocol'>;

/** Throws `request.invalid` with the field, or an error that the protocol is too old or too new. */
export function parsePush(body: unknown): ParsedPush {
  const protocol = requireKnownProtocol(parse(AnyProtocolRequest, body).protocol);
  if (protocol === 2) {
    const { deviceId, mutations } = parse(PushRequestV2, body);
    return {
      protocol,
      deviceId,
      epoch: null,
      deviceNow: null,
      mutations: mutations.map((mutation) => normalizeRowId({ ...mutation, base: 0 })),
    };
  }
  const { deviceId, epoch, now, mutations } = parse(PushRequest, body);
  return { protocol, deviceId, epoch, deviceNow: new Date(now), mutations: mutations.map(normalizeRowId) };
}

export function parseStreamRequest(
  body: unknown,
  { leavesOutTurns = false }: { leavesOutTurns?: boolean } = {},
): ParsedStreamRequest {
  const protocol = requireKnownProtocol(parse(AnyProtocolRequest, body).protocol);
  if (protocol === 2) {
    const { deviceId, cursors, answeredSeq } = parse(StreamRequestV2, body);
    return { protocol, deviceId, epoch: null, cursors, answeredSeq, leavesOutTurns: false };
  }
  const { deviceId, epoch, cursors, answeredSeq } = parse(StreamRequest, body);
  return { protocol, deviceId, epoch, cursors, answeredSeq, leavesOutTurns };
}

/** Protocol 2 has no such request. */
export function parseTurnsRequest(body: unknown): ParsedTurnsRequest {
  if (requireKnownProtocol(parse(AnyProtocolRequest, body).protocol) === 2)
    throw new DomainError('sync.protocol_too_old');
  const { deviceId, epoch, sessionIds } = parse(TurnsRequest, body);
  return { deviceId, epoch, sessionIds: [...new Set(sessionIds.map((id) => id.toLowerCase()))] };
}

/** The database treats UUIDs as case-insensitive, so a differently spelt id would be found there but not in memory. */
const normalizeRowId = (mutation: Mutation): Mutation => ({ ...mutation, rowId: mutation.rowId.toLowerCase() });

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new DomainError('request.invalid', { field: parsed.error.issues[0]?.path.join('.') ?? '' });
}
