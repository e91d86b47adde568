/** What a mail says, before it is set in HTML or in plain text: both come from the same words. */

export type Block =
  | { type: 'text' | 'quiet'; text: string }
  | { type: 'button'; label: string; href: string }
  | { type: 'code'; code: string }
  | { type: 'facts'; rows: readonly (readonly [name: string, value: string])[] };

export interface MailBody {
  subject: string;
  /** What an inbox shows beside the subject; no secrets, since it stands on locked screens. */
  preview: string;
  title: string;
  blocks: readonly Block[];
  /** Why this person gets this mail. */
  why: string;
}

/** What stands around every mail of this server. */
export interface MailFrame {
  /** `https://parley.example`, without a slash at its end. */
  origin: string;
  /** Null for what somebody has just asked for or has to know. */
  unsubscribeUrl: string | null;
}

export interface MailContent {
  subject: string;
  html: string;
  text: string;
}

export const STOP_LABEL = 'Stop these reminders';
