/** Describes what an entry of the audit log changed, in the words of the forms. */
import type { AdminAudit } from '@parley/contract';
import { formatBytes, t } from '@parley/i18n';
import { fieldName } from '../foundation/screen/field-name.ts';
import { capitalise, formatDateTime, formatDay } from '../foundation/screen/format.ts';
import { nameOfPayment, nameOfPlan } from '../foundation/screen/plan-names.ts';

type Value = string | number | boolean | null | undefined;

/**
 * Parts of a document are stored as JSON, which may be cut off; what an author called them is shown. Only strings that can
 * be parsed match, because an author may also write a text that begins like JSON.
 */
const AUTHORS_NAME = /"(?:title|description|word|text)":("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))+")/u;
const IDENTIFIER = /^(?:\/media\/)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Null for a value that only a program can read. */
function writeValue(name: string, value: Value): string | null {
  if (value === null || value === undefined || value === '' || value === 'null') return t('nothing');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (name === 'bytes') return formatBytes(Number(value));
  if (name === 'plan') return nameOfPlan(String(value));
  if (name === 'payment') return nameOfPayment(String(value));
  if (name === 'dueAt') return formatDay(String(value));
  const text = String(value);
  if (name === 'publishAt') return formatDateTime(text);
  if (IDENTIFIER.test(text)) return null;
  if (!/^(?:\{"|\[["{\]])/.test(text)) return text;
  const [, quoted = null] = AUTHORS_NAME.exec(text) ?? [];
  return quoted === null ? null : String(JSON.parse(quoted));
}

/** For example `Access: no → yes`. */
export function describeChange({ before, after }: Pick<AdminAudit['rows'][number], 'before' | 'after'>): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const sentences = names.map((name) => {
    const label = capitalise(fieldName(name));
    const [was, is] = [writeValue(name, before?.[name]), writeValue(name, after?.[name])];
    if (was === null || is === null) return label;
    const isNew = before === null || before[name] === '' || was === is;
    return `${label}: ${isNew ? is : after === null ? was : `${was} → ${is}`}`;
  });
  return [...new Set(sentences)].join('; ');
}
