/** Serves the contract's admin procedures: each requires an admin and calls the feature. */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import type { Access, AdminQueries, Caller, Confirmation, Deletion } from '../../account/index.ts';
import type { Crashes } from '../../crashes/index.ts';
import { DomainError } from '../../domain-error.ts';
import { type Mail, previewMail, SAMPLE_MAILS } from '../../mail/index.ts';
import { localizerFor } from '../../localization/index.ts';
import type { PracticeReports } from '../../practice-reports/index.ts';
import type { School } from '../../school/index.ts';
import { createAuthenticateCaller, createRequireAdmin } from './admin-caller.ts';
import type { Admit, RequestContext } from './admission.ts';

export interface AdminRouteParts {
  admit: Admit;
  access: Access;
  confirmation: Confirmation;
  deletion: Deletion;
  administration: AdminQueries;
  school: School;
  /** Null when this server sends no e-mail. */
  mail: Pick<Mail, 'resend'> | null;
  crashes: Pick<Crashes, 'list' | 'receive'>;
  practiceReports: Pick<PracticeReports, 'close' | 'closeMany' | 'list' | 'receive'>;
}

type AdminRoutes = Router<(typeof serverContract)['admin'], RequestContext>;

/** The sender address in previews, which never leave the panel. */
const PREVIEW_FRAME = {
  origin: 'https://parley.example',
  unsubscribeUrl: null,
  localizer: localizerFor('en'),
} as const;

