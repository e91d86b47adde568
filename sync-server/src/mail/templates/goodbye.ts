/** An account is going to be erased, because its owner asked for it. */
import { type PlanAtLeaving, sayPlanAtLeaving } from '@parley/domain';
import type { MailBody } from './mail-body.ts';
import { formatDay, greeting } from './wording.ts';

export interface GoodbyeData {
  firstName: string | null;
  eraseAt: Date;
  timeZone: string;
  /** Where they can think again. */
  keepUrl: string;
  /** What becomes of a plan that runs; null where none does. */
  plan: PlanAtLeaving | null;
}

export function goodbye({ firstName, eraseAt, timeZone, keepUrl, plan }: GoodbyeData): MailBody {
  const day = formatDay(eraseAt, timeZone);
  const ofPlan = sayPlanAtLeaving(plan, (at) => formatDay(at, timeZone));
  return {
    subject: 'Your account at Parley will be erased',
    preview: `On ${day}. Until then you can think again.`,
    title: 'Your account will be erased',
    blocks: [
      { type: 'text', text: greeting(firstName) },
      {
        type: 'text',
        text: `You asked us to delete your account. On ${day} everything that we keep of it is erased for good: your conversations, your scores, and what your coaches remember. Your recordings lie on your own computer only.`,
      },
      ...(ofPlan === null ? [] : [{ type: 'text', text: ofPlan } as const]),
      {
        type: 'text',
        text: 'Until then you can keep it, or take everything with you: sign in, and both are a click away.',
      },
      { type: 'button', label: 'Keep my account', href: keepUrl },
      { type: 'text', text: 'Thank you for the time that you practised with us.' },
    ],
    why: 'You get this because the deletion of your account was asked for. If it was not you, sign in and keep it.',
  };
}
