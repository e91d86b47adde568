/** Draws a run from its seed. */
import { MAX_DEVICES, type TortureArguments } from '../arguments.ts';
import { type ArmedFault, type Fault, LINE_FAULTS } from '../faults.ts';
import { seededRandom } from '../random.ts';
import { OTHER_DEVICES, type Template } from '../template/build-template.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import { type EditSource, editSource } from './draw-edits.ts';
import type { HostPlan, LateJoinerPlan, OldClientPlan, Plan, Step } from './plan.ts';

const DAY_MS = 24 * 3_600_000;

export function drawPlan(
  seed: number,
  { devices, without }: Pick<TortureArguments, 'devices' | 'without'>,
  { template, ids }: { template: Template; ids: CatalogueIds },
): Plan {
  const random = seededRandom(seed);
  const has = (fault: Fault): boolean => !without.has(fault);
  const isDrawn = (fault: Fault, chance: number): boolean => random.isLucky(chance) && has(fault);
  const lineFaults = LINE_FAULTS.filter(has);

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
    if (luck < 0.67) return has('offline') ? [{ do: 'offline', isOffline: true }] : [];
    if (luck < 0.73) return [{ do: 'offline', isOffline: false }, { do: 'sync' }];
    if (luck < 0.77) return has('skew') ? [{ do: 'skew', skewMs: drawSkew() }] : [];
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

  const drawSteps = (count: number, edits: EditSource): Step[] =>
    Array.from({ length: count }, (): Step[] => [
      { do: 'edit', edit: edits.draw() },
      ...(random.isLucky(0.75) ? drawEvent(edits) : []),
    ]).flat();

  const [own, other] = template.learners;
  const ownEdits = editSource(random.fork(), ids, own.historyIds);
  const otherEdits = editSource(random.fork(), ids, other.historyIds);
  const ownHosts = devices ?? random.pick([2, 2, 3, 3, 4, MAX_DEVICES]);
  const otherHosts = random.int(1, OTHER_DEVICES);
  const editsADevice = Math.max(5, Math.round(random.int(24, 48) / ownHosts));

  const hosts = [
    ...Array.from({ length: ownHosts }, (_, host) => ({ learner: 0 as const, host })),
    ...Array.from({ length: otherHosts }, (_, host) => ({ learner: 1 as const, host })),
  ].map(({ learner, host }): HostPlan => ({
    kind: 'host',
    learner,
    host,
    skewMs: drawSkew(),
    chanceSeed: random.int(0, 2 ** 31),
    isOldFolder: isDrawn('old_folder', 0.12),
    steps: drawSteps(learner === 0 ? editsADevice : 4, learner === 0 ? ownEdits : otherEdits),
  }));
  const oldClient: OldClientPlan | null = isDrawn('old_client', 0.35)
    ? { kind: 'oldClient', skewMs: drawSkew(), steps: drawSteps(random.int(3, 8), ownEdits) }
    : null;
  const aloneEdits = editSource(random.fork(), ids, own.historyIds);
  const lateJoiner: LateJoinerPlan | null = isDrawn('late_join', 0.3)
    ? {
        kind: 'lateJoiner',
        skewMs: drawSkew(),
        chanceSeed: random.int(0, 2 ** 31),
        alone: Array.from({ length: 5 }, (): Step => ({ do: 'edit', edit: aloneEdits.draw() })),
        killAfterMs: random.isLucky(0.3) && has('kill_device') ? random.int(10, 400) : null,
        steps: drawSteps(random.int(2, 5), ownEdits),
      }
    : null;
  // A first sync with a long history is what a restart of the server can meet.
  if (lateJoiner !== null && isDrawn('kill_server', 0.4))
    lateJoiner.steps.unshift({ do: 'killServer', downMs: random.int(0, 300) });
  return {
    seed,
    isOldDatabase: isDrawn('old_database', 0.12),
    hosts,
    oldClient,
    lateJoiner,
    rogueAfterMs: isDrawn('rogue', 0.5) ? Array.from({ length: random.int(1, 3) }, () => random.int(0, 800)) : [],
  };
}
