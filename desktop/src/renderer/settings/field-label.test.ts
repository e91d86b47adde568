import { SOURCE_LANGUAGE } from '@parley/i18n';
import arabic from '@parley/i18n/locales/ar.json' with { type: 'json' };
import { entities } from '@parley/domain';
import { afterEach, expect, it, vi } from 'vitest';

/** Other test files share the modules, and are in English. */
afterEach(() => vi.resetModules());

/** Loads the module after the language has started, as a screen does. */
async function labelsIn(language: string, catalogue: Readonly<Record<string, string>>) {
  vi.resetModules();
  (await import('@parley/i18n')).activateLanguage(language, catalogue);
  return import('./field-label.ts');
}

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

it('names the fields of the profile and of a learner’s texts in the language of the screens', async () => {
  const { fieldLabel, tableLabel } = await labelsIn('ar', arabic);
  const names = ['firstName', 'lastName', 'jobTitle', 'industry', 'englishLevel', 'emailNotifications'];
  const labels = [...names.map(fieldLabel), ...LEARNER_TABLES.map(({ name }) => tableLabel(name))];
  expect(labels.filter((label) => /[a-z]/i.test(label))).toEqual([]);
});

it('spells out the name of a field that no screen shows', async () => {
  const { fieldLabel } = await labelsIn(SOURCE_LANGUAGE, {});
  expect(fieldLabel('entireConversation')).toBe('Entire conversation');
});
