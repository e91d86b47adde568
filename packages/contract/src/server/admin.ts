/** The admin API. Every call checks again that its caller is an admin, by a device's bearer token or a browser's session. */
import { z } from 'zod';
import { StorableTime } from '../storable.ts';
import { adminBase } from './base.ts';
import { listRequest, listResult, SearchText } from './admin/list.ts';
import { classesContract } from './admin/classes.ts';
import { crashesContract } from './admin/crashes.ts';
import { AuditReason, learnersContract } from './admin/learners.ts';
import { mailContract } from './admin/mail.ts';
import { numbersContract } from './admin/numbers.ts';
import { overviewContract } from './admin/overview.ts';
import { practiceReportsContract } from './admin/practice-reports.ts';
import { settingsContract } from './admin/settings.ts';
import { siteTextsContract } from './admin/site-texts.ts';

const UserId = z.uuid();

const AdminUser = z.strictObject({
  userId: UserId,
  /** Null for an anonymous account. */
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  hasAccess: z.boolean(),
  /** Set without access when access was revoked. */
  accessDate: z.iso.datetime().nullable(),
  waitingSince: z.iso.datetime().nullable(),
  isAdmin: z.boolean(),
  createdAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime().nullable(),
});

const AuditedState = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const AuditEntry = z.strictObject({
  id: z.uuid(),
  at: z.iso.datetime(),
  /** Null when the server itself acted. */
  actorId: z.uuid().nullable(),
  /** The address of the admin who acted; null when the server acted or the account was erased. */
  actor: z.string().nullable(),
  /** `learner`, `class`, `settings`, `mail` or `content`. */
  subjectKind: z.string(),
  subjectId: z.uuid(),
  /** The address of the learner concerned, if it is one and still exists. */
  subject: z.string().nullable(),
  act: z.string(),
  reason: z.string().nullable(),
  details: AuditedState,
  before: AuditedState.nullable(),
  after: AuditedState.nullable(),
});

export const LEARNER_SORTS = ['createdAt', 'email', 'lastName', 'lastLoginAt'] as const;
const AdminUsersRequest = listRequest(LEARNER_SORTS).extend({
  only: z.enum(['waiting', 'with_access', 'without_access', 'admins']).optional(),
});
export type AdminUsersRequest = z.infer<typeof AdminUsersRequest>;
const AdminUsersPage = listResult(AdminUser);
export type AdminUsers = z.infer<typeof AdminUsersPage>;

const AdminAuditRequest = listRequest(['at']).extend({
  // Newest entries first.
  direction: z.enum(['asc', 'desc']).default('desc'),
  userId: UserId.optional(),
  actorId: UserId.optional(),
  /** Part of the name or address of the person who acted, or of the one who was affected. */
  actor: SearchText,
  person: SearchText,
  act: z.string().max(60).optional(),
  from: StorableTime.optional(),
  until: StorableTime.optional(),
});
export type AdminAuditRequest = z.infer<typeof AdminAuditRequest>;
const AdminAuditPage = listResult(AuditEntry);
export type AdminAudit = z.infer<typeof AdminAuditPage>;

export const adminServerContract = {
  ...overviewContract,
  ...practiceReportsContract,
  ...learnersContract,
  ...classesContract,
  ...crashesContract,
  ...mailContract,
  ...numbersContract,
  ...settingsContract,
  ...siteTextsContract,
  users: adminBase
    .route({ method: 'POST', path: '/v1/admin/users', summary: 'A page of the learners' })
    .input(AdminUsersRequest)
    .output(AdminUsersPage),
  audit: adminBase
    .route({ method: 'POST', path: '/v1/admin/audit', summary: 'A page of what was decided, the newest first' })
    .input(AdminAuditRequest)
    .output(AdminAuditPage),
  setAdmin: adminBase
    .route({ method: 'POST', path: '/v1/admin/set-admin', summary: 'Make an admin, or make one a learner again' })
    .input(z.strictObject({ userId: UserId, isAdmin: z.boolean(), reason: AuditReason }))
    .output(z.strictObject({})),
};
