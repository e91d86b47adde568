/** Serves the sign-in and account pages: GET changes nothing, and every change is a form of our own page. */
import { AccountView, Email, SignInLink } from '@parley/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Localizer } from '@parley/i18n';
import { z } from 'zod';
import {
  type Access,
  type AccountViewReader,
  type Confirmation,
  CONFIRMATION_LIFETIME_MS,
  type Deletion,
  type RequesterIdentifier,
  type SignIn,
  type SignInEmails,
  type SignOut,
  type WebSession,
  type WebSessions,
} from '../account/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../domain-error.ts';
import { addConfirmationPages, confirmationRequestPage, sessionCaller, type Step } from './confirmation-pages.ts';
import { toErrorResponse, type ErrorResponse } from '../http/errors/error-response.ts';
import { reportBug } from '../http/errors/report-bug.ts';
import { type Exporter, WITHOUT_HEAD } from '../http/routes/export-route.ts';
import type { CsrfGuard } from './csrf-guard.ts';
import { addPlanPageRoutes } from './plan-page-routes.ts';
import { formBody, registerFormParser, rateLimitedForm } from './form-body.ts';
import type { School } from '../school/index.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { showPage } from './layout.ts';
import type { PageLanguages } from './page-language.ts';
import * as pages from './account-pages.ts';

export interface WebRouteParts {
  db: Database;
  now: () => Date;
  exporter: Exporter;
  gate: BrowserSessions;
  guard: CsrfGuard;
  webSessions: WebSessions;
  signInEmails: SignInEmails;
  requesters: RequesterIdentifier;
  signIn: SignIn;
  signOut: SignOut;
  access: Access;
  confirmation: Confirmation;
  deletion: Deletion;
  views: AccountViewReader;
  billing: Billing;
  isMetered: boolean;
  school: Pick<School, 'isMailWritten'>;
  /** Rate limit of the routes that issue or accept secrets. */
  strict: RouteShorthandOptions;
  languages: PageLanguages;
}

const LinkQuery = z.object({ link: SignInLink });

export function addPageRoutes(app: FastifyInstance, parts: WebRouteParts): void {
  void app.register(async (scope) => {
    await registerFormParser(scope);
    scope.setErrorHandler(async (error, request, reply) => {
      const { status, body, isBug } = toErrorResponse(error, request.id);
      if (isBug) reportBug(error, request, reply);
      const localizer = await parts.languages.localize(request, reply);
      if (body.code === 'auth.required') return reply.redirect(pages.SIGN_IN_PATH, 303);
      return showPage(reply, pages.errorPage(localizer, errorSentence(localizer, body, status)), status);
    });
    addSignInPages(scope, parts);
    addAccountPages(scope, parts);
    addPlanPageRoutes(scope, parts);
    addConfirmationPages(scope, parts);
  });
}

function addSignInPages(scope: FastifyInstance, parts: WebRouteParts) {
  const { gate, guard, webSessions, signInEmails, requesters, signIn, school, strict, languages } = parts;
  const token = (request: FastifyRequest, reply: FastifyReply): string => guard.issueToken(request, reply, null);

  scope.get(pages.SIGN_IN_PATH, async (request, reply) => {
    const localizer = await languages.localize(request, reply);
    const asked = LinkQuery.safeParse(request.query);
    if (!asked.success) return showPage(reply, pages.addressPage(localizer, { token: token(request, reply) }));
    const { link } = asked.data;
    const email = await signInEmails.readEmailOfLink(link);
    if (email === null) return showPage(reply, pages.usedLinkPage(localizer, { token: token(request, reply) }), 410);
    return showPage(reply, pages.linkPage(localizer, { email, link, token: token(request, reply) }));
  });

  scope.post(pages.SIGN_IN_PATH, rateLimitedForm('anyone', strict), async (request, reply) => {
    const form = formBody(request);
    guard.assertToken(request, { token: form.get('token'), session: null });
    const link = SignInLink.safeParse(form.get('link'));
    if (!link.success) throw new DomainError('sign_in.link_spent');
    const { language } = await languages.localize(request, reply);
    const browser = { userAgent: request.headers['user-agent'], former: gate.readSessionCookie(request), language };
    const { session, email } = await signIn.signInBrowser(link.data, (tx, signedIn) =>
      webSessions.open(tx, { ...signedIn, ...browser }),
    );
    gate.setSessionCookie(reply, session);
    gate.setBrowserMark(reply, requesters.createBrowserMark(email));
    return reply.redirect(pages.ACCOUNT_PATH, 303);
  });

  scope.post(pages.REQUEST_PATH, rateLimitedForm('anyone', strict), async (request, reply) => {
    const form = formBody(request);
    guard.assertToken(request, { token: form.get('token'), session: null });
    const email = Email.safeParse(form.get('email'));
    if (!email.success) throw new DomainError('request.invalid', { field: 'email' });
    const mark = gate.readBrowserMark(request);
    const localizer = await languages.localize(request, reply);
    const { isNetworkLimited } = await signIn.request({
      email: email.data,
      address: request.ip,
      device: null,
      knownBrowserMark: mark,
      language: localizer.language,
      request: 'browser',
    });
    return showPage(reply, pages.sentPage(localizer, { isNetworkLimited, isMailWritten: school.isMailWritten }));
  });
}

