/** What the screens call a field of a change that was rejected. */
import { t } from '@parley/i18n';

const LABEL_BY_FIELD: Readonly<Record<string, string>> = {
  firstName: t('First name'),
  lastName: t('Last name'),
  jobTitle: t('Job title'),
  industry: t('Industry'),
  englishLevel: t('Your English'),
  emailNotifications: t('Remind me by e-mail'),
};

/** Turns `entireConversation`, a field that no screen shows, into "Entire conversation". */
export function fieldLabel(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return LABEL_BY_FIELD[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
