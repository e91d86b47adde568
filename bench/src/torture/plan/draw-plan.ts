/** Draws the plan of a run from its seed. */
import { MAX_DEVICES, type TortureArguments } from '../arguments.ts';
import { type Fault, NETWORK_FAULTS } from '../faults.ts';
import { seededRandom } from '../seeded-random.ts';
import { OTHER_DEVICES, type Template } from '../template/build-template.ts';
import type { CatalogueIds } from './catalogue-ids.ts';
import { type EditGenerator, createEditGenerator } from './draw-edits.ts';
import { addFolderRestore, drawFolderCopy } from './draw-folders.ts';
import { createStepGenerator } from './draw-steps.ts';
import { type HostPlan, isBackdated, type LateJoinerPlan, type OldClientPlan, type Plan, type Step } from './plan.ts';

/** The second client takes part in one of this many runs. */
const SECOND_CLIENT_EVERY = 10;
/** Creates another stream from the same seed. */
const FOLDERS = 0x2545_f491;
const IMPORTS = 0x1b87_3593;
/** Together more than the 5,000 words that a list may have. */
const LONG_LISTS: readonly number[] = [3_000, 2_500];

export function drawPlan(
  seed: number,
  { devices, without }: Pick<TortureArguments, 'devices' | 'without'>,
  { template, ids }: { template: Template; ids: CatalogueIds },
): Plan {
  const random = seededRandom(seed);
  const has = (fault: Fault): boolean => !without.has(fault);
  const draws = (fault: Fault, chance: number): boolean => random.happens(chance) && has(fault);
  const isRestored = draws('restore_server', 0.25);
  // A device that lost its file cannot restore rows to a server that lost them as well.
  const isAllowed = (fault: Fault): boolean => has(fault) && !(isRestored && fault === 'damaged_database');
  const steps = createStepGenerator(random, {
    has: isAllowed,
    lineFaults: NETWORK_FAULTS.filter(has),
    // The real time of an edit is unknown once the clock has been moved.
    hasSteadyClocks: random.happens(0.7) || !has('skew'),
  });

  const [firstLearner, other] = template.learners;
  const ownEdits = createEditGenerator(random.fork(), ids, firstLearner);
  const otherEdits = createEditGenerator(random.fork(), ids, other);
  const ownHosts = devices ?? (isRestored ? random.pick([3, 3, 4]) : random.pick([2, 2, 3, 3, 4, MAX_DEVICES]));
  const otherHosts = random.int(1, OTHER_DEVICES);
  const editsADevice = Math.max(6, Math.round(random.int(26, 50) / ownHosts));
  const hasLongLists = draws('word_limit', 0.06) && !isRestored;
  const isMoved = draws('moved_server', 0.1) && !hasLongLists;

  const hosts = [
    ...Array.from({ length: ownHosts }, (_, host) => ({ learner: 0 as const, host })),
    ...Array.from({ length: otherHosts }, (_, host) => ({ learner: 1 as const, host })),
  ].map(({ learner, host }): HostPlan => {
    const edits = learner === 0 ? ownEdits : otherEdits;
    const longList = learner === 0 && hasLongLists ? LONG_LISTS[host] : undefined;
    const isAged = draws('aged_edits', 0.5);
    return {
      kind: 'host',
      learner,
      host,
      skewMs: steps.drawSkew(),
      hasSteadyClock: steps.hasSteadyClocks,
      chanceSeed: random.int(0, 2 ** 31),
      isOldFolder: draws('old_folder', 0.12),
      isFolderShared: false,
      isOffline: isAged || longList !== undefined,
      steps: [
        // The clock of a device never goes back, so backdated edits must come first.
        ...(isAged ? steps.drawAged(edits, random.int(3, 10)) : []),
        ...(longList === undefined ? [] : [{ do: 'edit' as const, edit: edits.drawWordList(longList) }]),
        ...(isAged || longList !== undefined ? ONLINE : []),
        ...steps.draw(learner === 0 ? editsADevice : 4, edits),
      ],
    };
  });
  if (isRestored) addServerRestore(hosts, ownEdits);

  const oldClient: OldClientPlan | null =
    draws('old_client', 0.35) && !isRestored
      ? { kind: 'oldClient', skewMs: steps.drawSkew(), steps: steps.draw(random.int(3, 8), ownEdits) }
      : null;
  const plan: Plan = {
    seed,
    isRestored,
    isMoved,
    hasLongLists,
    isOldDatabase: draws('old_database', 0.12),
    hosts,
    oldClient,
    lateJoiner: isRestored ? null : drawLateJoiner(),
    secondClientPlan:
      seed % SECOND_CLIENT_EVERY === 0 && has('second_client')
        ? { skewMs: steps.drawSkew(), steps: steps.draw(random.int(8, 14), ownEdits) }
        : null,
    hasNewerApp: draws('new_app', 0.2),
    adversaryDelaysMs: draws('adversary', 0.5)
      ? Array.from({ length: random.int(1, 3) }, () => random.int(0, 800))
      : [],
  };
  // Drawn separately from everything else, so that older seeds still give the same runs.
  const apart = seededRandom(seed ^ FOLDERS);
  // A row lost by both a device and the server cannot be restored, and steady clocks must show which change is the newer one.
  if (isRestored || !steps.hasSteadyClocks) return plan;
  if (apart.happens(0.2) && has('restored_folder')) addFolderRestore(apart, hosts);
  if (apart.happens(0.15) && has('copied_folder')) hosts.push(drawFolderCopy(apart, hosts, steps.draw(8, ownEdits)));
  return plan;

  function drawLateJoiner(): LateJoinerPlan | null {
    const aloneEdits = createEditGenerator(random.fork(), ids, firstLearner);
    if (!draws('late_join', 0.3)) return null;
    const joiner: LateJoinerPlan = {
      kind: 'lateJoiner',
      skewMs: steps.drawSkew(),
      chanceSeed: random.int(0, 2 ** 31),
      // Also drawn separately.
      hasImported: seededRandom(seed ^ IMPORTS).happens(0.5),
      stepsBeforeJoin: Array.from({ length: 5 }, (): Step => ({ do: 'edit', edit: aloneEdits.draw() })),
      killAfterMs: random.happens(0.3) && has('kill_device') ? random.int(10, 400) : null,
      steps: steps.draw(random.int(2, 5), ownEdits),
    };
    // A server restart can interrupt the first sync of a long history.
    if (draws('kill_server', 0.4)) joiner.steps.unshift({ do: 'killServer', downMs: random.int(0, 300) });
    return joiner;
  }

  /** Adds a restore of the server: one device writes before and after, one only reads, and one stays offline. */
  function addServerRestore(all: HostPlan[], edits: EditGenerator): void {
    const [writer, reader, ...others] = all.filter(({ learner }) => learner === 0);
    if (writer === undefined || reader === undefined) return;
    const edit = (): Step => ({ do: 'edit', edit: edits.draw() });
    const between = Array.from({ length: random.int(2, 6) }, edit);
    const restore = {
      isInPlace: draws('restore_in_place', 0.4),
      isEpochAnnounced: random.happens(0.5),
      downMs: random.int(0, 300),
    };
    const drawnAt = Math.floor(writer.steps.length * (random.next() * 0.5 + 0.2));
    const restoreAt = Math.max(
      drawnAt,
      writer.steps.findIndex((step) => !isBackdated(step)),
    );
    writer.steps.splice(
      restoreAt,
      0,
      ...ONLINE,
      { do: 'backUpServer' },
      ...between,
      { do: 'sync' },
      { do: 'pause', ms: random.int(50, 600) },
      ...(random.happens(0.5) ? [edit()] : []),
      { do: 'restoreServer', restore },
      ...(random.happens(0.3) ? [edit(), { do: 'sync' as const }, { do: 'restoreServer' as const, restore }] : []),
    );
    if (random.happens(0.5))
      reader.steps = Array.from({ length: 8 }, (): Step[] => [
        { do: 'sync' },
        { do: 'pause', ms: random.int(50, 300) },
      ]).flat();
    const offlineDevice = others.at(-1);
    if (offlineDevice !== undefined && random.happens(0.6)) {
      offlineDevice.isOffline = true;
      offlineDevice.steps = offlineDevice.steps.filter((step) => step.do !== 'offline' && step.do !== 'practise');
      offlineDevice.steps.push(...ONLINE);
    }
  }
}

const ONLINE: readonly Step[] = [{ do: 'offline', isOffline: false }, { do: 'sync' }];
