/** The names of fields and tables in a rejected change. */
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

const LABEL_BY_TABLE: Readonly<Record<string, string>> = {
  users: t('Your profile'),
  practice_history: t('A practice session'),
  ai_conversations: t('A turn in a conversation'),
  user_course_interaction: t('A step in a course'),
  feedback_details: t('Feedback on a session'),
  coach_assignment_history: t('Your chosen coach'),
  enrollments: t('A course you joined'),
  pronunciation_improvement_summary: t('Your words to practise'),
  word_attempts: t('A word you said'),
};

/** A newer version may have kept changes of a table that this one does not know. */
export const tableLabel = (table: string): string => LABEL_BY_TABLE[table] ?? fieldLabel(table.replaceAll('_', ' '));
