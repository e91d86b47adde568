/** A video: where it is, and what is said in it. */
import type { ReactElement } from 'react';
import { Choice, findingsAt, Text } from '../fields.tsx';
import { TranscriptField } from '../video/transcript-field.tsx';
import { VideoFile } from '../video/video-file.tsx';
import type { FormProps } from './form-props.ts';
import css from '../content.module.css';

export function VideoForm({ id, document, findings, onChange }: FormProps<'video'>): ReactElement {
  const set = (change: Partial<typeof document>): void => onChange({ ...document, ...change });
  const at = (field: keyof typeof document) => findingsAt(findings, [field]);
  return (
    <div className={css['form']}>
      <Text
        label="Title"
        value={document.title}
        maxLength={200}
        findings={at('title')}
        onChange={(title) => set({ title })}
      />
      <VideoFile
        videoId={id}
        fileUrl={document.fileUrl}
        transcript={document.transcript}
        findings={at('fileUrl')}
        onChange={(fileUrl) => set({ fileUrl })}
      />
      <Text
        label="What it is about"
        value={document.description}
        maxLength={20_000}
        rows={4}
        findings={at('description')}
        onChange={(description) => set({ description })}
      />
      <TranscriptField
        value={document.transcript}
        findings={at('transcript')}
        onChange={(transcript) => set({ transcript })}
      />
      <Choice
        label="Learners see it as"
        value={document.availability}
        options={[
          { value: 'ready', label: 'Ready' },
          { value: 'not_ready', label: 'Coming soon' },
        ]}
        onChange={(availability) => set({ availability })}
      />
    </div>
  );
}
