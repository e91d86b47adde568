/** A new device that worked alone, joins an account with a long history, and brings along what it made. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { entities } from '@parley/domain';
import { createLearnerModel, type LearnerModel } from '../model/learner-model.ts';
import type { Change } from '../model/change.ts';
import type { Opened } from '../messages.ts';
import type { LateJoinerPlan } from '../plan/plan.ts';
import { HostDevice } from './host-device.ts';
import type { World } from './world.ts';

export interface LateJoiner {
  device: HostDevice;
  /** Through whatever faults there are; whether it came to the other account. */
  tryToJoin: (host: HostDevice, killAfterMs: number | null) => Promise<boolean>;
  readonly hasJoined: boolean;
}

export async function openLateJoiner(
  world: World,
  plan: LateJoinerPlan,
  target: { userId: string; model: LearnerModel },
): Promise<LateJoiner> {
  const dir = join(world.dir, 'device-late');
  cpSync(world.template.newDeviceDir, dir, { recursive: true });
  const alone = createLearnerModel();
  const { chanceSeed, skewMs } = plan;
  const line = await world.openLine();
  const device = new HostDevice(world, { dir, line, model: alone, chanceSeed, skewMs, hasSteadyClock: false });
  await device.open();
  let hasJoined = false;

  /** What it holds is queued again for the new account; nothing of it may be missing there. */
  function moveIn(opened: Opened): void {
    hasJoined = true;
    world.counts.add('late_join');
    for (const lost of summariesOf(alone).filter((summary) => countOf(opened, summary) !== 1))
      world.oddities.push(
        `joining an account queued the session "${lost}" of the new device ${countOf(opened, lost)} times, not once`,
      );
    device.model = target.model;
    for (const entry of opened.outbox) target.model.adopt(entry, device.deviceId, device.momentOf(Date.now()));
  }

  return {
    device,
    get hasJoined() {
      return hasJoined;
    },
    tryToJoin: async (host, killAfterMs) => {
      const code = await host.createLinkCode();
      if (code === null) return false;
      // The round that follows a join would send what has not been counted yet.
      line.goOfflineAfter('/v1/devices/join');
      try {
        if (killAfterMs === null) {
          const { opened } = await device.join(code);
          if (opened.userId === target.userId) moveIn(opened);
        } else {
          await device.killDuring(device.join(code), killAfterMs);
          line.setOffline(true);
          const opened = await device.open();
          if (opened.userId === target.userId) moveIn(opened);
          else alone.recognise(device.deviceId, opened.outbox);
        }
      } finally {
        line.setOffline(false);
      }
      return hasJoined;
    },
  };
}

/** Of sessions that were made and not deleted again, as they were last said. */
function summariesOf({ changes }: LearnerModel): string[] {
  const summaryById = new Map<string, string>();
  for (const { table, rowId, op, fields, isSure } of changes as Change[]) {
    if (table !== entities.practiceHistory.name || !isSure) continue;
    const summary = fields.get('summary')?.value;
    if (op === 'delete') summaryById.delete(rowId);
    else if (typeof summary === 'string') summaryById.set(rowId, summary);
  }
  return [...summaryById.values()];
}

const countOf = ({ outbox }: Opened, summary: string): number =>
  outbox.filter(({ fields }) => fields['summary'] === summary).length;
