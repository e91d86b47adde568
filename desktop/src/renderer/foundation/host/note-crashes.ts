/** Notes errors that nothing in the window has handled, so that the learner can choose to report them. */
import { ORPCError } from '@orpc/client';
import type { HostClient } from './host-connection.ts';

/** An error that repeats at each frame is noted a few times only. */
const MAX_NOTES = 5;
const MAX_KIND_CHARACTERS = 200;
const MAX_STACK_CHARACTERS = 20_000;

type Support = Pick<HostClient['support'], 'noteCrash'>;

/** Begins to note what reaches the window, and returns how to note an error that was caught. */
export function noteCrashes(support: Support, window: Pick<Window, 'addEventListener'>): (error: unknown) => void {
  let notes = 0;
  const note = (thrown: unknown): void => {
    // An error of the contract is an answer of the host, which logs its own faults.
    if (!(thrown instanceof Error) || thrown instanceof ORPCError || notes >= MAX_NOTES) return;
    notes += 1;
    const crash = {
      kind: thrown.name.slice(0, MAX_KIND_CHARACTERS),
      stack: (thrown.stack ?? '').slice(0, MAX_STACK_CHARACTERS),
    };
    // The host itself may have crashed.
    support.noteCrash(crash).catch(() => undefined);
  };
  window.addEventListener('error', ({ error }) => note(error));
  window.addEventListener('unhandledrejection', ({ reason }) => note(reason));
  return note;
}
