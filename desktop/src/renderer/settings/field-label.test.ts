import { activateLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import arabic from '@parley/i18n/locales/ar.json' with { type: 'json' };
import { entities } from '@parley/domain';
import { afterEach, expect, it } from 'vitest';

// Other files are tested in the same process.
afterEach(() => activateLanguage(SOURCE_LANGUAGE, {}));

const LEARNER_TABLES = [
  entities.users,
  entities.coachAssignmentHistory,
  entities.enrollments,
  entities.userCourseInteraction,
  entities.practiceHistory,
  entities.aiConversations,
  entities.feedbackDetails,
  entities.pronunciationImprovementSummary,
  entities.wordAttempts,
];

it('names the fields of the profile and all that a learner writes in the language of the screens', async () => {
  activateLanguage('ar', arabic);
  const { fieldLabel, tableLabel } = await import('./field-label.ts');
  const names = ['firstName', 'lastName', 'jobTitle', 'industry', 'englishLevel', 'emailNotifications'];
  const labels = [...names.map(fieldLabel), ...LEARNER_TABLES.map(({ name }) => tableLabel(name))];
  expect(labels.filter((label) => /[a-z]/i.test(label))).toEqual([]);
});

it('makes words of a field that no screen shows', async () => {
  const { fieldLabel } = await import('./field-label.ts');
  expect(fieldLabel('entireConversation')).toBe('Entire conversation');
});
