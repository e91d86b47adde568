/** Aborts a response that is longer than any of the server's, because a few compressed megabytes could unpack to gigabytes. */
import { MAX_STREAM_LINE_BYTES } from '@parley/contract';

const JSON_TYPE = /^application\/json\b/i;
const EVENTS_TYPE = /^text\/event-stream\b/i;
/** An event from the server takes a few kilobytes, for example for the rows of one change. */
const MAX_EVENT_BYTES = 1_048_576;
const END_OF_EVENT = '\n\n';

/** Only JSON and refusals are read as a whole. Other streams are limited where they are read, and files where they are stored. */
export function limitAnswer(response: Response): Response {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return response;
  if (!response.ok || JSON_TYPE.test(type))
    return new Response(response.body.pipeThrough(limitBytes(MAX_STREAM_LINE_BYTES)), response);
  if (EVENTS_TYPE.test(type)) return new Response(response.body.pipeThrough(limitEvents()), response);
  return response;
}

/** Passes on at most this many bytes. */
export function limitBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new Error("the server's answer exceeds the size limit"));
      else controller.enqueue(chunk);
    },
  });
}

/** A stream of events may go on for days, but an event without an end would be kept in memory. */
function limitEvents(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let lastByte = Buffer.alloc(0);
  return new TransformStream({
    transform(chunk, controller) {
      const text = Buffer.concat([lastByte, chunk]);
      const end = text.lastIndexOf(END_OF_EVENT);
      bytes = end === -1 ? bytes + chunk.byteLength : text.byteLength - end - END_OF_EVENT.length;
      lastByte = text.subarray(-1);
      if (bytes > MAX_EVENT_BYTES)
        controller.error(new Error("an event of the server's stream exceeds the size limit"));
      else controller.enqueue(chunk);
    },
  });
}
