/** The field for a text of the public site. Pages are written in Markdown, with a preview next to the field. */
import type { SiteTextName } from '@parley/contract';
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import { MarkdownPreview } from '../foundation/markdown/markdown-preview.tsx';
import table from '../foundation/screen/table.module.css';

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
    <MarkdownPreview text={value} language={language}>
      <label className={table['label']}>
        {t('Text, in Markdown')}
        <textarea {...props} className={table['area']} onChange={({ target }) => onChange(target.value)} />
      </label>
    </MarkdownPreview>
  );
}
