/** Describes what an entry of the audit log changed, in the words of the forms. */
import type { AdminAudit } from '@parley/contract';
import { formatBytes, t } from '@parley/i18n';
import { fieldName } from '../foundation/screen/field-name.ts';
import { capitalise, formatDay } from '../foundation/screen/format.ts';
import { nameOfPayment, nameOfPlan } from '../foundation/screen/plan-names.ts';

function writeValue(name: string, value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (name === 'bytes') return formatBytes(Number(value));
  if (name === 'plan') return nameOfPlan(String(value));
  if (name === 'payment') return nameOfPayment(String(value));
  return name === 'dueAt' ? formatDay(String(value)) : String(value);
}

/** For example `Access: no → yes`. */
export function describeChange({ before, after }: Pick<AdminAudit['rows'][number], 'before' | 'after'>): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => {
      const [was, is] = [before?.[name], after?.[name]].map((value) => writeValue(name, value));
      const change = before === null || was === is ? is : after === null ? was : `${was} → ${is}`;
      return `${capitalise(fieldName(name))}: ${change}`;
    })
    .join('; ');
}
