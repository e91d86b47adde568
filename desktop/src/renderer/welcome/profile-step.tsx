/** The onboarding step for the learner's name, job and industry. */
import { t } from '@parley/i18n';
import { Select, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { explainOptions } from '../foundation/language/explanations.tsx';
import { LanguageSelect } from '../foundation/language/language-select.tsx';
import { changeOf, type TypedProfile } from '../foundation/profile/typed-profile.ts';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import css from './welcome.module.css';
import type { StepProps } from './step-props.ts';

const NONE = 'none';

export function ProfileStep({ profile }: StepProps): ReactElement {
  const { client, queries } = useHost();
  const save = useSaveSettings();
  const industries = useQuery(queries.catalogue.industries.queryOptions());
  const [typed, setTyped] = useState<TypedProfile>({});
  // Saved when the step is left, by any button.
  const change = changeOf(typed, profile);
  const latest = useRef({ change, save });
  latest.current = { change, save };
  useEffect(
    () => () => {
      if (latest.current.change !== null) latest.current.save.profile(latest.current.change);
    },
    [],
  );
  const saveTyped = async (): Promise<void> => {
    if (change !== null) await client.settings.updateProfile(change);
  };
  return (
    <div className={css['narrow']}>
      <LanguageSelect beforeReload={saveTyped} />
      <TextField
        label={t('What should your coach call you?')}
        value={typed.firstName ?? profile.firstName ?? ''}
        onChange={(firstName) => setTyped({ ...typed, firstName })}
        maxLength={200}
        autoComplete="given-name"
      />
      <TextField
        label={t('What do you do?')}
        placeholder={t('Project manager, nurse, engineer…')}
        value={typed.jobTitle ?? profile.jobTitle ?? ''}
        onChange={(jobTitle) => setTyped({ ...typed, jobTitle })}
        maxLength={200}
        autoComplete="organization-title"
      />
      <Select
        label={t('What industry do you work in?')}
        value={profile.industry ?? NONE}
        onChange={(value) => save.profile({ industry: value === NONE ? null : value })}
        options={[
          { value: NONE, label: t('I’d rather not say') },
          ...explainOptions((industries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))),
        ]}
      />
    </div>
  );
}
