/** Renders every mail of this server in the recipient's language: data in; subject, HTML and plain text out. */
import { accessLink, accessLinkAgain, type AccessData } from './access.ts';
import {
  waitingLearners,
  type WaitingLearnersData,
  undeliveredLink,
  type UndeliveredLinkData,
} from './admin-notices.ts';
import { type NotYetPractisedData, notLoggedIn, notYetPractised } from './getting-started.ts';
import { deletionNotice, type DeletionNoticeData } from './deletion-notice.ts';
import type { Localizer } from '@parley/i18n';
import type { MailBody, MailContent, MailFrame } from './mail-body.ts';
import {
  planUpgrade,
  type PlanUpgradeData,
  receipt,
  type ReceiptData,
  trialEnding,
  type TrialEndingData,
} from './plan.ts';
import { renderText } from './render-text.ts';
import { signIn, type SignInData } from './sign-in.ts';

export interface MailDataByKind {
  sign_in: SignInData;
  access_link: AccessData;
  access_link_again: AccessData;
  not_logged_in: AccessData;
  not_yet_practised: NotYetPractisedData;
  plan_upgrade: PlanUpgradeData;
  receipt: ReceiptData;
  trial_ending: TrialEndingData;
  goodbye: DeletionNoticeData;
  link_lost: UndeliveredLinkData;
  access_waiting: WaitingLearnersData;
}
export type MailKind = keyof MailDataByKind;

const bodies: { [Kind in MailKind]: (localizer: Localizer, data: MailDataByKind[Kind], step: string) => MailBody } = {
  sign_in: signIn,
  access_link: accessLink,
  access_link_again: accessLinkAgain,
  not_logged_in: notLoggedIn,
  not_yet_practised: notYetPractised,
  plan_upgrade: planUpgrade,
  receipt,
  trial_ending: trialEnding,
  goodbye: deletionNotice,
  link_lost: undeliveredLink,
  access_waiting: waitingLearners,
};

export interface MailToRender<Kind extends MailKind> {
  kind: Kind;
  step: string;
  data: MailDataByKind[Kind];
}

export async function renderMail<Kind extends MailKind>(
  { kind, step, data }: MailToRender<Kind>,
  frame: MailFrame,
): Promise<MailContent> {
  const body = bodies[kind](frame.localizer, data, step);
  // React's renderer takes memory that a server needs only when it has a mail to send.
  const { renderHtml } = await import('./render-html.ts');
  return { subject: body.subject, html: await renderHtml(body, frame), text: renderText(body, frame) };
}
