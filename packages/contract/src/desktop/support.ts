/** Help when something is broken: reports for those who help, the repair of the database, and safe mode. */
import { z } from 'zod';
import { CrashReport } from '../crash-report.ts';
import { base } from './base.ts';

/** `sound`: nothing was damaged. `reindexed`: only indexes were damaged, and have been rebuilt. `restored`: a backup took its place. */
export const REPAIR_OUTCOMES = ['sound', 'reindexed', 'restored'] as const;
export type RepairOutcome = (typeof REPAIR_OUTCOMES)[number];

/** The notice, until the learner dismisses it, about a database that was damaged or missing at a start. */
export const RestoreNotice = z.object({
  /** When the backup that took its place was taken; null when none was good and the database began empty. */
  takenAt: z.date().nullable(),
  /** Where the damaged file is kept; null when there was no file. */
  damagedFolder: z.string().nullable(),
});
export type RestoreNotice = z.infer<typeof RestoreNotice>;

/** How many crashes this device remembers. */
export const MAX_KEPT_CRASHES = 20;

export const supportContract = {
  /** Writes nothing yet: the learner reads the report first. It holds neither words nor secrets. */
  report: base.input(z.void()).output(z.object({ text: z.string() })),
  /** Saves the report that was shown last, and returns where. */
  saveReport: base.input(z.void()).output(z.object({ file: z.string() })),
  /** Copies the database, checks all of it, repairs what it can and reopens the app. */
  repair: base.input(z.void()).output(z.void()),
  /** Reopens the app without server, models and background work, or with all of them again. It lasts until Parley is closed. */
  setSafeMode: base.input(z.object({ isOn: z.boolean() })).output(z.void()),
  /** The crashes that are noted on this device, the latest first. Nothing of them leaves it before `sendCrashes`. */
  crashes: base.input(z.void()).output(z.array(CrashReport)),
  /**
   * Records an error of a screen. The first line of a stack quotes a message, so only the places in our code are kept.
   */
  recordCrash: base.input(z.object({ kind: z.string().max(200), stack: z.string().max(20_000) })).output(z.void()),
  /** Sends the reports that the learner has read to the server, and forgets them here. */
  sendCrashes: base
    .input(z.object({ ids: z.array(z.uuid()).min(1).max(MAX_KEPT_CRASHES) }))
    .output(z.object({ sent: z.number().int() })),
  deleteCrashes: base.input(z.void()).output(z.void()),
};
