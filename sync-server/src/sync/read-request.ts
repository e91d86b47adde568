/** Requests of both protocols in the one form that the server works with. */
import {
  AnyProtocol,
  type Mutation,
  PushRequest,
  PushRequestV2,
  type StreamCursors,
  StreamRequest,
  StreamRequestV2,
} from '@parley/contract';
import type { DeviceId } from '@parley/domain';
import type { z } from 'zod';
import { failure } from '../failure.ts';
import { requireKnownProtocol, type SpokenProtocol } from './protocol-version.ts';

interface ReadRequest {
  protocol: SpokenProtocol;
  deviceId: DeviceId;
  /** The last epoch that the device was told; null for one that was told none, as all of protocol 2. */
  epoch: string | null;
}

export interface ReadPush extends ReadRequest {
  /** The device's clock as it sent this; null where it does not say. */
  deviceNow: Date | null;
  mutations: Mutation[];
}

export interface ReadStream extends ReadRequest {
  cursors: StreamCursors;
  answeredSeq: number;
}

/** Throws `request.invalid` with the field, or says that the protocol is too old or too new. */
export function readPush(body: unknown): ReadPush {
  const protocol = requireKnownProtocol(parse(AnyProtocol, body).protocol);
  if (protocol === 2) {
    const { deviceId, mutations } = parse(PushRequestV2, body);
    return {
      protocol,
      deviceId,
      epoch: null,
      deviceNow: null,
      mutations: mutations.map((mutation) => inOneSpelling({ ...mutation, base: 0 })),
    };
  }
  const { deviceId, epoch, now, mutations } = parse(PushRequest, body);
  return { protocol, deviceId, epoch, deviceNow: new Date(now), mutations: mutations.map(inOneSpelling) };
}

export function readStreamRequest(body: unknown): ReadStream {
  const protocol = requireKnownProtocol(parse(AnyProtocol, body).protocol);
  if (protocol === 2) {
    const { deviceId, cursors, answeredSeq } = parse(StreamRequestV2, body);
    return { protocol, deviceId, epoch: null, cursors, answeredSeq };
  }
  const { deviceId, epoch, cursors, answeredSeq } = parse(StreamRequest, body);
  return { protocol, deviceId, epoch, cursors, answeredSeq };
}

/** Databases take a UUID in capitals for the same one: a row that is looked up by another spelling would seem not to be there. */
const inOneSpelling = (mutation: Mutation): Mutation => ({ ...mutation, rowId: mutation.rowId.toLowerCase() });

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw failure('request.invalid', { field: parsed.error.issues[0]?.path.join('.') ?? '' });
}
