/** The inside of the scorer's thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { createScorer, type Scorer, type ScorerOptions } from '../scorer.ts';
import type { WorkerAnswer, WorkerRequest } from './index.ts';

let loading: Promise<Scorer> | null = null;

async function answer({ id, call }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    loading ??= createScorer(workerData as ScorerOptions);
    const scorer = await loading;
    return { id, value: call.type === 'assess' ? await scorer.assess(call) : await scorer.rank(call) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void answer(request).then((answered) => parentPort?.postMessage(answered));
});
