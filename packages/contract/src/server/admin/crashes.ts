/** The crash reports that learners sent, without their senders, because reports say nothing about a person. */
import { z } from 'zod';
import { CrashReport } from '../../crash-report.ts';
import { adminBase } from '../base.ts';
import { listRequest, listResult } from './list.ts';

export const CRASH_RETENTION_DAYS = 30;

export const CrashRow = CrashReport.extend({ receivedAt: z.iso.datetime() });
export type CrashRow = z.infer<typeof CrashRow>;

const AdminCrashesRequest = listRequest(['receivedAt']);
export type AdminCrashesRequest = z.infer<typeof AdminCrashesRequest>;

export const crashesContract = {
  crashes: adminBase
    .route({ method: 'POST', path: '/v1/admin/crashes', summary: 'A page of the crash reports of the last 30 days' })
    .input(AdminCrashesRequest)
    .output(listResult(CrashRow)),
};
