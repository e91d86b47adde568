/** Recordings in Opus, and a client that keeps them on a server as the app does. */
import { createHash, randomUUID } from 'node:crypto';
import { ENDPOINTS, RECORDING_CHUNK_BYTES, RECORDING_MEDIA_TYPE } from '@parley/contract';
import { createOpusThread } from '@parley/speech/opus/worker';
import type { JsonResponse, TestDevice, TestServer } from '../server.ts';

export interface Sample {
  recordingId: string;
  sessionId: string;
  sha256: string;
  bytes: number;
  content: Buffer;
}

export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * A single encoder for all samples, because starting its thread takes longer than a test. It ends by itself when idle.
 */
const codec = createOpusThread();
let seed = 0;

/** A recording unlike any other, loud enough to take about 4 kB a second. */
export async function aSample({
  seconds = 1,
  sessionId = randomUUID(),
}: { seconds?: number; sessionId?: string } = {}): Promise<Sample> {
  seed += 1;
  const pcm = Buffer.alloc(seconds * 32_000);
  let state = seed;
  for (let at = 0; at < pcm.length; at += 2) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    pcm.writeInt16LE(Math.round(state / 2 ** 16) - 16_384, at);
  }
  const content = Buffer.from(await codec.encode(pcm));
  return { recordingId: randomUUID(), sessionId, sha256: sha256Of(content), bytes: content.byteLength, content };
}

export interface RecordingClient {
  ask: (name: 'keep' | 'list' | 'announce' | 'verify', input: object) => Promise<JsonResponse>;
  announce: (sample: Sample, change?: object) => Promise<JsonResponse>;
  send: (
    sha256: string,
    part: { offset: number; content: Buffer; headers?: object; path?: string },
  ) => Promise<JsonResponse>;
  /** Announces the copy and sends all that is missing. */
  upload: (sample: Sample) => Promise<JsonResponse>;
  read: (
    recordingId: string,
    headers?: object,
  ) => Promise<{ status: number; content: Buffer; headers: Record<string, unknown> }>;
  list: (since?: object) => Promise<{ recordingIds: string[]; body: JsonResponse['body'] }>;
}

export function recordingClient(server: TestServer, { token }: Pick<TestDevice, 'token'>): RecordingClient {
  const authorized = { authorization: `Bearer ${token}` };
  const client: RecordingClient = {
    ask: (name, input) => server.post(`/v1/recordings/${name}`, input, token),
    announce: ({ recordingId, sessionId, sha256, bytes }, change = {}) =>
      client.ask('announce', { recordingId, sessionId, sha256, bytes, ...change }),
    send: (sha256, { offset, content, headers = {}, path = ENDPOINTS.sendRecording.path }) =>
      server.send({
        method: 'POST',
        url: `${path}?sha256=${sha256}&offset=${offset}`,
        headers: { ...authorized, 'content-type': RECORDING_MEDIA_TYPE, ...headers },
        payload: content,
      }),
    async upload(sample) {
      let response = await client.announce(sample);
      while (response.status === 200 && response.body['status'] === 'missing') {
        const offset = Number(response.body['offset']);
        const content = sample.content.subarray(offset, offset + RECORDING_CHUNK_BYTES);
        response = await client.send(sample.sha256, { offset, content });
      }
      return response;
    },
    async read(recordingId, headers = {}) {
      const {
        statusCode,
        rawPayload,
        headers: received,
      } = await server.app.inject({
        method: 'GET',
        url: `${ENDPOINTS.readRecording.path}?recordingId=${recordingId}`,
        headers: { ...authorized, ...headers },
      });
      return { status: statusCode, content: rawPayload, headers: received };
    },
    async list(since = { generation: null, after: 0 }) {
      const { body } = await client.ask('list', since);
      const recordings = body['recordings'] as { recordingId: string }[];
      return { recordingIds: recordings.map(({ recordingId }) => recordingId), body };
    },
  };
  return client;
}
