/** The content of a mail before it is rendered, so that HTML and plain text have the same words. */
import type { SchoolIdentity } from '@parley/domain';
import type { Localizer } from '@parley/i18n';

export type Block =
  | { type: 'text' | 'quiet'; text: string }
  | { type: 'button' | 'link'; label: string; href: string }
  | { type: 'code'; code: string }
  | { type: 'facts'; rows: readonly (readonly [name: string, value: string])[] };

export interface MailBody {
  subject: string;
  /**
   * The text that an inbox shows beside the subject. It must not contain a secret, because it appears on locked
   * screens.
   */
  preview: string;
  title: string;
  blocks: readonly Block[];
  /** Why the recipient is getting this mail. */
  why: string;
}

/** The parts that all mails of this server share. */
export interface MailFrame {
  /** The origin without a trailing slash, such as `https://parley.example`. */
  origin: string;
  /** Null for mails that the recipient requested or needs to know about. */
  unsubscribeUrl: string | null;
  /** The school's name and colour. A mail loads no pictures, so it has no logo. */
  school: Pick<SchoolIdentity, 'name' | 'colour'>;
  /** Translates into the recipient's language. */
  localizer: Localizer;
}

export interface MailContent {
  subject: string;
  html: string;
  text: string;
}