export function createAdminRoutes(parts: AdminRouteParts): AdminRoutes {
  const { admit, access, confirmation, deletion, administration, school, mail, crashes, practiceReports } = parts;
  const { secondFactor } = school;
  const { admin } = implement(serverContract).$context<RequestContext>();
  const authenticateCaller = createAuthenticateCaller(admit);
  const requireAdmin = createRequireAdmin({ ...parts, secondFactor });
  const requireAdminRole = async (context: RequestContext): Promise<Caller> => {
    const caller = await authenticateCaller(context);
    await access.requireAdmin(caller.userId);
    return caller;
  };

  return {
    requestProof: admin.requestProof.handler(async ({ context }) => {
      await confirmation.request(await requireAdminRole(context));
      return {};
    }),
    prove: admin.prove.handler(async ({ input, context }) => {
      await confirmation.confirm(await requireAdminRole(context), input.code);
      return {};
    }),
    overview: admin.overview.handler(async ({ context }) => school.readOverview((await requireAdmin(context)).userId)),
    home: admin.home.handler(async ({ context }) => {
      await requireAdmin(context);
      return school.readHome();
    }),
    numbers: admin.numbers.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.readNumbers(input.weeks);
    }),
    products: admin.products.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.listProducts(input);
    }),

    users: admin.users.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return administration.listUsers(input);
    }),
    learner: admin.learner.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.readLearner(input.userId);
    }),
    grantAccessToMany: admin.grantAccessToMany.handler(async ({ input: { userIds, reason = null }, context }) => {
      const { userId: actorId } = await requireAdmin(context);
      return forEachLearner(userIds, (subjectId) => access.grant({ actorId, subjectId, reason }));
    }),
    revokeAccessOfMany: admin.revokeAccessOfMany.handler(async ({ input: { userIds, reason }, context }) => {
      const { userId: actorId } = await requireAdmin(context);
      return forEachLearner(userIds, (subjectId) => access.revoke({ actorId, subjectId, reason }));
    }),
    invite: admin.invite.handler(async ({ input: { invitations, reason = null }, context }) =>
      school.invite({ actorId: (await requireAdmin(context)).userId, invitations, reason }),
    ),
    sendAccessLink: admin.sendAccessLink.handler(async ({ input, context }) => {
      await school.sendAccessLink({ actorId: (await requireAdmin(context)).userId, ...input });
      return {};
    }),
    correctAddress: admin.correctAddress.handler(async ({ input, context }) => {
      await school.correctAddress({ actorId: (await requireAdmin(context, { isSensitive: true })).userId, ...input });
      return {};
    }),
    requestLearnerDeletion: admin.requestLearnerDeletion.handler(async ({ input: { userId, reason }, context }) => {
      const { userId: actorId } = await requireAdmin(context, { isSensitive: true });
      await deletion.request(userId, { actorId, reason });
      return {};
    }),
    withdrawLearnerDeletion: admin.withdrawLearnerDeletion.handler(async ({ input, context }) => {
      const { userId: actorId } = await requireAdmin(context);
      await deletion.withdraw(input.userId, { actorId, reason: null });
      return {};
    }),
    setAdmin: admin.setAdmin.handler(async ({ input: { userId, isAdmin, reason }, context }) => {
      const caller = await requireAdmin(context, { isSensitive: true });
      await access.setAdmin({ actorId: caller.userId, subjectId: userId, isAdmin, reason });
      return {};
    }),

    classes: admin.classes.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.classes.list(input);
    }),
    schoolClass: admin.schoolClass.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.classes.read(input.classId);
    }),
    classMembers: admin.classMembers.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.classes.listMembers(input);
    }),
    createClass: admin.createClass.handler(async ({ input, context }) =>
      school.classes.create((await requireAdmin(context)).userId, input.name),
    ),
    changeClass: admin.changeClass.handler(async ({ input, context }) => {
      await school.classes.change((await requireAdmin(context)).userId, input);
      return {};
    }),
    addToClass: admin.addToClass.handler(async ({ input, context }) =>
      school.classes.add((await requireAdmin(context)).userId, input),
    ),
    removeFromClass: admin.removeFromClass.handler(async ({ input, context }) => {
      await school.classes.remove((await requireAdmin(context)).userId, input);
      return {};
    }),
    assignCourse: admin.assignCourse.handler(async ({ input, context }) => {
      await school.classes.assign((await requireAdmin(context)).userId, input);
      return {};
    }),
    withdrawCourse: admin.withdrawCourse.handler(async ({ input, context }) => {
      await school.classes.withdraw((await requireAdmin(context)).userId, input);
      return {};
    }),

    mails: admin.mails.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.listMails(input);
    }),
    resendMail: admin.resendMail.handler(async ({ input, context }) => {
      const { userId } = await requireAdmin(context);
      return { isQueued: mail !== null && (await mail.resend(input.mailId, userId)) };
    }),
    mailSamples: admin.mailSamples.handler(async ({ context }) => {
      await requireAdmin(context);
      const frame = { ...PREVIEW_FRAME, school: await school.readIdentity() };
      return Promise.all(
        SAMPLE_MAILS.map(async ({ kind, step }) => {
          const { subject, text } = await previewMail(kind, step, frame);
          return { kind, step, subject, text };
        }),
      );
    }),

    crashes: admin.crashes.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return crashes.list(input);
    }),

    closePracticeReport: admin.closePracticeReport.handler(async ({ input, context }) => {
      await practiceReports.close((await requireAdmin(context)).userId, input.reportId);
      return {};
    }),
    closePracticeReports: admin.closePracticeReports.handler(async ({ input, context }) => {
      await practiceReports.closeMany((await requireAdmin(context)).userId, input.reportIds);
      return {};
    }),
    practiceReports: admin.practiceReports.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return practiceReports.list(input);
    }),

    audit: admin.audit.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return administration.listAuditEntries(input);
    }),
    settings: admin.settings.handler(async ({ context }) => {
      const { userId } = await requireAdmin(context);
      const { logo } = await school.readIdentity();
      return { settings: await school.readSettings(), logo, hasSecondFactor: await secondFactor.has(userId) };
    }),
    saveSettings: admin.saveSettings.handler(async ({ input, context }) => {
      const { requiresSecondFactor } = await school.readSettings();
      const isSensitive = (input.requiresSecondFactor ?? requiresSecondFactor) !== requiresSecondFactor;
      const { userId: actorId } = await requireAdmin(context, { isSensitive });
      // The school must not lock out the admin who makes this decision.
      if (input.requiresSecondFactor === true && !(await secondFactor.has(actorId)))
        throw new DomainError('auth.second_factor_required', { detail: 'set_up' });
      await school.saveSettings({ actorId, change: input });
      return {};
    }),
    saveLogo: admin.saveLogo.handler(async ({ input, context }) => ({
      logo: await school.saveLogo({ actorId: (await requireAdmin(context)).userId, picture: input.picture }),
    })),
    siteTexts: admin.siteTexts.handler(async ({ context }) => {
      await requireAdmin(context);
      return { texts: await school.siteTexts.list() };
    }),
    siteText: admin.siteText.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return school.siteTexts.read(input);
    }),
    saveSiteText: admin.saveSiteText.handler(async ({ input, context }) =>
      school.siteTexts.save({ actorId: (await requireAdmin(context)).userId, ...input }),
    ),
    takeBackSiteText: admin.takeBackSiteText.handler(async ({ input, context }) =>
      school.siteTexts.takeBack({ actorId: (await requireAdmin(context)).userId, ...input }),
    ),
    setUpSecondFactor: admin.setUpSecondFactor.handler(async ({ context }) => {
      const { userId } = await requireAdmin(context, { isSensitive: true, entersSecondFactor: true });
      return secondFactor.setUp(userId, (await school.readLearner(userId)).email ?? userId);
    }),
    confirmSecondFactor: admin.confirmSecondFactor.handler(async ({ input, context }) => {
      await secondFactor.enter(await requireAdmin(context, { entersSecondFactor: true }), input.code, 'confirm');
      return {};
    }),
    enterSecondFactor: admin.enterSecondFactor.handler(async ({ input, context }) => {
      await secondFactor.enter(await requireAdmin(context, { entersSecondFactor: true }), input.code, 'enter');
      return {};
    }),
    removeSecondFactor: admin.removeSecondFactor.handler(async ({ context }) => {
      await secondFactor.remove(await requireAdmin(context, { isSensitive: true }));
      return {};
    }),
  };
}

/** One learner at a time, because each change is a transaction of its own. */
async function forEachLearner(
  userIds: readonly string[],
  change: (userId: string) => Promise<void>,
): Promise<{ changed: number; missing: number }> {
  let changed = 0;
  let missing = 0;
  for (const userId of new Set(userIds))
    try {
      await change(userId);
      changed += 1;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'request.invalid') throw error;
      missing += 1;
    }
  return { changed, missing };
}
