/** A new device that worked alone, then joins an account with a long history and brings its own work. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { entities } from '@parley/domain';
import { createLearnerModel, type LearnerModel } from '../model/learner-model.ts';
import type { ModelChange } from '../model/change.ts';
import type { Opened } from '../messages.ts';
import type { LateJoinerPlan } from '../plan/plan.ts';
import { HostDevice } from './host-device.ts';
import type { RunEnvironment } from './run-environment.ts';

const KNOWN_ROWS = '/v1/account/known-rows';
/** More than the faults that can be armed at once. */
const MAX_TRIES = 8;

export interface LateJoiner {
  device: HostDevice;
  /** Tries to join despite the faults; resolves to whether the device has joined. */
  tryToJoin: (host: HostDevice, killAfterMs: number | null) => Promise<boolean>;
  readonly hasJoined: boolean;
}

export async function openLateJoiner(
  environment: RunEnvironment,
  plan: LateJoinerPlan,
  target: { userId: string; model: LearnerModel },
): Promise<LateJoiner> {
  const dir = join(environment.dir, 'device-late');
  cpSync(environment.template.newDeviceDir, dir, { recursive: true });
  const modelBeforeJoin = createLearnerModel();
  const { chanceSeed, skewMs, hasImported } = plan;
  const line = await environment.openProxy();
  const device = new HostDevice(environment, {
    dir,
    line,
    model: modelBeforeJoin,
    chanceSeed,
    skewMs,
    hasSteadyClock: false,
  });
  await device.open();
  if (hasImported) {
    // All of it is already in the account, so importing it must change nothing there.
    const source = join(environment.dir, 'device-late-source');
    cpSync(environment.template.hostDir(0, 0, false), source, { recursive: true });
    await device.importFrom(source);
  }
  let hasJoined = false;

  /** All work of the device must be queued again for the new account. */
  function onJoined(opened: Opened): void {
    hasJoined = true;
    environment.counts.add('late_join');
    for (const lost of liveSummaries(modelBeforeJoin).filter((summary) => countSessions(opened, summary) !== 1))
      environment.anomalies.push(
        `joining an account queued the session "${lost}" of the new device ${countSessions(opened, lost)} times, not once`,
      );
    device.model = target.model;
    for (const entry of opened.outbox)
      target.model.recordOutboxEntry(entry, device.deviceId, device.momentOf(Date.now()));
  }

  /** A device that has signed in moves only when the server has told which rows the account has, which faults may delay. */
  async function completeMove(): Promise<Opened> {
    line.allowOnly(KNOWN_ROWS);
    for (let tries = 1; ; tries += 1) {
      await device.close();
      const opened = await device.open();
      if (opened.userId === target.userId || tries === MAX_TRIES) return opened;
      await environment.whenServerIsUp();
      await device.sync();
    }
  }

  return {
    device,
    get hasJoined() {
      return hasJoined;
    },
    tryToJoin: async (host, killAfterMs) => {
      const code = await host.createLinkCode();
      if (code === null) return false;
      // The sync after a join would send changes that have not been counted yet, so nothing else reaches the server.
      line.allowOnlyAfter('/v1/devices/join', KNOWN_ROWS);
      try {
        if (killAfterMs === null) await device.join(code);
        else {
          await device.killDuring(device.join(code), killAfterMs);
          line.allowOnly(KNOWN_ROWS);
          await device.open();
        }
        const opened = await completeMove();
        if (opened.userId === target.userId) onJoined(opened);
        else modelBeforeJoin.reconcileOutbox(device.deviceId, opened.outbox);
      } finally {
        line.setOffline(false);
      }
      return hasJoined;
    },
  };
}

/** Returns the latest summaries of sessions that were not deleted. */
function liveSummaries({ changes }: LearnerModel): string[] {
  const summaryById = new Map<string, string>();
  for (const { table, rowId, op, fields, isSure } of changes as ModelChange[]) {
    if (table !== entities.practiceHistory.name || !isSure) continue;
    const summary = fields.get('summary')?.value;
    if (op === 'delete') summaryById.delete(rowId);
    else if (typeof summary === 'string') summaryById.set(rowId, summary);
  }
  return [...summaryById.values()];
}

const countSessions = ({ outbox }: Opened, summary: string): number =>
  outbox.filter(({ fields }) => fields['summary'] === summary).length;
