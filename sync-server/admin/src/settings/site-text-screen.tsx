/** A text of the public site, in the language given in the address. */
import { SITE_TEXT_NAMES } from '@parley/contract';
import { ownNameOf, SOURCE_LANGUAGE, t } from '@parley/i18n';
import { Select } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api } from '../foundation/api/client.ts';
import { LANGUAGES } from '../foundation/language/languages.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { useUnsaved } from '../foundation/screen/unsaved.ts';
import { SiteTextEditor } from './site-text-editor.tsx';
import { SITE_TEXTS } from './site-text-names.ts';

export function SiteTextScreen(): ReactElement {
  const params = useParams({ strict: false });
  const name = SITE_TEXT_NAMES.find((each) => each === params.name) ?? 'headline';
  const { language: wanted } = useSearch({ strict: false });
  const language = LANGUAGES.find((each) => each === wanted) ?? SOURCE_LANGUAGE;
  const navigate = useNavigate();
  /** Unsaved text by language, so that the admin can look at another language in between. */
  const [typed, setTyped] = useState<Readonly<Record<string, string | undefined>>>({});
  useUnsaved(Object.values(typed).some((text) => text !== undefined));
  const query = useQuery({
    ...api.admin.siteText.queryOptions({ input: { name, language } }),
    // The unsaved text is based on the loaded revision, so nothing is reloaded underneath it.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return (
    <Screen title={SITE_TEXTS[name].title} intro={SITE_TEXTS[name].about}>
      <p>
        <Link to="/settings">{t('Settings')}</Link>
      </p>
      <div className={table['form']}>
        <Select
          label={t('Language of the text')}
          value={language}
          options={LANGUAGES.map((value) => ({ value, label: ownNameOf(value) }))}
          onChange={(next) => void navigate({ to: '.', search: { language: next }, replace: true })}
        />
      </div>
      <QueryView query={query}>
        {(text) => (
          <SiteTextEditor
            key={language}
            text={text}
            typed={typed[language]}
            onType={(change) => setTyped((before) => ({ ...before, [language]: change(before[language]) }))}
          />
        )}
      </QueryView>
    </Screen>
  );
}
