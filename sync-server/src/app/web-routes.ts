/** The pages of signing in and of an account, for browsers: what is seen by `GET` changes nothing, what changes is a form of our own page. */
import { AccountView, Email, SignInLink } from '@parley/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import {
  type Access,
  type AccountViews,
  type Confirmation,
  FRESH_FOR_MS,
  type Deletion,
  type Requesters,
  type SignIn,
  type SignInMessages,
  type SignOut,
  type WebSession,
  type WebSessions,
} from '../account/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Database } from '../db/client.ts';
import { failure } from '../failure.ts';
import { addConfirmPages, askPage, callerOf, type Step } from './confirm-pages.ts';
import { answerError, type ErrorAnswer } from './error-policy.ts';
import { sendExport } from './export-route.ts';
import type { FormGuard } from './form-guard.ts';
import { addPlanPages } from './plan-routes.ts';
import { formOf, readForms, strictForm } from './web-form.ts';
import type { WebGate } from './web-gate.ts';
import { showPage } from './web-layout.ts';
import * as pages from './web-pages.ts';

export interface WebRouteParts {
  db: Database;
  now: () => Date;
  gate: WebGate;
  guard: FormGuard;
  webSessions: WebSessions;
  messages: SignInMessages;
  requesters: Requesters;
  signIn: SignIn;
  signOut: SignOut;
  access: Access;
  confirmation: Confirmation;
  deletion: Deletion;
  views: AccountViews;
  billing: Billing;
  /** Of the calls that hand out or take secrets. */
  strict: RouteShorthandOptions;
}

const LinkQuery = z.object({ link: SignInLink });

export function addWebRoutes(app: FastifyInstance, parts: WebRouteParts): void {
  void app.register(async (scope) => {
    readForms(scope);
    scope.setErrorHandler((error, request, reply) => {
      const { status, body, isBug } = answerError(error, request.id);
      if (isBug) request.log.error({ err: error }, 'a page failed');
      if (body.code === 'auth.required') return reply.redirect(pages.SIGN_IN_PATH, 303);
      return showPage(reply, pages.troublePage(sentenceOf(body, status)), status);
    });
    addSignInPages(scope, parts);
    addAccountPages(scope, parts);
    addPlanPages(scope, parts);
    addConfirmPages(scope, parts);
    scope.get(pages.HOME_PATH, (_request, reply) => showPage(reply, pages.homePage()));
  });
}

function addSignInPages(scope: FastifyInstance, parts: WebRouteParts) {
  const { gate, guard, webSessions, messages, requesters, signIn, strict } = parts;
  const token = (request: FastifyRequest, reply: FastifyReply): string => guard.tokenFor(request, reply, null);

  scope.get(pages.SIGN_IN_PATH, async (request, reply) => {
    const asked = LinkQuery.safeParse(request.query);
    if (!asked.success) return showPage(reply, pages.addressPage({ token: token(request, reply) }));
    const { link } = asked.data;
    const email = await messages.whoseLink(link);
    if (email === null) return showPage(reply, pages.spentLinkPage({ token: token(request, reply) }), 410);
    return showPage(reply, pages.linkPage({ email, link, token: token(request, reply) }));
  });

  scope.post(pages.SIGN_IN_PATH, strictForm('anyone', strict), async (request, reply) => {
    const form = formOf(request);
    guard.check(request, { token: form.get('token'), session: null });
    const link = SignInLink.safeParse(form.get('link'));
    if (!link.success) throw failure('sign_in.link_spent');
    const browser = { userAgent: request.headers['user-agent'], former: gate.cookieOf(request) };
    const { session, email } = await signIn.inBrowser(link.data, (tx, userId) =>
      webSessions.open(tx, { userId, ...browser }),
    );
    gate.handOut(reply, session);
    gate.handOutMark(reply, requesters.markFor(email));
    return reply.redirect(pages.ACCOUNT_PATH, 303);
  });

  scope.post(pages.REQUEST_PATH, strictForm('anyone', strict), async (request, reply) => {
    const form = formOf(request);
    guard.check(request, { token: form.get('token'), session: null });
    const email = Email.safeParse(form.get('email'));
    if (!email.success) throw failure('request.invalid', { field: 'email' });
    const mark = gate.markOf(request);
    await signIn.request({ email: email.data, address: request.ip, device: null, mark, request: 'browser' });
    return showPage(reply, pages.sentPage());
  });
}

