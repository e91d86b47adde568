/** Asks a browser session for a code from an e-mail before an irreversible action, then continues with that action. */
import { SignInCode } from '@parley/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import type { Confirmation, Deletion, WebSession } from '../account/index.ts';
import { DomainError, hasErrorCode } from '../domain-error.ts';
import type { CsrfGuard } from './csrf-guard.ts';
import type { Localizer } from '@parley/i18n';
import type { School } from '../school/index.ts';
import { type Html, html } from './html.ts';
import { formBody, rateLimitedForm } from './form-body.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { PageLanguages } from './page-language.ts';
import { page, type ServerPage, showPage } from './layout.ts';
import { ACCOUNT_PATH, button, EXPORT_PATHS } from './account-pages.ts';

export const CONFIRMATION_ACTIONS = { request: '/account/request-confirmation', confirm: '/account/confirm' } as const;

/** The action that continues once the code is correct. */
const Step = z.enum(['delete', 'json', 'zip']);
export type Step = z.infer<typeof Step>;

export interface ConfirmationPageParts {
  gate: BrowserSessions;
  guard: CsrfGuard;
  confirmation: Confirmation;
  deletion: Deletion;
  strict: RouteShorthandOptions;
  languages: PageLanguages;
  school: Pick<School, 'isMailWritten'>;
}

export const sessionCaller = ({ id, userId }: WebSession) => ({ userId, sessionId: id });

/** Opening this page sends no code, because a link on another site could lead here. */
export function confirmationRequestPage(
  localizer: Localizer,
  { step, token }: { step: Step; token: string },
): ServerPage {
  const { t } = localizer;
  const label = t('Send me a code');
  return page(
    localizer,
    t('Confirm that it’s you'),
    html`<p>
        ${
          step === 'delete'
            ? t('To delete your account, enter a code that we’ll send to your e-mail address.')
            : t('To download everything in your account, enter a code that we’ll send to your e-mail address.')
        }
      </p>
      ${button({ actionUrl: CONFIRMATION_ACTIONS.request, token, label, fields: { step } })} ${backToAccount(localizer)}`,
  );
}

const backToAccount = ({ t }: Localizer): Html =>
  html`<p><a href="${ACCOUNT_PATH}">${t('Back to your account')}</a></p>`;

/** What the page says about the code that was just entered, or about the one that was just asked for. */
type CodeAnswer = 'sent' | 'sent_again' | 'wrong';

function codePage(
  localizer: Localizer,
  { step, token, answer, isMailWritten }: { step: Step; token: string; answer: CodeAnswer; isMailWritten: boolean },
): ServerPage {
  const { t } = localizer;
  const resent = isMailWritten
    ? t('The code in the newest message is the one that works.')
    : t(
        'We’re sending a new e-mail. We send at most three in fifteen minutes. If none arrives, use the newest one you have.',
      );
  const again = t('Send another code');
  return page(
    localizer,
    t('Enter the code'),
    html`${answer === 'wrong' ? html`<p>${t('This code is wrong, was already used, or is older than 15 minutes. Check it, or ask for a new one.')}</p>` : null}
      ${answer === 'sent_again' ? html`<p>${resent}</p>` : null}
      <p>${isMailWritten ? writtenCodeSentence(localizer) : enterCodeSentence(localizer, step)}</p>
      <form method="post" action="${CONFIRMATION_ACTIONS.confirm}">
        <input type="hidden" name="token" value="${token}" /><input type="hidden" name="step" value="${step}" />
        <label for="code">${t('Code')}</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          required
          maxlength="12"
          dir="ltr"
        />
        <button>${t('Continue')}</button>
      </form>
      ${button({ actionUrl: CONFIRMATION_ACTIONS.request, token, label: again, isSecond: true, fields: { step, again: 'yes' } })}
      ${backToAccount(localizer)}`,
  );
}

const writtenCodeSentence = ({ t }: Localizer): string =>
  t(
    'This server sends no e-mail. The message with your code is a file on the server: ask the person who runs it for the code.',
  );

const enterCodeSentence = ({ t }: Localizer, step: Step): string =>
  step === 'delete'
    ? t('Enter the six digits from our e-mail to delete your account.')
    : t('Enter the six digits from our e-mail to download your data.');

/** Requires a scope that parses forms and renders errors as pages. */
export function addConfirmationPages(scope: FastifyInstance, parts: ConfirmationPageParts): void {
  const { gate, guard, confirmation, deletion, strict, languages, school } = parts;

  const readForm = async (
    request: FastifyRequest,
  ): Promise<{ session: WebSession; form: URLSearchParams; step: Step }> => {
    const session = await gate.requireWebSession(request, { admin: false });
    const form = formBody(request);
    guard.assertToken(request, { token: form.get('token'), session });
    const step = Step.safeParse(form.get('step'));
    if (!step.success) throw new DomainError('request.invalid', { field: 'step' });
    return { session, form, step: step.data };
  };
  const showCode = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { session, step, answer }: { session: WebSession; step: Step; answer: CodeAnswer },
  ): Promise<FastifyReply> => {
    const localizer = await languages.localize(request, reply, session);
    const token = guard.issueToken(request, reply, session);
    const code = codePage(localizer, { step, answer, token, isMailWritten: school.isMailWritten });
    return showPage(reply, code, answer === 'wrong' ? 401 : 200);
  };

  scope.post(CONFIRMATION_ACTIONS.request, rateLimitedForm('browser', strict), async (request, reply) => {
    const { session, form, step } = await readForm(request);
    await confirmation.request(sessionCaller(session));
    return showCode(request, reply, { session, step, answer: form.has('again') ? 'sent_again' : 'sent' });
  });

  scope.post(CONFIRMATION_ACTIONS.confirm, rateLimitedForm('browser', strict), async (request, reply) => {
    const { session, form, step } = await readForm(request);
    const code = SignInCode.safeParse((form.get('code') ?? '').replaceAll(/\s/g, ''));
    if (!code.success || !(await isCorrectCode(confirmation, session, code.data)))
      return showCode(request, reply, { session, step, answer: 'wrong' });
    if (step !== 'delete') return reply.redirect(EXPORT_PATHS[step], 303);
    await deletion.request(session.userId);
    return reply.redirect(ACCOUNT_PATH, 303);
  });
}

async function isCorrectCode(confirmation: Confirmation, session: WebSession, code: string): Promise<boolean> {
  try {
    await confirmation.confirm(sessionCaller(session), code);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'sign_in.code_wrong')) return false;
    throw error;
  }
}
