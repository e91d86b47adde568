/** The entry point of the scorer's worker thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { assertNever } from '@parley/domain';
import type { RecognitionStream } from '../streaming/recognition-stream.ts';
import { createScorer, type Scorer, type ScorerOptions } from '../scorer.ts';
import type { WorkerResponse, WorkerCall, WorkerRequest, WorkerValue } from './index.ts';

let loading: Promise<Scorer> | null = null;
const recognitions = new Map<number, RecognitionStream>();

async function handleCall(call: WorkerCall): Promise<WorkerValue> {
  loading ??= createScorer(workerData as ScorerOptions).catch((error: unknown) => {
    // The next call tries again, because files may be back then.
    loading = null;
    throw error;
  });
  const scorer = await loading;
  switch (call.type) {
    case 'assess':
      return scorer.assess(call);
    case 'compare':
      return scorer.compare(call);
    case 'rank':
      return scorer.rank(call);
    case 'transcribe':
      return scorer.transcribe(call);
    case 'listen':
      recognitions.set(call.listening, scorer.startRecognition(call.texts));
      return null;
    case 'push':
      return (await recognitions.get(call.listening)?.push(call.pcm)) ?? null;
    case 'forget':
      recognitions.get(call.listening)?.close();
      recognitions.delete(call.listening);
      return null;
    default:
      return assertNever(call);
  }
}

async function answer({ id, call }: WorkerRequest): Promise<WorkerResponse> {
  try {
    return { id, value: await handleCall(call) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void answer(request).then((response) => parentPort?.postMessage(response));
});