function addAccountPages(scope: FastifyInstance, parts: WebRouteParts): void {
  const { db, now, gate, guard, webSessions, signOut, access, confirmation, deletion, views } = parts;
  const isFresh = (session: WebSession): Promise<boolean> => confirmation.isConfirmed(callerOf(session), FRESH_FOR_MS);
  const askFirst = (
    request: FastifyRequest,
    reply: FastifyReply,
    { session, step }: { session: WebSession; step: Step },
  ): FastifyReply => showPage(reply, askPage({ step, token: guard.tokenFor(request, reply, session) }), 403);

  scope.get(pages.ACCOUNT_PATH, async (request, reply) => {
    const session = await gate.requireWebSession(request, { admin: false, reply });
    const account: AccountView = await views.of(session.userId, pages.PAGE_TIME_ZONE);
    return showPage(reply, pages.accountPage({ account, token: guard.tokenFor(request, reply, session), now: now() }));
  });

  for (const type of ['json', 'zip'] as const)
    scope.get(pages.EXPORT_PATHS[type], async (request, reply) => {
      const session = await gate.requireWebSession(request, { admin: false, reply });
      if (!(await isFresh(session))) return askFirst(request, reply, { session, step: type });
      return sendExport(reply, { db, now, userId: session.userId, type });
    });

  const act = (
    path: string,
    work: (session: WebSession, reply: FastifyReply) => Promise<void>,
    then: string = pages.ACCOUNT_PATH,
  ): void => {
    scope.post(path, strictForm('browser', parts.strict), async (request, reply) => {
      const session = await gate.requireWebSession(request, { admin: false });
      guard.check(request, { token: formOf(request).get('token'), session });
      await work(session, reply);
      return reply.redirect(then, 303);
    });
  };
  const { signOut: leave, signOutEverywhere, requestAccess, requestDeletion, withdrawDeletion } = pages.ACCOUNT_ACTS;
  const signOutBy =
    (close: (session: WebSession) => Promise<void>) =>
    async (session: WebSession, reply: FastifyReply): Promise<void> => {
      await close(session);
      gate.forget(reply);
    };
  act(leave, signOutBy(webSessions.close), pages.SIGN_IN_PATH);
  act(
    signOutEverywhere,
    signOutBy(({ userId }) => signOut.everywhere(userId)),
    pages.SIGN_IN_PATH,
  );
  act(requestAccess, ({ userId }) => access.request(userId));
  scope.post(requestDeletion, strictForm('browser', parts.strict), async (request, reply) => {
    const session = await gate.requireWebSession(request, { admin: false });
    guard.check(request, { token: formOf(request).get('token'), session });
    if (!(await isFresh(session))) return askFirst(request, reply, { session, step: 'delete' });
    await deletion.request(session.userId);
    return reply.redirect(pages.ACCOUNT_PATH, 303);
  });
  act(withdrawDeletion, ({ userId }) => deletion.withdraw(userId));
}

const sentenceOf = ({ code }: ErrorAnswer['body'], status: number): string =>
  SENTENCE_BY_CODE[code] ?? SENTENCE_BY_STATUS[status] ?? SENTENCE_OF_ALL;

const SENTENCE_BY_CODE: Readonly<Partial<Record<string, string>>> = {
  'account.last_admin':
    'You are the only admin of this server. Name another one in its ADMIN_EMAILS; when they have signed in, you can leave.',
  'account.leaving': 'This account is about to be erased. Keep it first: then you can choose a plan.',
  'access.required': 'You have not been let in yet. As soon as you are, you can choose a plan.',
  'access.taken': 'Your access was taken away, so you cannot choose a plan.',
  'billing.not_offered': 'This plan is not offered any more. Choose another one.',
  'billing.already_subscribed': 'You have a plan already. To change it, press “Manage my plan”.',
  'billing.trial_used': 'This account has had its free week.',
  'billing.unavailable': 'The payment service cannot be reached. Nothing was charged; try again in a few minutes.',
};
const SENTENCE_OF_ALL = 'Something went wrong on our side. Try again in a moment.';
const SENTENCE_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'That was not complete. Look at the address that you typed, and try again.',
  403: 'The page was open for too long, or the request did not come from it. Open it again.',
  410: 'This link was used already, or it is too old. Ask for a new one.',
  413: 'That was too much at once.',
  429: 'That was too often. Wait a minute and try again.',
};
