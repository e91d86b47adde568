/** Puts an answer on the line, or misbehaves on the way as the script says. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TwinError } from './errors.ts';
import type { TwinAct } from './script.ts';

/** An answer in the pieces in which it goes over the line. */
export interface Frames {
  contentType: string;
  frames: Iterable<string | Buffer>;
}

/** A client throws away what it has not read when the line breaks. */
const CUT_AFTER_MS = 20;

export const jsonFrames = (value: unknown): Frames => ({
  contentType: 'application/json',
  frames: [JSON.stringify(value)],
});

export async function play(
  response: ServerResponse,
  { contentType, frames }: Frames,
  { act, paceMs, signal }: { act: TwinAct; paceMs: number; signal: AbortSignal },
): Promise<void> {
  if (act.does === 'answer_late') await sleep(act.ms, undefined, { signal });
  const type = act.does === 'garble_stream' ? 'text/html' : contentType;
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'x-request-id': 'req_twin' });
  response.flushHeaders();
  if (act.does === 'garble_stream')
    return void response.end('<!doctype html>\n<p>Please sign in to the network.</p>\n');
  let played = 0;
  for (const frame of frames) {
    if (isOver(act, played)) break;
    if (isGarbled(act, contentType, played))
      return void response.end(frame.slice(0, Math.ceil(frame.length / 2)) + '\n\n');
    if (paceMs > 0 && played > 0) await sleep(paceMs, undefined, { signal });
    if (!response.write(frame)) await once(response, 'drain', { signal });
    played += 1;
  }
  if (act.does === 'fall_silent') return;
  if (act.does !== 'cut') return void response.end();
  await sleep(CUT_AFTER_MS, undefined, { signal });
  response.destroy();
}

const isOver = (act: TwinAct, played: number): boolean =>
  (act.does === 'cut' || act.does === 'fall_silent') && played >= act.afterEvents;

const isGarbled = (act: TwinAct, contentType: string, played: number): boolean =>
  act.does === 'garble_json' && (contentType === 'application/json' || played === 1);

export function playError(response: ServerResponse, { status, retryAfterMs }: TwinError, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': 'req_twin',
    ...(retryAfterMs === undefined
      ? {}
      : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)), 'retry-after-ms': String(retryAfterMs) }),
  });
  response.end(JSON.stringify(body));
}
