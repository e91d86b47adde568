/** Names the subject of a request or of an audit log entry, in the words of the forms. */
import { ownNameOf, t } from '@parley/i18n';
import { placeName } from './place-name.ts';

const FIELD_NAMES: Readonly<Partial<Record<string, string>>> = {
  hasAccess: t('access'),
  isAdmin: t('admin'),
  contactEmail: t('contact address'),
  timeZone: t('time zone'),
  requiresSecondFactor: t('authenticator app required'),
  plan: t('plan'),
  payment: t('payment'),
  bytes: t('size'),
  type: t('file type'),
  auditMonths: t('months of the audit log'),
  colour: t('colour'),
  logo: t('logo'),
  mailMonths: t('months of the e-mail log'),
  auditEntries: t('entries of the audit log'),
  mails: t('e-mails'),
  dueAt: t('due'),
  class: t('class'),
  classId: t('class'),
  course: t('course'),
  courseId: t('course'),
  email: t('E-mail'),
  picture: t('Picture'),
  added: t('learners added'),
  removed: t('learners removed'),
  headline: t('Headline of the home page'),
  introduction: t('Introduction of the home page'),
  privacy: t('Privacy'),
  terms: t('Terms'),
};

/**
 * A site text has its language after its name, such as `privacy.de`. Other names are places in a document, such as
 * `sections.0.title`.
 */
export function fieldName(key: string): string {
  const [name = key, language] = key.split('.');
  const known = FIELD_NAMES[name];
  if (known === undefined) return placeName(key.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
  return language === undefined ? known : `${known} (${ownNameOf(language)})`;
}
