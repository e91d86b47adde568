/** Chooses the language of the interface. The window is reloaded, because every text changes. */
import { ownNameOf, t } from '@parley/i18n';
import { Select } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../host/host-context.tsx';
import { ErrorBanner } from '../screen/screen.tsx';
import { LANGUAGES, languageOf } from './languages.ts';

const SYSTEM = 'system';

/** `beforeReload` keeps what was typed on the screen. */
export function LanguageSelect({ beforeReload }: { beforeReload?: () => Promise<unknown> }): ReactElement | null {
  const { client, queries } = useHost();
  const language = useQuery(queries.settings.read.queryOptions()).data?.device.language;
  const choose = useMutation({
    mutationFn: async (choice: string | null) => {
      await client.settings.updateDevice({ language: choice });
      if (language === undefined || languageOf(choice) === languageOf(language)) return;
      await beforeReload?.();
      location.reload();
    },
  });
  if (language === undefined) return null;
  return (
    <>
      <Select
        label={t('Language of Parley')}
        value={language ?? SYSTEM}
        onChange={(value) => choose.mutate(value === SYSTEM ? null : value)}
        options={[
          { value: SYSTEM, label: t('System default: {language}', { language: ownNameOf(languageOf(null)) }) },
          ...LANGUAGES.map((value) => ({ value, label: ownNameOf(value) })),
        ]}
      />
      {choose.isError && <ErrorBanner error={choose.error} />}
    </>
  );
}
