/** A practice: its briefing, its dialogue as a graph or as text, and a place to try it. */
import { Tabs } from '@parley/ui';
import type { ReactElement } from 'react';
import type { FormProps } from '../forms/form-props.ts';
import { BriefingForm } from './briefing-form.tsx';
import { DialogueTab } from './dialogue-tab.tsx';
import { TextTab } from './text-tab.tsx';
import { TryTab } from './try-tab.tsx';

export const PracticeForm = (props: FormProps<'practice'>): ReactElement => (
  <Tabs
    label="Parts of the practice"
    tabs={[
      { id: 'briefing', title: 'Briefing', content: <BriefingForm {...props} /> },
      { id: 'dialogue', title: 'Dialogue', content: <DialogueTab {...props} /> },
      { id: 'text', title: 'Text', content: <TextTab {...props} /> },
      { id: 'try', title: 'Try it', content: <TryTab document={props.document} /> },
    ]}
  />
);
