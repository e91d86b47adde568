/** Who the learner is, so that practices and coaches fit. */
import type { Profile } from '@parley/contract';
import { ENGLISH_LEVELS } from '@parley/domain';
import { Avatar, Button, Card, optionsOf, Quiet, Row, Select, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { LEVEL_NAMES } from '../app/level-names.ts';
import { Answered, FailureBanner } from '../app/screen.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import css from './settings.module.css';

export function ProfileCard(): ReactElement {
  const { queries } = useHost();
  const settings = useQuery(queries.settings.read.queryOptions());
  return (
    <Card>
      <h2>You</h2>
      <Answered query={settings} waiting="Loading your profile">
        {({ profile }) => <ProfileForm profile={profile} />}
      </Answered>
    </Card>
  );
}

const NONE = 'none';

function ProfileForm({ profile }: { profile: Profile }): ReactElement {
  const { queries } = useHost();
  const save = useSaveSettings();
  const industries = useQuery(queries.catalogue.industries.queryOptions());
  const coaches = useQuery(queries.catalogue.coaches.queryOptions());
  const [names, setNames] = useState({
    firstName: profile.firstName ?? '',
    lastName: profile.lastName ?? '',
    jobTitle: profile.jobTitle ?? '',
  });
  const set = (change: Partial<typeof names>): void => setNames((current) => ({ ...current, ...change }));
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const hasChanged =
    orNull(names.firstName) !== profile.firstName ||
    orNull(names.lastName) !== profile.lastName ||
    orNull(names.jobTitle) !== profile.jobTitle;
  const saveNames = (): void =>
    save.profile({
      firstName: orNull(names.firstName),
      lastName: orNull(names.lastName),
      jobTitle: orNull(names.jobTitle),
    });
  const coach = coaches.data?.find(({ agentId }) => agentId === profile.agentId);
  return (
    <>
      <div className={css['pair']}>
        <TextField
          label="First name"
          value={names.firstName}
          onChange={(firstName) => set({ firstName })}
          maxLength={200}
        />
        <TextField
          label="Last name"
          value={names.lastName}
          onChange={(lastName) => set({ lastName })}
          maxLength={200}
        />
      </div>
      <TextField label="Job title" value={names.jobTitle} onChange={(jobTitle) => set({ jobTitle })} maxLength={200} />
      {hasChanged && (
        <Row>
          <Button look="primary" onPress={saveNames}>
            Save
          </Button>
        </Row>
      )}
      <Select
        label="Industry"
        value={profile.industry ?? NONE}
        onChange={(value) => save.profile({ industry: value === NONE ? null : value })}
        options={[
          { value: NONE, label: 'Not said' },
          ...(industries.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Select
        label="Your English"
        value={profile.englishLevel ?? NONE}
        onChange={(value) => save.profile({ englishLevel: ENGLISH_LEVELS.find((level) => level === value) ?? null })}
        options={[{ value: NONE, label: 'I do not know yet' }, ...optionsOf(LEVEL_NAMES)]}
      />
      <Select
        label="Your coach"
        value={profile.agentId ?? NONE}
        onChange={(value) =>
          save.profile({ agentId: coaches.data?.find(({ agentId }) => agentId === value)?.agentId ?? null })
        }
        options={[
          { value: NONE, label: 'The coach of each practice' },
          ...(coaches.data ?? []).map(({ agentId, name }) => ({ value: agentId, label: name })),
        ]}
      />
      {coach !== undefined && (
        <Row>
          <Avatar src={coach.avatarUrl} />
          <Quiet small>{coach.communicationStyle}</Quiet>
        </Row>
      )}
      {save.error !== null && <FailureBanner error={save.error} />}
    </>
  );
}
