/** The onboarding step for the learner's name, job and industry. */
import { t } from '@parley/i18n';
import { Select, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { explainOptions } from '../foundation/language/explanations.tsx';
import { LanguageSelect } from '../foundation/language/language-select.tsx';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import css from './welcome.module.css';
import type { StepProps } from './step-props.ts';

const NONE = 'none';

/** Null where nothing was typed. */
interface TypedProfile {
  firstName: string | null;
  jobTitle: string | null;
}

/** Fields that were not edited are not saved, because another device may have newer values. */
function changeOf({ firstName, jobTitle }: TypedProfile): Partial<TypedProfile> | null {
  if (firstName === null && jobTitle === null) return null;
  return {
    ...(firstName === null ? {} : { firstName: firstName.trim() || null }),
    ...(jobTitle === null ? {} : { jobTitle: jobTitle.trim() || null }),
  };
}

export function ProfileStep({ profile }: StepProps): ReactElement {
  const { client, queries } = useHost();
  const save = useSaveSettings();
  const industries = useQuery(queries.catalogue.industries.queryOptions());
  const [typed, setTyped] = useState<TypedProfile>({ firstName: null, jobTitle: null });
  // Saved when the step is left, by any button.
  const latest = useRef({ typed, save });
  latest.current = { typed, save };
  useEffect(
    () => () => {
      const change = changeOf(latest.current.typed);
      if (change !== null) latest.current.save.profile(change);
    },
    [],
  );
  const saveTyped = async (): Promise<void> => {
    const change = changeOf(typed);
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
        placeholder={t('Project manager, nurse, engineer …')}
        value={typed.jobTitle ?? profile.jobTitle ?? ''}
        onChange={(jobTitle) => setTyped({ ...typed, jobTitle })}
        maxLength={200}
        autoComplete="organization-title"
      />
      <Select
        label={t('In which industry?')}
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
