/** Sends an answer, or fails on the way as scripted. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeErrorResponse } from './errors.ts';
import type { ScriptedBehaviour } from './script.ts';

/** An answer in the chunks in which it is sent. */
export interface Frames {
  contentType: string;
  frames: Iterable<string | Buffer>;
}

/** A client discards unread data when the connection breaks, so the break comes a little later. */
const DROP_DELAY_MS = 20;

export const jsonFrames = (value: unknown): Frames => ({
  contentType: 'application/json',
  frames: [JSON.stringify(value)],
});

export async function play(
  response: ServerResponse,
  { contentType, frames }: Frames,
  { act, paceMs, signal }: { act: ScriptedBehaviour; paceMs: number; signal: AbortSignal },
): Promise<void> {
  if (act.does === 'answer_late') await sleep(act.ms, undefined, { signal });
  const type = act.does === 'garble_stream' ? 'text/html' : contentType;
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'x-request-id': 'req_fake' });
  response.flushHeaders();
  if (act.does === 'garble_stream')
    return void response.end('<!doctype html>\n<p>Please sign in to the network.</p>\n');
  let playedFrames = 0;
  for (const frame of frames) {
    if (shouldStop(act, playedFrames)) break;
    if (shouldGarble(act, contentType, playedFrames))
      return void response.end(frame.slice(0, Math.ceil(frame.length / 2)) + '\n\n');
    if (paceMs > 0 && playedFrames > 0) await sleep(paceMs, undefined, { signal });
    if (!response.write(frame)) await once(response, 'drain', { signal });
    playedFrames += 1;
  }
  if (act.does === 'fall_silent') return;
  if (act.does !== 'cut') return void response.end();
  await sleep(DROP_DELAY_MS, undefined, { signal });
  response.destroy();
}

const shouldStop = (act: ScriptedBehaviour, playedFrames: number): boolean =>
  (act.does === 'cut' || act.does === 'fall_silent') && playedFrames >= act.afterEvents;

const shouldGarble = (act: ScriptedBehaviour, contentType: string, playedFrames: number): boolean =>
  act.does === 'garble_json' && (contentType === 'application/json' || playedFrames === 1);

export function playError(response: ServerResponse, { status, retryAfterMs }: FakeErrorResponse, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': 'req_fake',
    ...(retryAfterMs === undefined
      ? {}
      : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)), 'retry-after-ms': String(retryAfterMs) }),
  });
  response.end(JSON.stringify(body));
}
