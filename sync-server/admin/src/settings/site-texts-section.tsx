/** The list of the public site's texts: which of them the school has written itself, and in which languages. */
import { SITE_TEXT_NAMES } from '@parley/contract';
import { formatList, ownNameOf, t } from '@parley/i18n';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api } from '../foundation/api/client.ts';
import { QueryView } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { WideTable } from '../foundation/screen/wide-table.tsx';
import { SITE_TEXTS } from './site-text-names.ts';

export function SiteTextsSection(): ReactElement {
  const query = useQuery(api.admin.siteTexts.queryOptions({ input: {} }));
  return (
    <section className={table['section']}>
      <h2>{t('Texts of the public site')}</h2>
      <p>{t('Parley provides these texts in every language of the site. You can replace them with your own.')}</p>
      <QueryView query={query}>
        {({ texts }) => (
          <WideTable name={t('Texts of the public site')}>
            <thead>
              <tr>
                <th>{t('Text')}</th>
                <th>{t('Your own')}</th>
                <th>{t('Drafts')}</th>
              </tr>
            </thead>
            <tbody>
              {SITE_TEXT_NAMES.map((name) => {
                const own = texts.filter((text) => text.name === name);
                return (
                  <tr key={name}>
                    <td>
                      <Link to="/settings/texts/$name" params={{ name }}>
                        {SITE_TEXTS[name].title}
                      </Link>
                    </td>
                    <td>{listLanguages(own.filter(({ isPublished }) => isPublished)) || t('None yet')}</td>
                    <td>{listLanguages(own.filter(({ hasDraft }) => hasDraft)) || '–'}</td>
                  </tr>
                );
              })}
            </tbody>
          </WideTable>
        )}
      </QueryView>
    </section>
  );
}

const listLanguages = (texts: readonly { language: string }[]): string =>
  formatList(texts.map(({ language }) => ownNameOf(language)).toSorted((a, b) => a.localeCompare(b)));
