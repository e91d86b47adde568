/** What whoever runs this server should look at. */
import type { MailBody } from './mail-body.ts';
import { formatDay } from './wording.ts';

const WHY = 'You get this because you are an admin of this Parley.';

export interface LinkLostData {
  /** Whose link it was. */
  email: string;
  letInAt: Date;
  timeZone: string;
}

export const linkLost = ({ email, letInAt, timeZone }: LinkLostData): MailBody => ({
  subject: 'A link to Parley did not arrive',
  preview: 'Somebody whom you let in cannot get in.',
  title: 'A link did not arrive',
  blocks: [
    {
      type: 'text',
      text: 'You let somebody in, but the e-mail with their link has not reached them, though it was sent three times.',
    },
    {
      type: 'facts',
      rows: [
        ['Address', email],
        ['Let in on', formatDay(letInAt, timeZone)],
      ],
    },
    {
      type: 'text',
      text: 'It will not be sent again by itself. Ask them another way whether the address is right. If it is, they can ask for a code in the app at any time; if not, they can ask for access with the right one.',
    },
  ],
  why: WHY,
});

export interface AccessWaitingData {
  /** How many wait, at least one. Who they are is for the admin's eyes alone, not for a mailbox. */
  count: number;
  /** When the one asked who waits longest. */
  firstAskedAt: Date;
  timeZone: string;
}

export function accessWaiting({ count, firstAskedAt, timeZone }: AccessWaitingData): MailBody {
  const isOne = count === 1;
  const subject = isOne ? 'Somebody waits for access to Parley' : `${count} people wait for access to Parley`;
  return {
    subject,
    preview: 'They can talk with a live coach once you have let them in.',
    title: isOne ? 'Somebody waits to be let in' : `${count} people wait to be let in`,
    blocks: [
      {
        type: 'text',
        text: isOne
          ? 'Somebody has asked for access. They can talk with a live coach once you have let them in, and get an e-mail then.'
          : 'They have asked for access. They can talk with a live coach once you have let them in, and get an e-mail then.',
      },
      {
        type: 'facts',
        rows: [
          [isOne ? 'Waiting' : 'Waiting now', String(count)],
          [isOne ? 'Asked on' : 'The first asked on', formatDay(firstAskedAt, timeZone)],
        ],
      },
      {
        type: 'text',
        text: 'Look at who waits, and decide, where you administer this Parley. You hear again when somebody else asks, at most once an hour.',
      },
    ],
    why: WHY,
  };
}
