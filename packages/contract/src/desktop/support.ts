/** Help when something is broken: reports for those who help, repair of the database, and safe mode. */
import { z } from 'zod';
import { CrashReport } from '../crash-report.ts';
import { base } from './base.ts';

/**
 * `sound`: nothing was damaged. `reindexed`: only indexes were damaged, and have been rebuilt. `restored`: a backup
 * replaced the database.
 */
/** Why the data of the server that the learner chose could not be opened: a newer version of the app has used it. */
export const SWITCH_FAILURES = ['newer', 'other'] as const;
export type SwitchFailure = (typeof SWITCH_FAILURES)[number];

export const REPAIR_OUTCOMES = ['sound', 'reindexed', 'restored'] as const;
export type RepairOutcome = (typeof REPAIR_OUTCOMES)[number];

/** The notice about a database that was damaged or missing at startup, until the learner dismisses it. */
export const RestoreNotice = z.object({
  /** When the backup that replaced it was made; null if there was no good one, so the database started empty. */
  takenAt: z.date().nullable(),
  /** Where the damaged file is kept; null if there was no file. */
  damagedFolder: z.string().nullable(),
});
export type RestoreNotice = z.infer<typeof RestoreNotice>;

/** How many crash records this device keeps. */
export const MAX_KEPT_CRASHES = 20;

export const supportContract = {
  /** Writes nothing yet, because the learner reads the report first. It contains neither words nor secrets. */
  report: base.input(z.void()).output(z.object({ text: z.string() })),
  /** Saves the report that was shown last, and returns where it is. */
  saveReport: base.input(z.void()).output(z.object({ file: z.string() })),
  /** Copies the database, checks all of it, repairs what it can and reopens the app. */
  repair: base.input(z.void()).output(z.void()),
  /**
   * Reopens the app without server, models and background work, or with all of them again. The mode lasts until Parley
   * is closed.
   */
  setSafeMode: base.input(z.object({ isOn: z.boolean() })).output(z.void()),
  /** The crash records on this device, newest first. Nothing of them leaves the device before `sendCrashes`. */
  crashes: base.input(z.void()).output(z.array(CrashReport)),
  /**
   * Records an error in a screen. The first line of a stack quotes a message, so only the places in our code are kept.
   */
  recordCrash: base.input(z.object({ kind: z.string().max(200), stack: z.string().max(20_000) })).output(z.void()),
  /** Sends the reports that the learner has read to the server, and deletes them here. */
  sendCrashes: base
    .input(z.object({ ids: z.array(z.uuid()).min(1).max(MAX_KEPT_CRASHES) }))
    .output(z.object({ sent: z.number().int() })),
  deleteCrashes: base.input(z.void()).output(z.void()),
};
