/** A coach: its character with its voice, and a place to talk to it. */
import { t } from '@parley/i18n';
import { Tabs } from '@parley/ui';
import type { ReactElement } from 'react';
import type { FormProps } from '../forms/form-props.ts';
import { CharacterForm } from './character-form.tsx';
import { TalkTab } from './talk-tab.tsx';

export const CoachForm = (props: FormProps<'coach'>): ReactElement => (
  <Tabs
    label={t('Parts of the coach')}
    tabs={[
      { id: 'character', title: t('Character'), content: <CharacterForm {...props} /> },
      { id: 'talk', title: t('Talk to the coach'), content: <TalkTab document={props.document} /> },
    ]}
  />
);
