/** Every mail that this server writes: words and data in, subject, HTML and plain text out. */
import { accessLink, accessLinkAgain, type AccessData } from './access.ts';
import { accessWaiting, type AccessWaitingData, linkLost, type LinkLostData } from './for-admins.ts';
import { type NotYetPractisedData, notLoggedIn, notYetPractised } from './getting-started.ts';
import { goodbye, type GoodbyeData } from './goodbye.ts';
import { renderHtml } from './layout.ts';
import type { MailBody, MailContent, MailFrame } from './mail-body.ts';
import {
  planUpgrade,
  type PlanUpgradeData,
  receipt,
  type ReceiptData,
  trialEnding,
  type TrialEndingData,
} from './plan.ts';
import { renderText } from './plain-text.ts';
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
  goodbye: GoodbyeData;
  link_lost: LinkLostData;
  access_waiting: AccessWaitingData;
}
export type MailKind = keyof MailDataByKind;

const bodies: { [Kind in MailKind]: (data: MailDataByKind[Kind], step: string) => MailBody } = {
  sign_in: signIn,
  access_link: accessLink,
  access_link_again: accessLinkAgain,
  not_logged_in: notLoggedIn,
  not_yet_practised: notYetPractised,
  plan_upgrade: planUpgrade,
  receipt,
  trial_ending: trialEnding,
  goodbye,
  link_lost: linkLost,
  access_waiting: accessWaiting,
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
  const body = bodies[kind](data, step);
  return { subject: body.subject, html: await renderHtml(body, frame), text: renderText(body, frame) };
}
