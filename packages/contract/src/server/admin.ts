/** What admins do: every call looks up anew whether its caller is one, by a device's bearer token or a browser's session. */
import { z } from 'zod';
import { serverBase } from './base.ts';

const UserId = z.uuid();
const Page = z.number().int().min(0).max(100_000);
/** Read again by whoever asks why. */
const Reason = z.string().trim().min(1).max(500);

const AdminUser = z.strictObject({
  userId: UserId,
  /** Null: an account of devices alone. */
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  hasAccess: z.boolean(),
  /** Set without access: it was taken away. */
  accessDate: z.iso.datetime().nullable(),
  waitingSince: z.iso.datetime().nullable(),
  isAdmin: z.boolean(),
  createdAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime().nullable(),
});

const AuditEntry = z.strictObject({
  id: z.uuid(),
  at: z.iso.datetime(),
  /** Null: the server itself. */
  actorId: z.uuid().nullable(),
  subjectId: z.uuid(),
  act: z.string(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const AdminUsersPage = z.strictObject({ total: z.number().int().min(0), users: z.array(AdminUser) });
export type AdminUsers = z.infer<typeof AdminUsersPage>;
const AdminAuditPage = z.strictObject({ total: z.number().int().min(0), entries: z.array(AuditEntry) });
export type AdminAudit = z.infer<typeof AdminAuditPage>;

export const adminServerContract = {
  users: serverBase
    .route({ method: 'POST', path: '/v1/admin/users', summary: 'Learners, the newest first, fifty a page' })
    .input(
      z.strictObject({ search: z.string().max(200).optional(), only: z.literal('waiting').optional(), page: Page }),
    )
    .output(AdminUsersPage),
  audit: serverBase
    .route({ method: 'POST', path: '/v1/admin/audit', summary: 'What was decided, the newest first, fifty a page' })
    .input(z.strictObject({ userId: UserId.optional(), page: Page }))
    .output(AdminAuditPage),
  grantAccess: serverBase
    .route({ method: 'POST', path: '/v1/admin/grant-access', summary: 'Let a learner in, and write to them' })
    .input(z.strictObject({ userId: UserId, reason: Reason.optional() }))
    .output(z.strictObject({})),
  revokeAccess: serverBase
    .route({ method: 'POST', path: '/v1/admin/revoke-access', summary: 'Take access away; nothing is deleted' })
    .input(z.strictObject({ userId: UserId, reason: Reason }))
    .output(z.strictObject({})),
  setAdmin: serverBase
    .route({ method: 'POST', path: '/v1/admin/set-admin', summary: 'Make an admin, or make one a learner again' })
    .input(z.strictObject({ userId: UserId, isAdmin: z.boolean(), reason: Reason }))
    .output(z.strictObject({})),
};
