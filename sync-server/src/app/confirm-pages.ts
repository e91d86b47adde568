/** Step-up in a browser: a code from the account's own e-mails, before what cannot be undone; then it goes on by itself. */
import { SignInCode } from '@parley/contract';
import { ORPCError } from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import type { Confirmation, Deletion, WebSession } from '../account/index.ts';
import { failure } from '../failure.ts';
import type { FormGuard } from './form-guard.ts';
import { html } from './html.ts';
import { formOf, strictForm } from './web-form.ts';
import type { WebGate } from './web-gate.ts';
import { page, showPage } from './web-layout.ts';
import { ACCOUNT_PATH, button, EXPORT_PATHS } from './web-pages.ts';

export const CONFIRM_ACTS = { request: '/account/request-confirmation', confirm: '/account/confirm' } as const;

/** What is gone on with when the code was right. */
const Step = z.enum(['delete', 'json', 'zip']);
export type Step = z.infer<typeof Step>;

const PURPOSES: Readonly<Record<Step, string>> = {
  delete: 'delete your account',
  json: 'download everything that this server holds of you',
  zip: 'download everything that this server holds of you',
};

export interface ConfirmPageParts {
  gate: WebGate;
  guard: FormGuard;
  confirmation: Confirmation;
  deletion: Deletion;
  strict: RouteShorthandOptions;
}

export const callerOf = ({ id, userId }: WebSession) => ({ userId, sessionId: id });

/** By `GET` nothing is sent yet: a link on another site could lead here. */
export const askPage = ({ step, token }: { step: Step; token: string }): string =>
  page(
    'Is it you?',
    html`<p>To ${PURPOSES[step]}, enter a code that we send to your e-mail address.</p>
      ${button({ act: CONFIRM_ACTS.request, token, label: 'Send me a code', fields: { step } })}
      <p><a href="${ACCOUNT_PATH}">Back to your account</a></p>`,
  );

const codePage = ({ step, token, isWrong }: { step: Step; token: string; isWrong: boolean }): string =>
  page(
    'Enter the code',
    html`${isWrong ? html`<p>That code is wrong, was used, or is older than fifteen minutes.</p>` : null}
      <p>We have sent a message with six digits to your e-mail address. Enter them to ${PURPOSES[step]}.</p>
      <form method="post" action="${CONFIRM_ACTS.confirm}">
        <input type="hidden" name="token" value="${token}" /><input type="hidden" name="step" value="${step}" />
        <label for="code">Code</label>
        <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12" />
        <button>Continue</button>
      </form>
      ${button({ act: CONFIRM_ACTS.request, token, label: 'Send another code', isSecond: true, fields: { step } })}
      <p><a href="${ACCOUNT_PATH}">Back to your account</a></p>`,
  );

/** In a scope that reads forms, and shows what fails as a page. */
export function addConfirmPages(scope: FastifyInstance, parts: ConfirmPageParts): void {
  const { gate, guard, confirmation, deletion, strict } = parts;

  const readForm = async (
    request: FastifyRequest,
  ): Promise<{ session: WebSession; form: URLSearchParams; step: Step }> => {
    const session = await gate.requireWebSession(request, { admin: false });
    const form = formOf(request);
    guard.check(request, { token: form.get('token'), session });
    const step = Step.safeParse(form.get('step'));
    if (!step.success) throw failure('request.invalid', { field: 'step' });
    return { session, form, step: step.data };
  };
  const showCode = (
    request: FastifyRequest,
    reply: FastifyReply,
    { session, step, isWrong }: { session: WebSession; step: Step; isWrong: boolean },
  ): FastifyReply =>
    showPage(reply, codePage({ step, isWrong, token: guard.tokenFor(request, reply, session) }), isWrong ? 401 : 200);

  scope.post(CONFIRM_ACTS.request, strictForm('browser', strict), async (request, reply) => {
    const { session, step } = await readForm(request);
    await confirmation.request(callerOf(session));
    return showCode(request, reply, { session, step, isWrong: false });
  });

  scope.post(CONFIRM_ACTS.confirm, strictForm('browser', strict), async (request, reply) => {
    const { session, form, step } = await readForm(request);
    const code = SignInCode.safeParse((form.get('code') ?? '').replaceAll(/\s/g, ''));
    if (!code.success || !(await isRight(confirmation, session, code.data)))
      return showCode(request, reply, { session, step, isWrong: true });
    if (step !== 'delete') return reply.redirect(EXPORT_PATHS[step], 303);
    await deletion.request(session.userId);
    return reply.redirect(ACCOUNT_PATH, 303);
  });
}

async function isRight(confirmation: Confirmation, session: WebSession, code: string): Promise<boolean> {
  try {
    await confirmation.confirm(callerOf(session), code);
    return true;
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'sign_in.code_wrong') return false;
    throw error;
  }
}
