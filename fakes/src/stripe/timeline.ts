/** Advances time: each due action runs at its own moment, and its events are delivered before the next. */
import { nextDueAction } from './billing/due-actions.ts';
import type { FakeClock } from './clock.ts';
import type { WebhookDispatcher } from './webhook-dispatcher.ts';
import type { StripeStore } from './store.ts';

interface Timeline {
  advanceTo: (ms: number) => Promise<void>;
  /** For a running clock: runs what is due by now. */
  tick: () => void;
}

export function createTimeline({
  store,
  clock,
  dispatcher,
  persist,
}: {
  store: StripeStore;
  clock: FakeClock;
  dispatcher: WebhookDispatcher;
  persist: () => void;
}): Timeline {
  let isAdvancing = false;
  return {
    advanceTo: async (targetMs) => {
      if (targetMs < clock.nowMs()) throw new Error('Time does not go back');
      if (isAdvancing) throw new Error('Time already passes');
      isAdvancing = true;
      try {
        clock.pin(clock.nowMs());
        const targetS = Math.floor(targetMs / 1_000);
        for (
          let atS = nextEventS(store, dispatcher);
          atS !== null && atS <= targetS;
          atS = nextEventS(store, dispatcher)
        ) {
          // An action that was due earlier but did not run, runs now.
          clock.pin(Math.max(clock.nowMs(), atS * 1_000));
          runDueActions(store);
          dispatcher.sendDue();
          await dispatcher.settled();
        }
        clock.pin(targetMs);
      } finally {
        clock.release();
        isAdvancing = false;
        persist();
      }
    },
    tick: () => {
      if (isAdvancing) return;
      if (runDueActions(store)) persist();
      dispatcher.sendDue();
    },
  };
}

function nextEventS(store: StripeStore, dispatcher: WebhookDispatcher): number | null {
  const times = [nextDueAction(store)?.atS ?? null, dispatcher.nextAttemptAtS()].filter((moment) => moment !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** One action can make another due at once. */
function runDueActions(store: StripeStore): boolean {
  let hasChanged = false;
  for (
    let action = nextDueAction(store);
    action !== null && action.atS <= store.currentFields();
    action = nextDueAction(store)
  ) {
    action.run();
    hasChanged = true;
  }
  return hasChanged;
}
