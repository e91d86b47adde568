/** Records unhandled errors of the window, so that the learner can choose to report them. */
import { ORPCError } from '@orpc/client';
import type { HostClient } from './host-connection.ts';

/** The limit for an error that repeats on every frame. */
const MAX_RECORDED = 5;
const MAX_KIND_CHARACTERS = 200;
const MAX_STACK_CHARACTERS = 20_000;

type Support = Pick<HostClient['support'], 'recordCrash'>;

/** Records errors that reach the window, and returns a function that records a caught error. */
export function recordCrashes(support: Support, window: Pick<Window, 'addEventListener'>): (error: unknown) => void {
  let recorded = 0;
  const record = (thrown: unknown): void => {
    // An error of the contract is a response of the host, which logs its own faults.
    if (!(thrown instanceof Error) || thrown instanceof ORPCError || recorded >= MAX_RECORDED) return;
    recorded += 1;
    const crash = {
      kind: thrown.name.slice(0, MAX_KIND_CHARACTERS),
      stack: (thrown.stack ?? '').slice(0, MAX_STACK_CHARACTERS),
    };
    // The host itself may have crashed.
    support.recordCrash(crash).catch(() => undefined);
  };
  window.addEventListener('error', ({ error }) => record(error));
  window.addEventListener('unhandledrejection', ({ reason }) => record(reason));
  return record;
}
