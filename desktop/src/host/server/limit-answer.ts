/** Aborts a response that is longer than any of the server's, because a few compressed megabytes could unpack to gigabytes. */
import { MAX_STREAM_LINE_BYTES } from '@parley/contract';

const JSON_TYPE = /^application\/json\b/i;

/** Only JSON is read as a whole. Streams are limited line by line, and files where they are stored. */
export function limitAnswer(response: Response): Response {
  if (response.body === null || !JSON_TYPE.test(response.headers.get('content-type') ?? '')) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_STREAM_LINE_BYTES) controller.error(new Error("the server's answer exceeds the size limit"));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}
