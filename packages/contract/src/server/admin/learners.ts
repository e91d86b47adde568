/** An admin's actions on learners. Numbers are shown, but never what a learner said. */
import { ENGLISH_LEVELS, PLAN_TYPES, SUBSCRIPTION_STATUSES } from '@parley/domain';
import { z } from 'zod';
import { isStorableText } from '../../storable.ts';
import { Email } from '../account.ts';
import { adminBase } from '../base.ts';
import { DeviceWipe } from '../devices.ts';
import { MailRow } from './mail.ts';

const UserId = z.uuid();
/** Stored in the audit log. */
export const AuditReason = z.string().trim().min(1).max(500).refine(isStorableText);
/** A longer list is sent in several calls. */
export const MAX_BULK_LEARNERS = 500;
const UserIds = z.array(UserId).min(1).max(MAX_BULK_LEARNERS);
const Name = z.string().trim().max(200).refine(isStorableText, 'The name contains characters that cannot be stored.');

/** One week of practice, beginning on Monday in the school's time zone. */
export const PracticeWeek = z.strictObject({
  /** For example `2026-11-23`. */
  start: z.string(),
  practices: z.number().int(),
  minutes: z.number(),
  /** The median; null when no practice was scored. */
  score: z.number().nullable(),
});

export const LearnerDetail = z.strictObject({
  userId: UserId,
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  jobTitle: z.string().nullable(),
  /** Its name. */
  industry: z.string().nullable(),
  englishLevel: z.enum(ENGLISH_LEVELS).nullable(),
  isAdmin: z.boolean(),
  hasAccess: z.boolean(),
  accessDate: z.iso.datetime().nullable(),
  waitingSince: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** Null if the learner has never signed in. */
  lastLoginAt: z.iso.datetime().nullable(),
  eraseAt: z.iso.datetime().nullable(),
  /** Null if the learner has never had a plan or a free week. */
  plan: z
    .strictObject({
      /** The learner's current plan; FREE once a paid plan has stopped. */
      inEffect: z.enum(PLAN_TYPES),
      /** The plan that was bought. */
      type: z.enum(PLAN_TYPES),
      status: z.enum(SUBSCRIPTION_STATUSES).nullable(),
      renewsAt: z.iso.datetime().nullable(),
      /** When it will end; null when it renews. */
      endsAt: z.iso.datetime().nullable(),
      /** When the learner or the school cancelled it, which is before it ends. */
      canceledAt: z.iso.datetime().nullable(),
      /** More than one only if it was changed at the payment provider: a plan is for one learner. */
      quantity: z.number().int().nullable(),
      /** When it ended. */
      endedAt: z.iso.datetime().nullable(),
      /** Until when the plan continues although a payment is late; null otherwise. */
      graceUntil: z.iso.datetime().nullable(),
      /** The plan that replaces it. */
      next: z.strictObject({ plan: z.enum(PLAN_TYPES), at: z.iso.datetime() }).nullable(),
    })
    .nullable(),
  practice: z.strictObject({
    finished: z.number().int(),
    minutes: z.number(),
    /** The median; null when no practice was scored. */
    score: z.number().nullable(),
    lastAt: z.iso.datetime().nullable(),
    /** Eight weeks, oldest first. */
    weeks: z.array(PracticeWeek),
  }),
  devices: z.array(
    z.strictObject({
      name: z.string(),
      platform: z.string(),
      createdAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
    }),
  ),
  /** Devices that the learner has signed out and told to delete their data; the newest request comes first. */
  wipes: z.array(DeviceWipe),
  /** Newest first, at most twenty. */
  mails: z.array(MailRow),
  emailNotifications: z.boolean(),
});
export type LearnerDetail = z.infer<typeof LearnerDetail>;

const BulkResult = z.strictObject({
  /** How many learners were changed; the others were already in that state. */
  changed: z.number().int(),
  /** Learners who no longer exist. */
  missing: z.number().int(),
});

export const Invitation = z.strictObject({
  email: Email,
  firstName: Name.nullable().default(null),
  lastName: Name.nullable().default(null),
});
export type Invitation = z.infer<typeof Invitation>;
export const MAX_INVITATIONS = 100;

export const learnersContract = {
  learner: adminBase
    .route({
      method: 'POST',
      path: '/v1/admin/learner',
      summary: 'A learner: plan, devices, mail and numbers of practice',
    })
    .input(z.strictObject({ userId: UserId }))
    .output(LearnerDetail),
  grantAccessToMany: adminBase
    .route({ method: 'POST', path: '/v1/admin/grant-access-to-many', summary: 'Let learners in, and write to them' })
    .input(z.strictObject({ userIds: UserIds, reason: AuditReason.optional() }))
    .output(BulkResult),
  revokeAccessOfMany: adminBase
    .route({ method: 'POST', path: '/v1/admin/revoke-access-of-many', summary: 'Take access away; nothing is deleted' })
    .input(z.strictObject({ userIds: UserIds, reason: AuditReason }))
    .output(BulkResult),
  /** Each invitation is stored with its message, so a failing mail server delays it but loses nothing. */
  invite: adminBase
    .route({ method: 'POST', path: '/v1/admin/invite', summary: 'Open accounts with access for these addresses' })
    .input(
      z.strictObject({ invitations: z.array(Invitation).min(1).max(MAX_INVITATIONS), reason: AuditReason.optional() }),
    )
    .output(
      z.strictObject({
        invited: z.number().int(),
        /** Addresses whose accounts already have access; nothing is sent to them. */
        hadAccess: z.array(z.string()),
      }),
    ),
  sendAccessLink: adminBase
    .route({ method: 'POST', path: '/v1/admin/send-access-link', summary: 'Send a new link to a learner with access' })
    .input(z.strictObject({ userId: UserId }))
    .output(z.strictObject({})),
  /** Allowed only while the learner has never signed in, because access to the mail of an address is access to its account. */
  correctAddress: adminBase
    .route({ method: 'POST', path: '/v1/admin/correct-address', summary: 'Correct an address that was never used' })
    .input(z.strictObject({ userId: UserId, email: Email }))
    .output(z.strictObject({})),
  requestLearnerDeletion: adminBase
    .route({ method: 'POST', path: '/v1/admin/request-deletion', summary: 'Erase a learner in thirty days' })
    .input(z.strictObject({ userId: UserId, reason: AuditReason }))
    .output(z.strictObject({})),
  withdrawLearnerDeletion: adminBase
    .route({ method: 'POST', path: '/v1/admin/withdraw-deletion', summary: 'Keep a learner after all' })
    .input(z.strictObject({ userId: UserId }))
    .output(z.strictObject({})),
};
