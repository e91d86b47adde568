/** Executes one run: all participants act at once, then the system converges and is checked against what was acknowledged. */
import { cpSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLearnerModel, type LearnerModel } from '../model/learner-model.ts';
import { toOracleHistory } from '../model/to-oracle.ts';
import { checkLearner } from '../oracle/check-learner.ts';
import { checkReplica, compareRows } from '../oracle/check-replica.ts';
import { checkConversations } from '../oracle/conversation.ts';
import { readReplica } from '../oracle/read-replica.ts';
import type { HostPlan, Plan, Step } from '../plan/plan.ts';
import { seededRandom } from '../seeded-random.ts';
import { readServerRows } from '../read-server.ts';
import { HostDevice } from './host-device.ts';
import { type LateJoiner, openLateJoiner } from './late-joiner.ts';
import { simulateNewerApp } from './newer-app.ts';
import { createOldApp, type OldApp } from './old-app.ts';
import { runAdversary } from './adversary.ts';
import { createSecondClientDevice, type SecondClientDevice } from './second-client-device.ts';
import { waitForConvergence } from './wait-for-convergence.ts';
import { type TortureSetup, openRunEnvironment, type RunEnvironment } from './run-environment.ts';

const JOIN_TRIES = 3;

interface Participants {
  hosts: { device: HostDevice; plan: HostPlan }[];
  oldClient: OldApp | null;
  lateJoiner: LateJoiner | null;
  second: SecondClientDevice | null;
}

/** Returns every problem as a sentence; an empty list when the run passed. */
export async function executeRun(bench: TortureSetup, plan: Plan, dir: string): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  const { isMoved } = plan;
  const place = await bench.databases.copyTemplate(plan.isOldDatabase ? 'old' : 'current', dir, { isMoved });
  if (isMoved) bench.counts.add('moved_server');
  if (plan.hasLongLists) bench.counts.add('word_limit');
  if (plan.isOldDatabase) bench.counts.add('old_database');
  const environment = await openRunEnvironment(bench, dir, place);
  try {
    const models: [LearnerModel, LearnerModel] = [createLearnerModel(), createLearnerModel()];
    const cast = await createParticipants(environment, plan, models);
    await playRun(environment, plan, cast, models);
    return await checkResults(environment, cast, models);
  } catch (error) {
    // Earlier anomalies often explain the failure.
    return [error instanceof Error ? String(error.stack) : String(error), ...new Set(environment.anomalies)];
  } finally {
    await environment.close();
  }
}

async function createParticipants(
  environment: RunEnvironment,
  plan: Plan,
  models: readonly [LearnerModel, LearnerModel],
): Promise<Participants> {
  const [own] = environment.template.learners;
  const hosts = await Promise.all(
    plan.hosts.map(async (hostPlan, index) => {
      const { learner, host, chanceSeed, skewMs, hasSteadyClock, isOldFolder, isFolderShared } = hostPlan;
      const isCopy = plan.hosts.findIndex((each) => each.learner === learner && each.host === host) !== index;
      if (isCopy) environment.counts.add('copied_folder');
      const dir = join(environment.dir, `device-${learner}-${host}${isCopy ? '-copied' : ''}`);
      if (isOldFolder) environment.counts.add('old_folder');
      cpSync(environment.template.hostDir(learner, host, isOldFolder), dir, { recursive: true });
      const line = await environment.openProxy();
      if (skewMs !== 0) environment.counts.add('skew');
      const place = { dir, line, model: models[learner], chanceSeed, skewMs, hasSteadyClock, isFolderShared };
      const device = new HostDevice(environment, place);
      if (hostPlan.isOffline) line.setOffline(true);
      await device.open();
      return { device, plan: hostPlan };
    }),
  );
  const random = seededRandom(plan.seed).fork();
  const oldClient =
    plan.oldClient === null
      ? null
      : createOldApp(environment, {
          plan: plan.oldClient,
          line: await environment.openProxy(),
          credentials: own.oldClient,
          model: models[0],
          random,
        });
  const lateJoiner =
    plan.lateJoiner === null
      ? null
      : await openLateJoiner(environment, plan.lateJoiner, { userId: own.userId, model: models[0] });
  return { hosts, oldClient, lateJoiner, second: await openSecondClient(environment, plan, hosts, models[0]) };
}

async function openSecondClient(
  environment: RunEnvironment,
  { secondClientPlan }: Plan,
  hosts: Participants['hosts'],
  model: LearnerModel,
): Promise<SecondClientDevice | null> {
  if (secondClientPlan === null) return null;
  const second = createSecondClientDevice(environment, {
    plan: secondClientPlan,
    line: await environment.openProxy(),
    model,
  });
  for (const { device, plan } of hosts) {
    if (plan.learner !== 0) continue;
    // A device that starts offline goes online only to request the code.
    device.proxy.setOffline(false);
    const code = await device.createLinkCode();
    device.proxy.setOffline(plan.isOffline);
    if (code === null) continue;
    await second.join(code);
    await second.sync();
    return second;
  }
  throw new Error('no device could create a code for the second client');
}

