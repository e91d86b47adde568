/** The retention of the school's records, and everything else that is deleted automatically. */
import { RETENTION_MONTHS, type SchoolSettings } from '@parley/contract';
import { t } from '@parley/i18n';
import { Select } from '@parley/ui';
import type { ReactElement } from 'react';
import table from '../foundation/screen/table.module.css';

type Retention = Pick<SchoolSettings, 'auditMonths' | 'mailMonths'>;
type Months = SchoolSettings['auditMonths'];

const FOREVER = 'forever';
const nameOf = (months: NonNullable<Months>): string =>
  months < 12
    ? t('{count, plural, one {# month} other {# months}}', { count: months })
    : t('{count, plural, one {# year} other {# years}}', { count: months / 12 });

export function RetentionFields({
  value,
  onChange,
}: {
  value: Retention;
  onChange: (change: Partial<Retention>) => void;
}): ReactElement {
  return (
    <>
      <h3>{t('What is kept, and for how long')}</h3>
      <MonthsField
        label={t('Audit log')}
        value={value.auditMonths}
        onChange={(auditMonths) => onChange({ auditMonths })}
      />
      <MonthsField
        label={t('E-mail log')}
        value={value.mailMonths}
        onChange={(mailMonths) => onChange({ mailMonths })}
      />
      <p className={table['small']}>
        {t('Anything older is deleted every night and can’t be restored. To keep a copy, export the list as CSV.')}
      </p>
      <ul className={table['small']}>
        <li>
          {t('The latest decision about a learner without access is kept, because the learner sees it in the app.')}
        </li>
        <li>{t('A deleted account is erased after 30 days.')}</li>
        <li>{t('The text of an e-mail is deleted as soon as it has been sent.')}</li>
        <li>{t('Video files that are no longer used are deleted after 30 days, unfinished uploads after 7.')}</li>
        <li>{t('What learners said in a practice stays theirs: they delete it in the app, and you never see it.')}</li>
      </ul>
    </>
  );
}

const MonthsField = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Months;
  onChange: (months: Months) => void;
}): ReactElement => (
  <Select
    label={label}
    value={value === null ? FOREVER : String(value)}
    options={[
      { value: FOREVER, label: t('As long as the server runs') },
      ...RETENTION_MONTHS.map((months) => ({ value: String(months), label: nameOf(months) })),
    ]}
    onChange={(chosen) => onChange(RETENTION_MONTHS.find((months) => String(months) === chosen) ?? null)}
  />
);
