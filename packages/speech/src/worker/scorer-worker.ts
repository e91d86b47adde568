/** The inside of the scorer's thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { assertNever } from '@parley/domain';
import type { Listening } from '../listen/listening.ts';
import { createScorer, type Scorer, type ScorerOptions } from '../scorer.ts';
import type { WorkerAnswer, WorkerCall, WorkerRequest, WorkerValue } from './index.ts';

let loading: Promise<Scorer> | null = null;
const listenings = new Map<number, Listening>();

async function valueOf(call: WorkerCall): Promise<WorkerValue> {
  loading ??= createScorer(workerData as ScorerOptions);
  const scorer = await loading;
  switch (call.type) {
    case 'assess':
      return scorer.assess(call);
    case 'rank':
      return scorer.rank(call);
    case 'listen':
      listenings.set(call.listening, scorer.listen(call.texts));
      return null;
    case 'push':
      return (await listenings.get(call.listening)?.push(call.pcm)) ?? null;
    case 'forget':
      listenings.get(call.listening)?.close();
      listenings.delete(call.listening);
      return null;
    default:
      return assertNever(call);
  }
}

async function answer({ id, call }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    return { id, value: await valueOf(call) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void answer(request).then((answered) => parentPort?.postMessage(answered));
});