async function playRun(
  environment: RunEnvironment,
  plan: Plan,
  cast: Participants,
  models: readonly [LearnerModel, LearnerModel],
): Promise<void> {
  const [first] = cast.hosts;
  if (first === undefined) throw new Error('a run without devices');
  const parts = [
    ...cast.hosts.map(async ({ device, plan: { steps } }) => {
      await performSteps(device, steps);
    }),
    (async () => {
      await cast.oldClient?.play(plan.oldClient?.steps ?? []);
    })(),
    (async () => {
      if (cast.lateJoiner === null || plan.lateJoiner === null) return;
      await performSteps(cast.lateJoiner.device, plan.lateJoiner.stepsBeforeJoin);
      await joinWithRetries(cast.lateJoiner, first.device, plan.lateJoiner.killAfterMs);
      if (!cast.lateJoiner.hasJoined) return;
      await performSteps(cast.lateJoiner.device, plan.lateJoiner.steps);
    })(),
    (async () => {
      await cast.second?.play(plan.secondClientPlan?.steps ?? []);
    })(),
    (async () => {
      // The simulated app keeps no copy, so after a restore of the server it could not send its rows again.
      if (!plan.hasNewerApp || plan.isRestored) return;
      const random = seededRandom(plan.seed + 1);
      await simulateNewerApp(environment, {
        credentials: environment.template.learners[0].newerApp,
        model: models[0],
        random,
      });
    })(),
    (async () => {
      const random = seededRandom(plan.seed).fork();
      for (const afterMs of plan.adversaryDelaysMs) {
        await pause(afterMs);
        await runAdversary(environment, random);
      }
    })(),
  ];
  const ended = await Promise.allSettled(parts);
  for (const part of ended) if (part.status === 'rejected') throw part.reason;
  await environment.whenServerIsUp();
  const devices = joinedDevices(cast);
  const unconverged = await waitForConvergence(devices, cast.oldClient, cast.second);
  if (unconverged.length > 0) throw new Error(unconverged.join('; '));
  if (cast.lateJoiner !== null && !cast.lateJoiner.hasJoined) {
    await joinWithRetries(cast.lateJoiner, first.device, null);
    if (!cast.lateJoiner.hasJoined) throw new Error('a new device cannot join although all faults are cleared');
    const unconvergedAfterJoin = await waitForConvergence(
      [...devices, cast.lateJoiner.device],
      cast.oldClient,
      cast.second,
    );
    if (unconvergedAfterJoin.length > 0) throw new Error(unconvergedAfterJoin.join('; '));
  }
}

async function performSteps(device: HostDevice, steps: readonly Step[]): Promise<void> {
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

async function joinWithRetries(joiner: LateJoiner, host: HostDevice, killAfterMs: number | null): Promise<void> {
  for (let tried = 0; tried < JOIN_TRIES && !joiner.hasJoined; tried += 1)
    await joiner.tryToJoin(host, tried === 0 ? killAfterMs : null);
}

const joinedDevices = ({ hosts, lateJoiner }: Participants): HostDevice[] => [
  ...hosts.map(({ device }) => device),
  ...(lateJoiner?.hasJoined === true ? [lateJoiner.device] : []),
];

async function checkResults(
  environment: RunEnvironment,
  cast: Participants,
  models: readonly [LearnerModel, LearnerModel],
): Promise<string[]> {
  const { document } = environment;
  const devices = joinedDevices(cast);
  const problems = [...new Set(environment.anomalies)];
  await Promise.all(devices.map((device) => device.closeForGood()));
  for (const device of devices) device.recordShownRefusals();
  for (const [index, learner] of environment.template.learners.entries()) {
    const server = await readServerRows(environment.url(), document, learner.adversary);
    const own = devices.filter(({ userId }) => userId === learner.userId);
    for (const { dir, deviceId } of own) {
      const who = `device ${deviceId.slice(0, 8)}`;
      const wrong = checkReplica(document, readReplica(document, dir), server, learner.userId);
      problems.push(...wrong.map((what) => `${who} ${what}`));
    }
    const isOwn = index === 0;
    const { oldClient, second } = isOwn ? cast : { oldClient: null, second: null };
    const shown = new Map([
      ...own.flatMap((device) => [...device.shownRefusals]),
      ...(oldClient?.shownRefusals ?? []),
      ...(second?.shownRefusals() ?? []),
    ]);
    if (oldClient !== null)
      problems.push(
        ...[
          ...compareRows(document, oldClient.client.serverRows.rows, server.rows, { isOlder: true }),
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
    environment.counts.add('edits refused by the server', shown.size);
    const model = isOwn ? models[0] : models[1];
    const known = new Set(model.changes.map(({ mutationId }) => mutationId));
    for (const [id, { code }] of shown)
      if (!known.has(id)) problems.push(`a change ${id} that no device made was refused: ${code}`);
    const { edits, refusals } = toOracleHistory(model.changes, shown);
    const { wasRestored } = environment;
    problems.push(
      ...checkLearner({ document, edits, refusals, base: learner.serverRows.rows, server: server.rows, wasRestored }),
    );
    environment.counts.add('turns checked', [...server.rows.keys()].filter((key) => key.startsWith('ai_conv')).length);
  }
  return problems;
}
