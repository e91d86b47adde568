/** The language of the panel in this browser. The page is reloaded after a change, because every text changes. */
import { ownNameOf, t } from '@parley/i18n';
import { Select } from '@parley/ui';
import type { ReactElement } from 'react';
import { languageOf, LANGUAGES, readLanguageChoice, storeLanguageChoice } from '../foundation/language/languages.ts';
import table from '../foundation/screen/table.module.css';

const BROWSER = 'browser';

export function LanguageSection(): ReactElement {
  const choose = (value: string): void => {
    storeLanguageChoice(value === BROWSER ? null : value);
    globalThis.location.reload();
  };
  return (
    <section className={table['section']}>
      <h2>{t('Display language')}</h2>
      <Select
        label={t('Language of this panel')}
        value={readLanguageChoice() ?? BROWSER}
        onChange={choose}
        options={[
          { value: BROWSER, label: t('Browser default: {language}', { language: ownNameOf(languageOf(null)) }) },
          ...LANGUAGES.map((value) => ({ value, label: ownNameOf(value) })),
        ]}
      />
      <p className={table['small']}>{t('It applies to this browser only.')}</p>
    </section>
  );
}
