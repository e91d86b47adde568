/** The transcript of a video: typed, pasted or from a file, with a preview of how an app will show it. */
import { t } from '@parley/i18n';
import { type ContentFinding, isWebVtt, parseWebVtt, subRipToWebVtt } from '@parley/domain';
import { type ReactElement, useState } from 'react';
import { formatDuration } from '../../foundation/screen/format.ts';
import { Field, Text } from '../fields.tsx';
import css from './video.module.css';

const MAX_CHARACTERS = 200_000;
const MAX_FILE_BYTES = 2_000_000;
const SHOWN_CUES = 200;

export function TranscriptField({
  value,
  findings,
  onChange,
}: {
  value: string;
  findings: readonly ContentFinding[];
  onChange: (value: string) => void;
}): ReactElement {
  const [problem, setProblem] = useState<string | null>(null);
  const { cues } = isWebVtt(value) ? parseWebVtt(value) : { cues: [] };
  const open = async (file: File): Promise<void> => {
    const text = file.size > MAX_FILE_BYTES ? null : (await file.text()).replaceAll('\0', '');
    const transcript = text !== null && /\.srt$/i.test(file.name) ? subRipToWebVtt(text) : text;
    if (transcript === null || transcript.length > MAX_CHARACTERS)
      return setProblem(t('This file is too large for a transcript. Split the video into parts.'));
    if (transcript.includes('\uFFFD'))
      return setProblem(t('This file isn’t text in UTF-8. Save it as UTF-8, then open it again.'));
    setProblem(null);
    onChange(transcript.replace(/^\uFEFF/, ''));
  };
  return (
    <div className={css['transcript']}>
      <Text
        label={t('Transcript')}
        description={t('Plain text, or WebVTT with times, which the player shows as captions.')}
        value={value}
        rows={12}
        findings={findings}
        onChange={onChange}
      />
      <Field label={t('Open a transcript file')} description={t('WebVTT (.vtt), SubRip (.srt) or plain text (.txt).')}>
        {(props) => (
          <>
            <input
              {...props}
              type="file"
              accept=".vtt,.srt,.txt,text/vtt,text/plain"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file !== undefined) void open(file);
                target.value = '';
              }}
            />
            {problem !== null && <p role="alert">{problem}</p>}
          </>
        )}
      </Field>
      {cues.length > 0 && (
        <details>
          <summary>{t('{count, plural, one {# caption} other {# captions}}', { count: cues.length })}</summary>
          <ol className={css['cues']}>
            {cues.slice(0, SHOWN_CUES).map(({ startS, text }, index) => (
              <li key={index}>
                <span className={css['time']}>{formatDuration(startS)}</span> <bdi>{text}</bdi>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}
