/** The plans in a browser: everybody may look, whoever is signed in chooses, and pays at the provider's own pages. */
import { LearnerId } from '@parley/domain';
import type { FastifyInstance, FastifyReply, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import type { Access, AccountViews, WebSession } from '../account/index.ts';
import type { Billing } from '../billing/index.ts';
import { failure } from '../failure.ts';
import type { FormGuard } from './form-guard.ts';
import { leadingPage, PLAN_ACTS, plansPage } from './plan-pages.ts';
import { formOf, strictForm } from './web-form.ts';
import type { WebGate } from './web-gate.ts';
import { showPage } from './web-layout.ts';
import { PAGE_TIME_ZONE, PLANS_PATH } from './web-pages.ts';

export interface PlanRouteParts {
  gate: WebGate;
  guard: FormGuard;
  access: Access;
  views: AccountViews;
  billing: Billing;
  strict: RouteShorthandOptions;
}

/** In a scope that reads forms, and shows what fails as a page. */
export function addPlanPages(scope: FastifyInstance, parts: PlanRouteParts): void {
  const { gate, guard, access, views, billing, strict } = parts;

  scope.get(PLANS_PATH, async (request, reply) => {
    const session = await gate.session(request, reply);
    const offered = await billing.plans();
    if (session === null) return showPage(reply, plansPage(offered, null));
    const account = await views.of(session.userId, PAGE_TIME_ZONE);
    return showPage(reply, plansPage(offered, { account, token: guard.tokenFor(request, reply, session) }));
  });

  const act = (
    path: string,
    work: (userId: LearnerId, form: URLSearchParams, reply: FastifyReply) => Promise<unknown>,
  ) =>
    scope.post(path, strictForm('browser', strict), async (request, reply) => {
      const session: WebSession = await gate.requireWebSession(request, { admin: false });
      const form = formOf(request);
      guard.check(request, { token: form.get('token'), session });
      return work(session.userId, form, reply);
    });
  act(PLAN_ACTS.choose, async (userId, form, reply) => {
    const price = z.uuid().safeParse(form.get('price'));
    if (!price.success) throw failure('billing.not_offered');
    await access.require(userId);
    return lead(reply, await billing.checkout(userId, price.data));
  });
  act(PLAN_ACTS.manage, async (userId, _form, reply) => lead(reply, await billing.portal(userId)));
  act(PLAN_ACTS.startFreeWeek, async (userId, _form, reply) => {
    await access.require(userId);
    await billing.startTrial(userId);
    return reply.redirect(PLANS_PATH, 303);
  });
}

/** By a header: a form of ours may lead to our own pages alone, and so may what answers it. */
const lead = (reply: FastifyReply, { url }: { url: string }): FastifyReply =>
  showPage(reply.header('refresh', `0; url=${url}`), leadingPage(url));
