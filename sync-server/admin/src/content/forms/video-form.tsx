/** A video: its file or address, and its transcript. */
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import { findingsAt, Text } from '../fields.tsx';
import { TranscriptField } from '../video/transcript-field.tsx';
import { VideoFile } from '../video/video-file.tsx';
import { AvailabilityChoice } from './availability-choice.tsx';
import type { FormProps } from './form-props.ts';
import { useSet } from './use-set.ts';
import css from '../content.module.css';

export function VideoForm({ id, document, findings, onChange }: FormProps<'video'>): ReactElement {
  const set = useSet(document, onChange);
  const at = (field: keyof typeof document) => findingsAt(findings, [field]);
  return (
    <div className={css['form']}>
      <Text label={t('Title')} value={document.title} findings={at('title')} onChange={(title) => set({ title })} />
      <VideoFile
        videoId={id}
        fileUrl={document.fileUrl}
        transcript={document.transcript}
        findings={at('fileUrl')}
        onChange={(fileUrl) => set({ fileUrl })}
      />
      <Text
        label={t('Description')}
        value={document.description}
        rows={4}
        findings={at('description')}
        onChange={(description) => set({ description })}
      />
      <TranscriptField
        value={document.transcript}
        findings={at('transcript')}
        onChange={(transcript) => set({ transcript })}
      />
      <AvailabilityChoice value={document.availability} onChange={(availability) => set({ availability })} />
    </div>
  );
}
