/** The data that the admin panel's frame shows on every screen. */
import { z } from 'zod';
import { SignInCode } from '../account.ts';
import { adminBase } from '../base.ts';
import { SchoolColour, SchoolLogo } from './settings.ts';

export const AdminOverview = z.strictObject({
  me: z.strictObject({
    userId: z.uuid(),
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
  }),
  school: z.strictObject({
    name: z.string(),
    /** IANA name of the time zone in which days and weeks begin. */
    timeZone: z.string(),
    colour: SchoolColour,
    logo: SchoolLogo,
  }),
  /** Whether e-mails are only written to a folder of the server, because no mail server is configured. */
  isMailWritten: z.boolean(),
  /** How many decisions are pending, for the badges of the navigation. */
  waiting: z.strictObject({
    access: z.number().int(),
    mail: z.number().int(),
    payments: z.number().int(),
    /** Open reports about practices. */
    reports: z.number().int(),
    /** Crash reports that learners sent in the last seven days. */
    crashes: z.number().int(),
    /** Scheduled posts that could not be published. */
    posts: z.number().int(),
  }),
});
export type AdminOverview = z.infer<typeof AdminOverview>;

export const overviewContract = {
  overview: adminBase
    .route({ method: 'POST', path: '/v1/admin/overview', summary: 'Who is signed in, the school, and what waits' })
    .input(z.strictObject({}))
    .output(AdminOverview),
  /** A sensitive action fails with `auth.confirmation_required` unless a code was entered in the last ten minutes. */
  requestProof: adminBase
    .route({ method: 'POST', path: '/v1/admin/request-proof', summary: 'A message with a code to the own address' })
    .input(z.strictObject({}))
    .output(z.strictObject({})),
  prove: adminBase
    .route({ method: 'POST', path: '/v1/admin/prove', summary: 'Prove with that code that it is the admin who acts' })
    .input(z.strictObject({ code: SignInCode }))
    .output(z.strictObject({})),
};
