/** The entry point of the thread that encodes and decodes recordings. */
import { parentPort } from 'node:worker_threads';
import { decodeOpus, encodeOpus } from './opus-codec.ts';
import type { OpusRequest, OpusResponse } from './opus-worker-thread.ts';

async function answer({ id, call }: OpusRequest): Promise<OpusResponse> {
  try {
    if (call.type === 'encode') return { id, value: await encodeOpus(call.pcm) };
    const decoded = await decodeOpus(call.opus, { maxMs: call.maxMs });
    return decoded.ok ? { id, value: decoded.value } : { id, refusal: decoded.error };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: OpusRequest) => {
  void answer(request).then((response) => parentPort?.postMessage(response));
});
