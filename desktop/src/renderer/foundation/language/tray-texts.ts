/** The texts that the system shows outside the window. */
import type { TrayTexts } from '@parley/contract';
import { t } from '@parley/i18n';
import { nativeTexts } from './native-texts.ts';

export const trayTexts = (): TrayTexts => ({
  open: t('Open Parley'),
  practise: t('Practise now'),
  review: t('Review'),
  quit: t('Quit Parley'),
  reminderTitle: t('Time to practise'),
  reminderToPractise: t('A few minutes of English today?'),
  reminderToReview: t('You have words to review today.'),
  openLink: t('A link is trying to open a page in Parley. Open it?'),
  yes: t('Open'),
  no: t('Cancel'),
  native: nativeTexts(),
});
