/** The learner's profile, used to choose practices and coaches. */
import { t } from '@parley/i18n';
import type { Profile } from '@parley/contract';
import { ENGLISH_LEVELS } from '@parley/domain';
import { Card, toOptions, MutedText, Portrait, Row, Select, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation, explainOptions } from '../foundation/language/explanations.tsx';
import { LEVEL_NAMES } from '../foundation/sentences/level-names.ts';
import { QueryView } from '../foundation/screen/screen.tsx';
import { SavedNotice } from '../foundation/screen/saved-notice.tsx';
import { changeOf, type TypedProfile } from '../foundation/profile/typed-profile.ts';
import { useSaveSettings } from '../foundation/host/use-save-settings.ts';
import { ProfilePicture } from './profile-picture.tsx';
import css from './settings.module.css';

export function ProfileCard(): ReactElement {
  const { queries } = useHost();
  const settings = useQuery(queries.settings.read.queryOptions());
  return (
    <Card>
      <h2>{t('You')}</h2>
      <QueryView query={settings} loadingLabel={t('Loading your profile')}>
        {({ profile }) => <ProfileForm profile={profile} />}
      </QueryView>
    </Card>
  );
}

const NONE = 'none';

function ProfileForm({ profile }: { profile: Profile }): ReactElement {
  const { queries } = useHost();
  const save = useSaveSettings();
  const industries = useQuery(queries.catalogue.industries.queryOptions());
  const coaches = useQuery(queries.catalogue.coaches.queryOptions());
  const [typed, setTyped] = useState<TypedProfile>({});
  const change = changeOf(typed, profile);
  const saveTyped = (): void => {
    if (change === null) return;
    // Text that was typed during the save is kept.
    save.profile(change, { onSuccess: () => setTyped((current) => (current === typed ? {} : current)) });
  };
  // Going back makes no field lose the focus before the screen is left, so edits are saved here.
  const saveOnLeaving = useRef(saveTyped);
  saveOnLeaving.current = saveTyped;
  useEffect(() => () => saveOnLeaving.current(), []);
  const coach = coaches.data?.find(({ agentId }) => agentId === profile.agentId);
  return (
    <>
      <ProfilePicture profile={profile} save={save} />
      <div className={css['pair']}>
        <TextField
          label={t('First name')}
          value={typed.firstName ?? profile.firstName ?? ''}
          onChange={(firstName) => setTyped({ ...typed, firstName })}
          onSubmit={saveTyped}
          onBlur={saveTyped}
          maxLength={200}
        />
        <TextField
          label={t('Last name')}
          value={typed.lastName ?? profile.lastName ?? ''}
          onChange={(lastName) => setTyped({ ...typed, lastName })}
          onSubmit={saveTyped}
          onBlur={saveTyped}
          maxLength={200}
        />
      </div>
      <TextField
        label={t('Job title')}
        value={typed.jobTitle ?? profile.jobTitle ?? ''}
        onChange={(jobTitle) => setTyped({ ...typed, jobTitle })}
        onSubmit={saveTyped}
        onBlur={saveTyped}
        maxLength={200}
      />
      <Select
        label={t('Industry')}
        value={profile.industry ?? NONE}
        onChange={(value) => save.profile({ industry: value === NONE ? null : value })}
        options={[
          { value: NONE, label: t('Not specified') },
          ...explainOptions((industries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))),
        ]}
      />
      <Select
        label={t('Your English')}
        value={profile.englishLevel ?? NONE}
        onChange={(value) => save.profile({ englishLevel: ENGLISH_LEVELS.find((level) => level === value) ?? null })}
        options={[{ value: NONE, label: t('I don’t know yet') }, ...toOptions(LEVEL_NAMES)]}
      />
      <Select
        label={t('Your coach')}
        value={profile.agentId ?? NONE}
        onChange={(value) =>
          save.profile({ agentId: coaches.data?.find(({ agentId }) => agentId === value)?.agentId ?? null })
        }
        options={[
          { value: NONE, label: t('The coach of each practice') },
          ...(coaches.data ?? []).map(({ agentId, name }) => ({ value: agentId, label: name })),
        ]}
      />
      {coach !== undefined && (
        <Row>
          <Portrait name={coach.name} imageUrl={coach.avatarUrl} />
          <MutedText small>
            <Explanation english={coach.communicationStyle} />
          </MutedText>
        </Row>
      )}
      <SavedNotice save={save} hasUnsavedText={change !== null} />
    </>
  );
}
