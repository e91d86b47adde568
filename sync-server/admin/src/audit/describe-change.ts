/** Says what an entry of the audit log changed, in the words of the forms. */
import type { AdminAudit } from '@parley/contract';
import { formatBytes, ownNameOf, t } from '@parley/i18n';
import { formatDay } from '../foundation/screen/format.ts';
import { placeName } from '../foundation/screen/place-name.ts';
import { nameOfPayment, nameOfPlan } from '../foundation/screen/plan-names.ts';

function writeValue(name: string, value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (name === 'bytes') return formatBytes(Number(value));
  if (name === 'plan') return nameOfPlan(String(value));
  if (name === 'payment') return nameOfPayment(String(value));
  return name === 'dueAt' ? formatDay(String(value)) : String(value);
}

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
  course: t('course'),
  added: t('learners added'),
  removed: t('learners removed'),
  courseId: t('course unassigned'),
  headline: t('Headline of the home page'),
  introduction: t('Introduction of the home page'),
  privacy: t('Privacy'),
  terms: t('Terms'),
};

/** A text of the site has its language after its name, such as `privacy.de`. Other names are places in a document, such as `sections.0.title`. */
function fieldName(key: string): string {
  const [name = key, language] = key.split('.');
  const known = FIELD_NAMES[name];
  if (known === undefined) return placeName(key.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
  return language === undefined ? known : `${known} (${ownNameOf(language)})`;
}

/** For example `access: no → yes`. */
export function describeChange({ before, after }: Pick<AdminAudit['rows'][number], 'before' | 'after'>): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => {
      const [was, is] = [before?.[name], after?.[name]].map((value) => writeValue(name, value));
      const change = before === null ? is : after === null ? was : `${was} → ${is}`;
      return `${fieldName(name)}: ${change}`;
    })
    .join('; ');
}
