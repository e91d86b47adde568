/** What helps when something is broken: a report for those who help, the repair of the database, and safe mode. */
import { z } from 'zod';
import { base } from './base.ts';

/** `sound`: nothing was damaged. `reindexed`: only what finds rows was, and was written anew. `restored`: a backup took its place. */
export const REPAIR_OUTCOMES = ['sound', 'reindexed', 'restored'] as const;
export type RepairOutcome = (typeof REPAIR_OUTCOMES)[number];

export const supportContract = {
  /** Writes nothing yet: the learner reads the report first. It holds neither words nor secrets. */
  report: base.input(z.void()).output(z.object({ text: z.string() })),
  /** Saves the report that was shown last, and returns where. */
  saveReport: base.input(z.void()).output(z.object({ file: z.string() })),
  /** Copies the database, checks all of it, repairs what it can and reopens the app. */
  repair: base.input(z.void()).output(z.void()),
  /** Reopens the app without server, models and background work, or with all of them again. It lasts until Parley is closed. */
  setSafeMode: base.input(z.object({ isOn: z.boolean() })).output(z.void()),
};
