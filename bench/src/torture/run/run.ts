/** One run: everybody plays their part at once, then all comes to rest and is held against what was acknowledged. */
import { cpSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLearnerModel, type LearnerModel } from '../model/learner-model.ts';
import { toOracle } from '../model/to-oracle.ts';
import { checkLearner } from '../oracle/check-learner.ts';
import { checkReplica, compareRows } from '../oracle/check-replica.ts';
import { checkConversations } from '../oracle/conversation.ts';
import { readReplica } from '../oracle/read-replica.ts';
import type { HostPlan, Plan, Step } from '../plan/plan.ts';
import { seededRandom } from '../random.ts';
import { readServer } from '../server-reader.ts';
import { HostDevice } from './host-device.ts';
import { type LateJoiner, openLateJoiner } from './late-joiner.ts';
import { playNewApp } from './new-app.ts';
import { createOldClient, type OldClient } from './old-client.ts';
import { attack } from './rogue.ts';
import { createSecondDevice, type SecondDevice } from './second-device.ts';
import { settle } from './settle.ts';
import { type Bench, openWorld, type World } from './world.ts';

const JOIN_TRIES = 3;

interface Cast {
  hosts: { device: HostDevice; plan: HostPlan }[];
  oldClient: OldClient | null;
  lateJoiner: LateJoiner | null;
  second: SecondDevice | null;
}

/** Every broken check in words; none when the run passed. */
export async function runOnce(bench: Bench, plan: Plan, dir: string): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  const { isMoved } = plan;
  const place = await bench.databases.copyOf(plan.isOldDatabase ? 'old' : 'current', dir, { isMoved });
  if (isMoved) bench.counts.add('moved_server');
  if (plan.hasLongLists) bench.counts.add('word_limit');
  if (plan.isOldDatabase) bench.counts.add('old_database');
  const world = await openWorld(bench, dir, place);
  try {
    const models: [LearnerModel, LearnerModel] = [createLearnerModel(), createLearnerModel()];
    const cast = await assemble(world, plan, models);
    await play(world, plan, cast, models);
    return await examine(world, cast, models);
  } catch (error) {
    // What was odd before often says why.
    return [error instanceof Error ? String(error.stack) : String(error), ...new Set(world.oddities)];
  } finally {
    await world.close();
  }
}

async function assemble(world: World, plan: Plan, models: readonly [LearnerModel, LearnerModel]): Promise<Cast> {
  const [own] = world.template.learners;
  const hosts = await Promise.all(
    plan.hosts.map(async (hostPlan) => {
      const { learner, host, chanceSeed, skewMs, hasSteadyClock, isOldFolder } = hostPlan;
      const dir = join(world.dir, `device-${learner}-${host}`);
      if (isOldFolder) world.counts.add('old_folder');
      cpSync(world.template.hostDir(learner, host, isOldFolder), dir, { recursive: true });
      const line = await world.openLine();
      if (skewMs !== 0) world.counts.add('skew');
      const place = { dir, line, model: models[learner], chanceSeed, skewMs, hasSteadyClock };
      const device = new HostDevice(world, place);
      if (hostPlan.isOffline) line.setOffline(true);
      await device.open();
      return { device, plan: hostPlan };
    }),
  );
  const random = seededRandom(plan.seed).fork();
  const oldClient =
    plan.oldClient === null
      ? null
      : createOldClient(world, {
          plan: plan.oldClient,
          line: await world.openLine(),
          credentials: own.oldClient,
          model: models[0],
          random,
        });
  const lateJoiner =
    plan.lateJoiner === null
      ? null
      : await openLateJoiner(world, plan.lateJoiner, { userId: own.userId, model: models[0] });
  return { hosts, oldClient, lateJoiner, second: await openSecond(world, plan, hosts, models[0]) };
}

async function openSecond(
  world: World,
  { secondClient }: Plan,
  hosts: Cast['hosts'],
  model: LearnerModel,
): Promise<SecondDevice | null> {
  if (secondClient === null) return null;
  const second = createSecondDevice(world, { plan: secondClient, line: await world.openLine(), model });
  for (const { device, plan } of hosts) {
    if (plan.learner !== 0) continue;
    // A device that begins offline cannot ask for a code: it is let online for that.
    device.line.setOffline(false);
    const code = await device.createLinkCode();
    device.line.setOffline(plan.isOffline);
    if (code === null) continue;
    await second.join(code);
    await second.sync();
    return second;
  }
  throw new Error('no device could let the second client in');
}

