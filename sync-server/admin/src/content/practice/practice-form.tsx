/** A practice: its briefing, its dialogue as a graph or as text, and a place to try it. */
import { t } from '@parley/i18n';
import { Tabs } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { useUnsaved } from '../../foundation/screen/unsaved.ts';
import type { FormProps } from '../forms/form-props.ts';
import { BriefingForm } from './briefing-form.tsx';
import { DialogueTab } from './dialogue-tab.tsx';
import { TextTab } from './text-tab.tsx';
import { TryTab } from './try-tab.tsx';

export function PracticeForm(props: FormProps<'practice'>): ReactElement {
  /** What was typed as text and not taken over. It is kept here, because a tab that is left is unmounted. */
  const [typed, setTyped] = useState<string | null>(null);
  useUnsaved(typed !== null);
  return (
    <Tabs
      label={t('Parts of the practice')}
      tabs={[
        { id: 'briefing', title: t('Briefing'), content: <BriefingForm {...props} /> },
        { id: 'dialogue', title: t('Dialogue'), content: <DialogueTab {...props} /> },
        { id: 'text', title: t('Text'), content: <TextTab {...props} typed={typed} onType={setTyped} /> },
        { id: 'try', title: t('Try it'), content: <TryTab document={props.document} /> },
      ]}
    />
  );
}
