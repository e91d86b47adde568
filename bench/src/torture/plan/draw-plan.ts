/** Draws a run from its seed. */
import { MAX_DEVICES, type TortureArguments } from '../arguments.ts';
import { type Fault, LINE_FAULTS } from '../faults.ts';
import { seededRandom } from '../random.ts';
import { OTHER_DEVICES, type Template } from '../template/build-template.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import { type EditSource, editSource } from './draw-edits.ts';
import { stepSource } from './draw-steps.ts';
import type { HostPlan, LateJoinerPlan, OldClientPlan, Plan, Step } from './plan.ts';

/** How many runs have the second client in them. */
const SECOND_CLIENT_EVERY = 10;
/** Together more than the 5,000 that a list may have. */
const LONG_LISTS: readonly number[] = [3_000, 2_500];

export function drawPlan(
  seed: number,
  { devices, without }: Pick<TortureArguments, 'devices' | 'without'>,
  { template, ids }: { template: Template; ids: CatalogueIds },
): Plan {
  const random = seededRandom(seed);
  const has = (fault: Fault): boolean => !without.has(fault);
  const isDrawn = (fault: Fault, chance: number): boolean => random.isLucky(chance) && has(fault);
  const isRestored = isDrawn('restore_server', 0.25);
  // What a device lost with its own file cannot be given back to a server that lost it as well.
  const mayHappen = (fault: Fault): boolean => has(fault) && !(isRestored && fault === 'damaged_database');
  const steps = stepSource(random, {
    has: mayHappen,
    lineFaults: LINE_FAULTS.filter(has),
    // The true time of an edit is unknown once the clock was moved.
    hasSteadyClocks: random.isLucky(0.7) || !has('skew'),
  });

  const [own, other] = template.learners;
  const ownEdits = editSource(random.fork(), ids, own);
  const otherEdits = editSource(random.fork(), ids, other);
  const ownHosts = devices ?? (isRestored ? random.pick([3, 3, 4]) : random.pick([2, 2, 3, 3, 4, MAX_DEVICES]));
  const otherHosts = random.int(1, OTHER_DEVICES);
  const editsADevice = Math.max(6, Math.round(random.int(26, 50) / ownHosts));
  const hasLongLists = isDrawn('word_limit', 0.06) && !isRestored;
  const isMoved = isDrawn('moved_server', 0.1) && !hasLongLists;

  const hosts = [
    ...Array.from({ length: ownHosts }, (_, host) => ({ learner: 0 as const, host })),
    ...Array.from({ length: otherHosts }, (_, host) => ({ learner: 1 as const, host })),
  ].map(({ learner, host }): HostPlan => {
    const edits = learner === 0 ? ownEdits : otherEdits;
    const longList = learner === 0 && hasLongLists ? LONG_LISTS[host] : undefined;
    const isAged = isDrawn('aged_edits', 0.5);
    return {
      kind: 'host',
      learner,
      host,
      skewMs: steps.drawSkew(),
      hasSteadyClock: steps.hasSteadyClocks,
      chanceSeed: random.int(0, 2 ** 31),
      isOldFolder: isDrawn('old_folder', 0.12),
      isOffline: isAged || longList !== undefined,
      steps: [
        // A device's times never go back: after an edit of now, older ones would count as made now.
        ...(isAged ? steps.drawAged(edits, random.int(3, 10)) : []),
        ...(longList === undefined ? [] : [{ do: 'edit' as const, edit: edits.drawWordList(longList) }]),
        ...(isAged || longList !== undefined ? ONLINE : []),
        ...steps.draw(learner === 0 ? editsADevice : 4, edits),
      ],
    };
  });
  if (isRestored) addRestore(hosts, ownEdits);

  const oldClient: OldClientPlan | null =
    isDrawn('old_client', 0.35) && !isRestored
      ? { kind: 'oldClient', skewMs: steps.drawSkew(), steps: steps.draw(random.int(3, 8), ownEdits) }
      : null;
  return {
    seed,
    isRestored,
    isMoved,
    hasLongLists,
    isOldDatabase: isDrawn('old_database', 0.12),
    hosts,
    oldClient,
    lateJoiner: isRestored ? null : drawLateJoiner(),
    secondClient:
      seed % SECOND_CLIENT_EVERY === 0 && has('second_client')
        ? { skewMs: steps.drawSkew(), steps: steps.draw(random.int(8, 14), ownEdits) }
        : null,
    newApp: isDrawn('new_app', 0.2),
    rogueAfterMs: isDrawn('rogue', 0.5) ? Array.from({ length: random.int(1, 3) }, () => random.int(0, 800)) : [],
  };

  function drawLateJoiner(): LateJoinerPlan | null {
    const aloneEdits = editSource(random.fork(), ids, own);
    if (!isDrawn('late_join', 0.3)) return null;
    const joiner: LateJoinerPlan = {
      kind: 'lateJoiner',
      skewMs: steps.drawSkew(),
      chanceSeed: random.int(0, 2 ** 31),
      alone: Array.from({ length: 5 }, (): Step => ({ do: 'edit', edit: aloneEdits.draw() })),
      killAfterMs: random.isLucky(0.3) && has('kill_device') ? random.int(10, 400) : null,
      steps: steps.draw(random.int(2, 5), ownEdits),
    };
    // A first sync with a long history is what a restart of the server can meet.
    if (isDrawn('kill_server', 0.4)) joiner.steps.unshift({ do: 'killServer', downMs: random.int(0, 300) });
    return joiner;
  }

  /** The first device writes before, between and after; one only reads; another is away all the time. */
  function addRestore(all: HostPlan[], edits: EditSource): void {
    const [writer, reader, ...others] = all.filter(({ learner }) => learner === 0);
    if (writer === undefined || reader === undefined) return;
    const edit = (): Step => ({ do: 'edit', edit: edits.draw() });
    const between = Array.from({ length: random.int(2, 6) }, edit);
    const restore = {
      isInPlace: isDrawn('restore_in_place', 0.4),
      isTold: random.isLucky(0.5),
      downMs: random.int(0, 300),
    };
    const at = Math.floor(writer.steps.length * (random.next() * 0.5 + 0.2));
    writer.steps.splice(
      at,
      0,
      ...ONLINE,
      { do: 'backUpServer' },
      ...between,
      { do: 'sync' },
      { do: 'pause', ms: random.int(50, 600) },
      ...(random.isLucky(0.5) ? [edit()] : []),
      { do: 'restoreServer', restore },
      ...(random.isLucky(0.3) ? [edit(), { do: 'sync' as const }, { do: 'restoreServer' as const, restore }] : []),
    );
    if (random.isLucky(0.5))
      reader.steps = Array.from({ length: 8 }, (): Step[] => [
        { do: 'sync' },
        { do: 'pause', ms: random.int(50, 300) },
      ]).flat();
    const away = others.at(-1);
    if (away !== undefined && random.isLucky(0.6)) {
      away.isOffline = true;
      away.steps = away.steps.filter((step) => step.do !== 'offline' && step.do !== 'practise');
      away.steps.push(...ONLINE);
    }
  }
}

const ONLINE: readonly Step[] = [{ do: 'offline', isOffline: false }, { do: 'sync' }];
