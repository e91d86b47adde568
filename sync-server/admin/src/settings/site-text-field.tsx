/** The field of a text of the public site. Pages are written in Markdown, with a preview beside it. */
import type { SiteTextName } from '@parley/contract';
import { t } from '@parley/i18n';
import { cx } from '@parley/ui';
import type { ReactElement } from 'react';
import Markdown from 'react-markdown';
import table from '../foundation/screen/table.module.css';
import css from './site-text.module.css';

interface FieldProps {
  name: SiteTextName;
  language: string;
  value: string;
  onChange: (value: string) => void;
}

export function SiteTextField({ name, language, value, onChange }: FieldProps): ReactElement {
  const props = { value, lang: language, dir: 'auto' } as const;
  if (name === 'headline')
    return (
      <label className={table['label']}>
        {t('Text')}
        <input {...props} className={table['input']} onChange={({ target }) => onChange(target.value)} />
      </label>
    );
  if (name === 'introduction')
    return (
      <label className={table['label']}>
        {t('Text')}
        <textarea {...props} className={table['area']} onChange={({ target }) => onChange(target.value)} />
      </label>
    );
  return (
    <div className={css['beside']}>
      <label className={table['label']}>
        {t('Text, in Markdown')}
        <textarea
          {...props}
          className={cx(table['area'], css['text'])}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      <section aria-label={t('Preview')} lang={language} dir="auto" className={css['preview']}>
        <Markdown>{value}</Markdown>
      </section>
    </div>
  );
}
