/** A practice: its briefing, its dialogue as a graph or as text, and a tab for trying it out. */
import type { PracticeDocument } from '@parley/domain';
import { t } from '@parley/i18n';
import { Tabs } from '@parley/ui';
import { useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useUnsaved } from '../../foundation/screen/unsaved.ts';
import type { FormProps } from '../forms/form-props.ts';
import { BriefingForm } from './briefing-form.tsx';
import { DialogueTab } from './dialogue-tab.tsx';
import { TextTab, type TypedText } from './text-tab.tsx';
import { TryTab } from './try-tab.tsx';

export function PracticeForm(props: FormProps<'practice'>): ReactElement {
  const { document } = props;
  const { part, step } = useSearch({ strict: false });
  /**
   * Text that was typed but not applied, and the practice on which it is based. It is kept here, because a tab is
   * unmounted when the admin leaves it.
   */
  const [typed, setTyped] = useState<{ text: string; from: PracticeDocument } | null>(null);
  useUnsaved(typed !== null);
  const typedText: TypedText = {
    text: typed?.text ?? null,
    isOutdated: typed !== null && JSON.stringify(typed.from) !== JSON.stringify(document),
    onType: (text) => setTyped((now) => (text === null ? null : { text, from: now?.from ?? document })),
    onTakenOver: (written, next) =>
      setTyped((now) => (now === null || now.text === written ? null : { ...now, from: next })),
  };
  return (
    <Tabs
      label={t('Parts of the practice')}
      {...(part === undefined ? {} : { defaultTab: part })}
      tabs={[
        { id: 'briefing', title: t('Briefing'), content: <BriefingForm {...props} /> },
        { id: 'dialogue', title: t('Dialogue'), content: <DialogueTab {...props} firstStep={step} /> },
        { id: 'text', title: t('Text'), content: <TextTab {...props} typed={typedText} /> },
        { id: 'try', title: t('Try it'), content: <TryTab document={props.document} /> },
      ]}
    />
  );
}
