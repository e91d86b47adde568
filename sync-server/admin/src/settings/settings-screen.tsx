/** The school's name, colour, logo, time zone and texts, its admins, the second factor, and the language of the panel. */
import { t } from '@parley/i18n';
import type { SchoolSettings } from '@parley/contract';
import { Banner, Button, Switch, TextField } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { useUnsaved } from '../foundation/screen/unsaved.ts';
import { AdminsSection } from './admins-section.tsx';
import { ColourField } from './colour-field.tsx';
import { LogoSection } from './logo-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { RetentionFields } from './retention-fields.tsx';
import { SiteTextsSection } from './site-texts-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';

export function SettingsScreen(): ReactElement {
  const settings = useQuery(api.admin.settings.queryOptions({ input: {} }));
  return (
    <Screen title={t('Settings')}>
      <QueryView query={settings}>
        {(data) => (
          <div className={table['stack']}>
            <SchoolForm settings={data.settings} hasSecondFactor={data.hasSecondFactor} />
            <LogoSection logo={data.logo} />
            <SiteTextsSection />
            <SecondFactorSection hasSecondFactor={data.hasSecondFactor} />
            <AdminsSection />
            <LanguageSection />
          </div>
        )}
      </QueryView>
    </Screen>
  );
}

type SettingsEdits = Partial<SchoolSettings>;

/** The edits that differ from what is stored. */
const withoutSame = (edits: SettingsEdits, stored: SettingsEdits): SettingsEdits =>
  Object.fromEntries(Object.entries(edits).filter(([key, value]) => stored[key as keyof SchoolSettings] !== value));

function SchoolForm({
  settings,
  hasSecondFactor,
}: {
  settings: SchoolSettings;
  hasSecondFactor: boolean;
}): ReactElement {
  // Only edited settings are sent, because another admin may change the others in the meantime.
  const [edits, setEdits] = useState<SettingsEdits>({});
  const draft = { ...settings, ...edits };
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (sent: SettingsEdits) => client.admin.saveSettings(sent),
    onSuccess: async (_saved, sent) => {
      await queryClient.invalidateQueries();
      // Text that was typed during the save is kept.
      setEdits((now) => withoutSame(now, sent));
    },
  });
  useUnsaved(Object.keys(edits).length > 0);
  const change = (part: SettingsEdits): void => {
    save.reset();
    setEdits(withoutSame({ ...edits, ...part }, settings));
  };
  return (
    <section className={table['section']}>
      <h2>{t('School')}</h2>
      <form
        className={table['form']}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(edits);
        }}
      >
        <TextField label={t('Name')} value={draft.name} onChange={(name) => change({ name })} maxLength={200} />
        <TextField
          label={t('Contact address')}
          type="email"
          value={draft.contactEmail ?? ''}
          onChange={(email) => change({ contactEmail: email === '' ? null : email })}
          maxLength={320}
          description={t('Where learners can reach a person. Leave it empty if there isn’t one.')}
        />
        <ColourField value={draft.colour} onChange={(colour) => change({ colour })} />
        <label className={table['label']}>
          {t('Time zone')}
          <input
            className={table['input']}
            list="time-zones"
            value={draft.timeZone}
            maxLength={80}
            onChange={({ target }) => change({ timeZone: target.value })}
          />
        </label>
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <p className={table['small']}>{t('Days and times in this panel follow this time zone.')}</p>
        <Switch
          isSelected={draft.requiresSecondFactor}
          onChange={(requiresSecondFactor) => change({ requiresSecondFactor })}
        >
          {t('Admins must use an authenticator app')}
        </Switch>
        {draft.requiresSecondFactor && !hasSecondFactor && (
          <p className={table['small']}>{t('Set up your own authenticator app first, below.')}</p>
        )}
        <RetentionFields value={draft} onChange={change} />
        {save.isError && <p role="alert">{errorSentence(save.error)}</p>}
        {save.isSuccess && <Banner>{t('Settings saved.')}</Banner>}
        <div className={table['buttons']}>
          <Button type="submit" variant="primary" isDisabled={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </section>
  );
}
