/** What whoever runs this server should look at. */
import type { MailBody } from './mail-body.ts';
import { formatDay } from './wording.ts';

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
  why: 'You get this because you are an admin of this Parley.',
});
