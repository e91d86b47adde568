/**
 * The queue and the log of the server's e-mails. Their content is not shown, because it contains codes and links (ADR
 * 32).
 */
import { z } from 'zod';
import { adminBase } from '../base.ts';
import { listRequest, listResult } from './list.ts';

export const ADMIN_MAIL_STATES = [
  'queued',
  'sending',
  'sent',
  'failed',
  'superseded',
  'suppressed',
  'bounced',
] as const;

export const MailRow = z.strictObject({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  to: z.string(),
  kind: z.string(),
  subject: z.string(),
  state: z.enum(ADMIN_MAIL_STATES),
  tries: z.number().int(),
  createdAt: z.iso.datetime(),
  /** When a queued mail is tried next. */
  nextTryAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
  /** Whether a `sent` mail was only written to the outbox folder of a server without a mail server. */
  isWritten: z.boolean(),
  /** Why it was not delivered. */
  trouble: z.string().nullable(),
  /** Whether it failed and its content is still stored. */
  canBeSentAgain: z.boolean(),
});
export type MailRow = z.infer<typeof MailRow>;

const AdminMailsRequest = listRequest(['createdAt']).extend({
  state: z.enum([...ADMIN_MAIL_STATES, 'written', 'undelivered']).optional(),
});
export type AdminMailsRequest = z.infer<typeof AdminMailsRequest>;

export const mailContract = {
  mails: adminBase
    .route({ method: 'POST', path: '/v1/admin/mails', summary: 'A page of the mails that are queued or were sent' })
    .input(AdminMailsRequest)
    .output(listResult(MailRow)),
  resendMail: adminBase
    .route({ method: 'POST', path: '/v1/admin/resend-mail', summary: 'Send a failed mail again' })
    .input(z.strictObject({ mailId: z.uuid() }))
    .output(z.strictObject({ isQueued: z.boolean() })),
  mailSamples: adminBase
    .route({ method: 'POST', path: '/v1/admin/mail-samples', summary: 'Every kind of mail, with sample data' })
    .input(z.strictObject({}))
    .output(z.array(z.strictObject({ kind: z.string(), step: z.string(), subject: z.string(), text: z.string() }))),
};
