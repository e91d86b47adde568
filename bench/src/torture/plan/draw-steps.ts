/** What a device does and meets, step by step: edits, and between two of them mostly nothing, at times a disaster. */
import type { ArmedFault, Fault, LineFault } from '../faults.ts';
import type { Random } from '../random.ts';
import type { EditSource } from './draw-edits.ts';
import type { Step } from './plan.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

export interface StepSource {
  readonly hasSteadyClocks: boolean;
  drawSkew: () => number;
  draw: (count: number, edits: EditSource) => Step[];
  /** Made while the device was offline for hours or days, the oldest first. */
  drawAged: (edits: EditSource, count: number) => Step[];
}

export function stepSource(
  random: Random,
  options: { has: (fault: Fault) => boolean; lineFaults: readonly LineFault[]; hasSteadyClocks: boolean },
): StepSource {
  const { has, lineFaults, hasSteadyClocks } = options;

  const drawSkew = (): number => {
    const skewMs = random.isLucky(0.5) ? 0 : random.int(-2 * DAY_MS, 2 * DAY_MS);
    // Ahead by less than a clamp, and behind by less than a run, are cases of their own.
    const near = random.int(-90_000, 90_000);
    const drawn = random.isLucky(0.4) ? near : skewMs;
    return has('skew') ? drawn : 0;
  };

  const drawFault = (): ArmedFault => ({
    kind: random.pick(lineFaults),
    ms: random.int(5, 250),
    // Mostly inside the first piece, now and then inside a later one.
    share: random.next() + (random.isLucky(0.3) ? random.int(1, 4) : 0),
  });

  /** What happens to a device between two edits; nothing, mostly. */
  const drawEvent = (edits: EditSource): Step[] => {
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

  /** Mostly with a backup from before, and edits since. */
  const drawDamage = (edits: EditSource): Step[] => [
    ...(random.isLucky(0.7) ? [{ do: 'backUp' as const }] : []),
    ...Array.from({ length: random.int(0, 3) }, (): Step => ({ do: 'edit', edit: edits.draw() })),
    ...(random.isLucky(0.4) ? [{ do: 'sync' as const }] : []),
    ...Array.from({ length: random.int(0, 2) }, (): Step => ({ do: 'edit', edit: edits.draw() })),
    { do: 'damage', shares: Array.from({ length: random.int(1, 6) }, () => random.next()) },
  ];

  const drawDisaster = (edits: EditSource): Step[] => {
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
        ...(random.isLucky(0.75) ? drawEvent(edits) : []),
      ]).flat(),
    drawAged: (edits, count) => {
      const longest = random.pick([10 * MINUTE_MS, 5 * 60 * MINUTE_MS, 3 * DAY_MS]);
      return Array.from({ length: count }, () => random.int(MINUTE_MS / 4, longest))
        .toSorted((a, b) => b - a)
        .map((ageMs): Step => ({ do: 'edit', edit: edits.draw(), ageMs }));
    },
  };
}
