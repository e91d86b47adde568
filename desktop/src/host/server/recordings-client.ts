/** Sends copies of recordings to the server in parts, and reads them from any offset. */
import { ENDPOINTS, ReceivedRecording, RECORDING_MEDIA_TYPE } from '@parley/contract';
import { readAnswer } from './check-answer.ts';
import type { SpeechClientParts } from './speech-client.ts';

export interface RecordingsClient {
  /** Resolves with the parts that the server still lacks. */
  sendRecordingPart(
    part: { sha256: string; offset: number; content: Uint8Array },
    signal: AbortSignal,
  ): Promise<ReceivedRecording>;
  /** Yields the copy's bytes from `offset`. Throws if the server's copy has a different hash. */
  readRecording(
    copy: { recordingId: string; sha256: string; offset: number },
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void>;
}

export function createRecordingsClient(parts: SpeechClientParts): RecordingsClient {
  const { serverUrl, timeoutMs, headers, ask, refusalOf } = parts;
  return {
    async sendRecordingPart({ sha256, offset, content }, signal) {
      const address = new URL(ENDPOINTS.sendRecording.path, serverUrl);
      address.searchParams.set('sha256', sha256);
      address.searchParams.set('offset', String(offset));
      const request = new Request(address, {
        method: 'POST',
        headers: { 'content-type': RECORDING_MEDIA_TYPE, ...(await headers()) },
        body: new Uint8Array(content),
      });
      const response = await ask(request, [AbortSignal.timeout(timeoutMs), signal]);
      if (!response.ok) throw await refusalOf(response);
      return readAnswer(ReceivedRecording, await response.json(), 'sendRecording');
    },

    async *readRecording({ recordingId, sha256, offset }, signal) {
      const address = new URL(ENDPOINTS.readRecording.path, serverUrl);
      address.searchParams.set('recordingId', recordingId);
      const range = offset === 0 ? {} : { range: `bytes=${offset}-`, 'if-range': `"${sha256}"` };
      const request = new Request(address, {
        headers: { ...(await headers()), 'accept-encoding': 'identity', ...range },
      });
      const response = await ask(request, [AbortSignal.timeout(timeoutMs), signal]);
      if (!response.ok || response.body === null) throw await refusalOf(response);
      const isExpected =
        response.status === (offset === 0 ? 200 : 206) && response.headers.get('etag') === `"${sha256}"`;
      if (!isExpected) {
        await response.body.cancel();
        throw new OtherRecordingError();
      }
      yield* response.body;
    },
  };
}

/** The server has a copy other than the one known to this device. */
export class OtherRecordingError extends Error {}
