/** Serves the plans pages: all visitors may look, and signed-in learners may choose and pay at the provider. */
import { LearnerId } from '@parley/domain';
import type { FastifyInstance, FastifyReply, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import type { Access, AccountViewReader, WebSession } from '../account/index.ts';
import type { Billing } from '../billing/index.ts';
import { DomainError } from '../domain-error.ts';
import type { CsrfGuard } from './csrf-guard.ts';
import { redirectPage, PLAN_ACTIONS, plansPage } from './plan-pages.ts';
import { formBody, rateLimitedForm } from './form-body.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { PageLanguages, PageLocalizer } from './page-language.ts';
import { showPage } from './layout.ts';
import { PLANS_PATH } from './account-pages.ts';

export interface PlanRouteParts {
  gate: BrowserSessions;
  guard: CsrfGuard;
  access: Access;
  views: AccountViewReader;
  billing: Billing;
  isMetered: boolean;
  strict: RouteShorthandOptions;
  languages: PageLanguages;
}

/** Requires a scope that parses forms and renders errors as pages. */
export function addPlanPageRoutes(scope: FastifyInstance, parts: PlanRouteParts): void {
  const { gate, guard, access, views, billing, isMetered, strict, languages } = parts;

  scope.get(PLANS_PATH, async (request, reply) => {
    const session = await gate.readSession(request, reply);
    const offered = { ...(await billing.plans()), isMetered };
    const localizer = await languages.localize(request, reply, session);
    if (session === null) return showPage(reply, plansPage(localizer, offered, null));
    const account = await views.forUser(session.userId, localizer.timeZone);
    return showPage(
      reply,
      plansPage(localizer, offered, { account, token: guard.issueToken(request, reply, session) }),
    );
  });

  const act = (
    path: string,
    work: (
      userId: LearnerId,
      form: URLSearchParams,
      answer: { reply: FastifyReply; localizer: PageLocalizer },
    ) => Promise<unknown>,
  ) =>
    scope.post(path, rateLimitedForm('browser', strict), async (request, reply) => {
      const session: WebSession = await gate.requireWebSession(request, { admin: false });
      const form = formBody(request);
      guard.assertToken(request, { token: form.get('token'), session });
      return work(session.userId, form, { reply, localizer: await languages.localize(request, reply, session) });
    });
  act(PLAN_ACTIONS.choose, async (userId, form, answer) => {
    const price = z.uuid().safeParse(form.get('price'));
    if (!price.success) throw new DomainError('billing.not_offered');
    await access.require(userId);
    return redirectToProvider(answer, await billing.checkout(userId, price.data));
  });
  act(PLAN_ACTIONS.manage, async (userId, _form, answer) => redirectToProvider(answer, await billing.portal(userId)));
  act(PLAN_ACTIONS.startFreeWeek, async (userId, _form, { reply }) => {
    await access.require(userId);
    await billing.startTrial(userId);
    return reply.redirect(PLANS_PATH, 303);
  });
}

/** Redirects through a page with a refresh header, because the form policy forbids redirects to other sites. */
const redirectToProvider = (
  { reply, localizer }: { reply: FastifyReply; localizer: PageLocalizer },
  { url }: { url: string },
): Promise<FastifyReply> => showPage(reply.header('refresh', `0; url=${url}`), redirectPage(localizer, url));
