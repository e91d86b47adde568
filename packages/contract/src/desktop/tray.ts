/** The system's tray and notifications: the host decides on them, and Electron's main process shows them. */
import { z } from 'zod';
import { base } from './base.ts';
import { NativeTexts } from './content/native-texts.ts';

const shortText = z.string().min(1).max(200);

/** Written by the renderer in the learner's language, because only the renderer has the messages. */
export const TrayTexts = z.object({
  open: shortText,
  practise: shortText,
  review: shortText,
  quit: shortText,
  reminderTitle: shortText,
  reminderToPractise: shortText,
  reminderToReview: shortText,
  openLink: shortText,
  yes: shortText,
  no: shortText,
  native: NativeTexts,
});
export type TrayTexts = z.infer<typeof TrayTexts>;

export interface TrayState {
  showTray: boolean;
  launchAtLogin: boolean;
  /** How many words are due for review. */
  wordsDue: number;
  texts: TrayTexts;
  /** The reminder to show now; the host returns at most one a day. */
  reminder: { title: string; body: string } | null;
}

export const trayContract = {
  setTexts: base.input(TrayTexts).output(z.void()),
};
