/** Draws the steps of a device: edits, and between them mostly syncs, faults and sometimes disasters. */
import type { ArmedFault, Fault, NetworkFault } from '../faults.ts';
import type { Random } from '../seeded-random.ts';
import type { EditGenerator } from './draw-edits.ts';
import type { Step } from './plan.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

export interface StepGenerator {
  readonly hasSteadyClocks: boolean;
  drawSkew: () => number;
  draw: (count: number, edits: EditGenerator) => Step[];
  /** Draws edits that were made offline over hours or days, oldest first. */
  drawAged: (edits: EditGenerator, count: number) => Step[];
}

export function createStepGenerator(
  random: Random,
  options: { has: (fault: Fault) => boolean; lineFaults: readonly NetworkFault[]; hasSteadyClocks: boolean },
): StepGenerator {
  const { has, lineFaults, hasSteadyClocks } = options;

  const drawSkew = (): number => {
    const skewMs = random.happens(0.5) ? 0 : random.int(-2 * DAY_MS, 2 * DAY_MS);
    // Small skews cover two boundary cases: less than the clamp of the server, and less than the length of a run.
    const slightSkewMs = random.int(-90_000, 90_000);
    const drawn = random.happens(0.4) ? slightSkewMs : skewMs;
    return has('skew') ? drawn : 0;
  };

  const drawFault = (): ArmedFault => ({
    kind: random.pick(lineFaults),
    ms: random.int(5, 250),
    // Mostly within the first chunk, sometimes within a later one.
    cutAt: random.next() + (random.happens(0.3) ? random.int(1, 4) : 0),
  });

  /** Draws what happens to a device between two edits, which is often nothing. */
  const drawEvent = (edits: EditGenerator): Step[] => {
    const luck = random.next();
    if (luck < 0.3) return [{ do: 'sync' }];
    if (luck < 0.62)
      return lineFaults.length === 0 ? [{ do: 'sync' }] : [{ do: 'line', fault: drawFault() }, { do: 'sync' }];
    if (luck < 0.69) return has('offline') ? [{ do: 'offline', isOffline: true }] : [];
    if (luck < 0.73) return [{ do: 'offline', isOffline: false }, { do: 'sync' }];
    if (luck < 0.77) return has('skew') && !hasSteadyClocks ? [{ do: 'skew', skewMs: drawSkew() }] : [];
    if (luck < 0.79) return has('restart_device') ? [{ do: 'restart' }] : [];
    return drawDisaster(edits);
  };

  /** Draws damage of the database, mostly after a backup and further edits. */
  const drawDamage = (edits: EditGenerator): Step[] => [
    ...(random.happens(0.7) ? [{ do: 'backUp' as const }] : []),
    ...Array.from({ length: random.int(0, 3) }, (): Step => ({ do: 'edit', edit: edits.draw() })),
    ...(random.happens(0.4) ? [{ do: 'sync' as const }] : []),
    ...Array.from({ length: random.int(0, 2) }, (): Step => ({ do: 'edit', edit: edits.draw() })),
    { do: 'damage', shares: Array.from({ length: random.int(1, 6) }, () => random.next()) },
  ];

  const drawDisaster = (edits: EditGenerator): Step[] => {
    const luck = random.next();
    if (luck < 0.12)
      return has('kill_device') ? [{ do: 'killDuringEdit', edit: edits.draw(), afterMs: random.int(0, 8) }] : [];
    if (luck < 0.24) return has('kill_device') ? [{ do: 'killDuringSync', afterMs: random.int(0, 120) }] : [];
    if (luck < 0.38) return has('damaged_database') ? drawDamage(edits) : [];
    if (luck < 0.44) return [{ do: 'backUp' }];
    if (luck < 0.54)
      return has('disk_full')
        ? [{ do: 'fillDisk', edits: [edits.draw(), edits.drawLarge(), edits.drawLarge(), edits.draw()] }]
        : [];
    if (luck < 0.6) return has('kill_server') ? [{ do: 'killServer', downMs: random.int(0, 300) }] : [];
    if (luck < 0.66) return has('host_practice') ? [{ do: 'practise' }] : [];
    if (luck < 0.74) return has('old_server') ? [{ do: 'oldServer', isOld: true }, { do: 'sync' }] : [];
    return [{ do: 'oldServer', isOld: false }];
  };

  return {
    hasSteadyClocks,
    drawSkew,
    draw: (count, edits) =>
      Array.from({ length: count }, (): Step[] => [
        { do: 'edit', edit: edits.draw() },
        ...(random.happens(0.75) ? drawEvent(edits) : []),
      ]).flat(),
    drawAged: (edits, count) => {
      const longest = random.pick([10 * MINUTE_MS, 5 * 60 * MINUTE_MS, 3 * DAY_MS]);
      return Array.from({ length: count }, () => random.int(MINUTE_MS / 4, longest))
        .toSorted((a, b) => b - a)
        .map((ageMs): Step => ({ do: 'edit', edit: edits.draw(), ageMs }));
    },
  };
}