async function play(
  world: World,
  plan: Plan,
  cast: Cast,
  models: readonly [LearnerModel, LearnerModel],
): Promise<void> {
  const [first] = cast.hosts;
  if (first === undefined) throw new Error('a run without devices');
  const parts = [
    ...cast.hosts.map(async ({ device, plan: { steps } }) => {
      await perform(device, steps);
    }),
    (async () => {
      await cast.oldClient?.play(plan.oldClient?.steps ?? []);
    })(),
    (async () => {
      if (cast.lateJoiner === null || plan.lateJoiner === null) return;
      await perform(cast.lateJoiner.device, plan.lateJoiner.alone);
      await joinLate(cast.lateJoiner, first.device, plan.lateJoiner.killAfterMs);
      if (!cast.lateJoiner.hasJoined) return;
      await perform(cast.lateJoiner.device, plan.lateJoiner.steps);
    })(),
    (async () => {
      await cast.second?.play(plan.secondClient?.steps ?? []);
    })(),
    (async () => {
      // What only this device has cannot come back to a server that lost it: its app is not there to hold it.
      if (!plan.newApp || plan.isRestored) return;
      const random = seededRandom(plan.seed + 1);
      await playNewApp(world, { credentials: world.template.learners[0].newApp, model: models[0], random });
    })(),
    (async () => {
      const random = seededRandom(plan.seed).fork();
      for (const afterMs of plan.rogueAfterMs) {
        await pause(afterMs);
        await attack(world, random);
      }
    })(),
  ];
  const ended = await Promise.allSettled(parts);
  for (const part of ended) if (part.status === 'rejected') throw part.reason;
  await world.settled();
  const devices = allDevices(cast);
  const unrest = await settle(devices, cast.oldClient, cast.second);
  if (unrest.length > 0) throw new Error(unrest.join('; '));
  if (cast.lateJoiner !== null && !cast.lateJoiner.hasJoined) {
    await joinLate(cast.lateJoiner, first.device, null);
    if (!cast.lateJoiner.hasJoined) throw new Error('a new device cannot join, though nothing is in its way');
    const still = await settle([...devices, cast.lateJoiner.device], cast.oldClient, cast.second);
    if (still.length > 0) throw new Error(still.join('; '));
  }
}

async function perform(device: HostDevice, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await device.perform(step);
    } catch (error) {
      const before = steps.slice(Math.max(0, index - 8), index).map((earlier) => earlier.do);
      throw new Error(
        `device ${device.deviceId.slice(0, 8)} failed in its step ${index + 1}, ${step.do} after ${before.join(', ')}: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }
}

async function joinLate(joiner: LateJoiner, host: HostDevice, killAfterMs: number | null): Promise<void> {
  for (let tried = 0; tried < JOIN_TRIES && !joiner.hasJoined; tried += 1)
    await joiner.tryToJoin(host, tried === 0 ? killAfterMs : null);
}

const allDevices = ({ hosts, lateJoiner }: Cast): HostDevice[] => [
  ...hosts.map(({ device }) => device),
  ...(lateJoiner?.hasJoined === true ? [lateJoiner.device] : []),
];

async function examine(world: World, cast: Cast, models: readonly [LearnerModel, LearnerModel]): Promise<string[]> {
  const { document } = world;
  const devices = allDevices(cast);
  const problems = [...new Set(world.oddities)];
  await Promise.all(devices.map((device) => device.retire()));
  for (const device of devices) device.readShown();
  for (const [index, learner] of world.template.learners.entries()) {
    const server = await readServer(world.url(), document, learner.rogue);
    const own = devices.filter(({ userId }) => userId === learner.userId);
    for (const { dir, deviceId } of own) {
      const who = `device ${deviceId.slice(0, 8)}`;
      const wrong = checkReplica(document, readReplica(document, dir), server, learner.userId);
      problems.push(...wrong.map((what) => `${who} ${what}`));
    }
    const isOwn = index === 0;
    const { oldClient, second } = isOwn ? cast : { oldClient: null, second: null };
    const shown = new Map([
      ...own.flatMap((device) => [...device.shown]),
      ...(oldClient?.shown ?? []),
      ...(second?.shown() ?? []),
    ]);
    if (oldClient !== null)
      problems.push(
        ...[
          ...compareRows(document, oldClient.client.pages.rows, server.rows, { isOlder: true }),
          ...checkConversations(server.rows, oldClient.conversations()),
        ].map((what) => `the old client ${what}`),
      );
    if (second !== null)
      problems.push(
        ...[
          ...compareRows(document, second.client.rows(), server.rows),
          ...checkConversations(server.rows, second.conversations()),
        ].map((what) => `the second client ${what}`),
      );
    world.counts.add('edits refused by the server', shown.size);
    const model = isOwn ? models[0] : models[1];
    const known = new Set(model.changes.map(({ mutationId }) => mutationId));
    for (const [id, { code }] of shown)
      if (!known.has(id)) problems.push(`a change ${id} that nobody made was refused: ${code}`);
    const { edits, refusals } = toOracle(model.changes, shown);
    const { wasRestored } = world;
    problems.push(
      ...checkLearner({ document, edits, refusals, base: learner.pages.rows, server: server.rows, wasRestored }),
    );
    world.counts.add('turns checked', [...server.rows.keys()].filter((key) => key.startsWith('ai_conv')).length);
  }
  return problems;
}