function addAccountPages(scope: FastifyInstance, parts: WebRouteParts): void {
  const { now, exporter, gate, guard, webSessions, signOut, access, confirmation, deletion, views, languages } = parts;
  const isRecentlyConfirmed = (session: WebSession): Promise<boolean> =>
    confirmation.isConfirmed(sessionCaller(session), CONFIRMATION_LIFETIME_MS);
  const askForConfirmation = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { session, step }: { session: WebSession; step: Step },
  ): Promise<FastifyReply> => {
    const localizer = await languages.localize(request, reply, session);
    const token = guard.issueToken(request, reply, session);
    return showPage(reply, confirmationRequestPage(localizer, { step, token }), 403);
  };

  scope.get(pages.ACCOUNT_PATH, async (request, reply) => {
    const session = await gate.requireWebSession(request, { admin: false, reply });
    const localizer = await languages.localize(request, reply, session);
    const account: AccountView = await views.forUser(session.userId, localizer.timeZone);
    const token = guard.issueToken(request, reply, session);
    return showPage(reply, pages.accountPage(localizer, { account, token, now: now() }));
  });

  for (const type of ['json', 'zip'] as const)
    scope.get(pages.EXPORT_PATHS[type], { ...parts.strict, ...WITHOUT_HEAD }, async (request, reply) => {
      const session = await gate.requireWebSession(request, { admin: false, reply });
      if (!(await isRecentlyConfirmed(session))) return askForConfirmation(request, reply, { session, step: type });
      return exporter.send(request, reply, { userId: session.userId, type });
    });

  const addAction = (
    path: string,
    work: (session: WebSession, reply: FastifyReply) => Promise<void>,
    then: string = pages.ACCOUNT_PATH,
  ): void => {
    scope.post(path, rateLimitedForm('browser', parts.strict), async (request, reply) => {
      const session = await gate.requireWebSession(request, { admin: false });
      guard.assertToken(request, { token: formBody(request).get('token'), session });
      await work(session, reply);
      return reply.redirect(then, 303);
    });
  };
  const { signOut: leave, signOutEverywhere, requestAccess, requestDeletion, withdrawDeletion } = pages.ACCOUNT_ACTIONS;
  const signOutUsing =
    (close: (session: WebSession) => Promise<void>) =>
    async (session: WebSession, reply: FastifyReply): Promise<void> => {
      await close(session);
      gate.clearSessionCookie(reply);
    };
  addAction(leave, signOutUsing(webSessions.close), pages.SIGN_IN_PATH);
  addAction(
    signOutEverywhere,
    signOutUsing(({ userId }) => signOut.signOutEverywhere(userId)),
    pages.SIGN_IN_PATH,
  );
  addAction(requestAccess, ({ userId }) => access.request(userId));
  scope.post(requestDeletion, rateLimitedForm('browser', parts.strict), async (request, reply) => {
    const session = await gate.requireWebSession(request, { admin: false });
    guard.assertToken(request, { token: formBody(request).get('token'), session });
    if (!(await isRecentlyConfirmed(session))) return askForConfirmation(request, reply, { session, step: 'delete' });
    await deletion.request(session.userId);
    return reply.redirect(pages.ACCOUNT_PATH, 303);
  });
  addAction(withdrawDeletion, ({ userId }) => deletion.withdraw(userId));
}

function errorSentence({ t }: Localizer, { code }: ErrorResponse['body'], status: number): string {
  switch (code) {
    case 'account.last_admin':
      return t(
        'You’re the only admin of this server. Add another address to its ADMIN_EMAILS. Once that admin has signed in, you can delete your account.',
      );
    case 'account.leaving':
      return t('This account is about to be deleted. Keep it first, then choose or change a plan.');
    case 'access.required':
      return t('You don’t have access yet. Once your request is approved, you can choose a plan.');
    case 'access.taken':
      return t('Your access has ended, so you can’t choose a plan.');
    case 'billing.not_offered':
      return t('This plan is no longer offered. Choose another one.');
    case 'billing.already_subscribed':
      return t('You already have a plan. To change it, choose “Manage my plan”.');
    case 'billing.trial_used':
      return t('This account has already had its free week.');
    case 'billing.other_currency':
      return t(
        'During the free week, you can’t choose a price in this currency. Choose one in another currency, or wait until the week has ended.',
      );
    case 'billing.unavailable':
      return t('We can’t reach the payment service. You haven’t been charged. Try again in a few minutes.');
    default:
      return statusSentence(t, status);
  }
}

function statusSentence(t: Localizer['t'], status: number): string {
  switch (status) {
    case 400:
      return t('Something was missing or mistyped. Check your e-mail address, and try again.');
    case 403:
      return t('This page has been open too long, or the request came from another site. Open it again.');
    case 410:
      return t('This link was already used, or it has expired. Ask for a new one.');
    case 413:
      return t('That was too long. Shorten it, and try again.');
    case 429:
      return t('Too many tries at once. Wait a minute, then try again.');
    default:
      return t('Something went wrong on our side. Nothing is lost: try again in a moment.');
  }
}
