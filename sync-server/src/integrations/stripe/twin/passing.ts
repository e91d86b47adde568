/** Lets time pass: what falls due happens at its own moment, and its events are sent before the next. */
import { nextDue } from './billing/due.ts';
import type { TwinClock } from './clock.ts';
import type { DeliveryDesk } from './deliveries.ts';
import type { World } from './world.ts';

interface Passing {
  advanceTo: (ms: number) => Promise<void>;
  /** For a clock that runs by itself: what is due by now. */
  tick: () => void;
}

export function createPassing({
  world,
  clock,
  desk,
  keep,
}: {
  world: World;
  clock: TwinClock;
  desk: DeliveryDesk;
  keep: () => void;
}): Passing {
  let isAdvancing = false;
  return {
    advanceTo: async (targetMs) => {
      if (targetMs < clock.nowMs()) throw new Error('Time does not go back');
      if (isAdvancing) throw new Error('Time already passes');
      isAdvancing = true;
      try {
        clock.pin(clock.nowMs());
        const targetS = Math.floor(targetMs / 1_000);
        for (let atS = nextMoment(world, desk); atS !== null && atS <= targetS; atS = nextMoment(world, desk)) {
          // What was due before, but not done, is done now.
          clock.pin(Math.max(clock.nowMs(), atS * 1_000));
          runDue(world);
          desk.sendDue();
          await desk.settled();
        }
        clock.pin(targetMs);
      } finally {
        clock.release();
        isAdvancing = false;
        keep();
      }
    },
    tick: () => {
      if (isAdvancing) return;
      if (runDue(world)) keep();
      desk.sendDue();
    },
  };
}

function nextMoment(world: World, desk: DeliveryDesk): number | null {
  const moments = [nextDue(world)?.atS ?? null, desk.nextAttemptAtS()].filter((moment) => moment !== null);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** One thing may make another due at once. */
function runDue(world: World): boolean {
  let hasRun = false;
  for (let due = nextDue(world); due !== null && due.atS <= world.now(); due = nextDue(world)) {
    due.run();
    hasRun = true;
  }
  return hasRun;
}
