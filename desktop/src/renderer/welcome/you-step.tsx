/** A name to be called by, and the work that the words should fit. */
import { Select, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import css from './welcome.module.css';
import type { StepProps } from './welcome-screen.tsx';

const NONE = 'none';

export function YouStep({ profile }: StepProps): ReactElement {
  const { queries } = useHost();
  const save = useSaveSettings();
  const industries = useQuery(queries.catalogue.industries.queryOptions());
  const [typed, setTyped] = useState<{ firstName: string | null; jobTitle: string | null }>({
    firstName: null,
    jobTitle: null,
  });
  // Written when the step is left, by whichever button.
  const latest = useRef({ typed, save });
  latest.current = { typed, save };
  useEffect(
    () => () => {
      const { typed: said, save: saving } = latest.current;
      // What nobody touched may be newer elsewhere.
      const { firstName, jobTitle } = said;
      if (firstName === null && jobTitle === null) return;
      saving.profile({
        ...(firstName === null ? {} : { firstName: firstName.trim() || null }),
        ...(jobTitle === null ? {} : { jobTitle: jobTitle.trim() || null }),
      });
    },
    [],
  );
  return (
    <div className={css['narrow']}>
      <TextField
        label="What should your coach call you?"
        value={typed.firstName ?? profile.firstName ?? ''}
        onChange={(firstName) => setTyped({ ...typed, firstName })}
        maxLength={200}
        autoComplete="given-name"
      />
      <TextField
        label="What do you do?"
        placeholder="Project manager, nurse, engineer …"
        value={typed.jobTitle ?? profile.jobTitle ?? ''}
        onChange={(jobTitle) => setTyped({ ...typed, jobTitle })}
        maxLength={200}
        autoComplete="organization-title"
      />
      <Select
        label="In which industry?"
        value={profile.industry ?? NONE}
        onChange={(value) => save.profile({ industry: value === NONE ? null : value })}
        options={[
          { value: NONE, label: 'I would rather not say' },
          ...(industries.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </div>
  );
}
