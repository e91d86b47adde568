/** A practice: its briefing, its dialogue as a graph or as text, and a place to try it. */
import { t } from '@parley/i18n';
import { Tabs } from '@parley/ui';
import type { ReactElement } from 'react';
import type { FormProps } from '../forms/form-props.ts';
import { BriefingForm } from './briefing-form.tsx';
import { DialogueTab } from './dialogue-tab.tsx';
import { TextTab } from './text-tab.tsx';
import { TryTab } from './try-tab.tsx';

export const PracticeForm = (props: FormProps<'practice'>): ReactElement => (
  <Tabs
    label={t('Parts of the practice')}
    tabs={[
      { id: 'briefing', title: t('Briefing'), content: <BriefingForm {...props} /> },
      { id: 'dialogue', title: t('Dialogue'), content: <DialogueTab {...props} /> },
      { id: 'text', title: t('Text'), content: <TextTab {...props} /> },
      { id: 'try', title: t('Try it'), content: <TryTab document={props.document} /> },
    ]}
  />
);
