/** The progress of an upload, and its available actions. */
import { formatBytes, t } from '@parley/i18n';
import { Button, Trans } from '@parley/ui';
import type { ReactElement } from 'react';
import { formatShare } from '../../foundation/screen/format.ts';
import type { UploadState } from './use-upload.ts';
import css from './video.module.css';

interface UploadProgressProps {
  state: UploadState;
  onPause: () => void;
  onResume: () => void;
  onGiveUp: () => void;
}

export function UploadProgress({ state, onPause, onResume, onGiveUp }: UploadProgressProps): ReactElement | null {
  switch (state.status) {
    case 'idle':
      return null;
    case 'refused':
      return (
        <p role="alert" className={css['refused']}>
          {state.sentence}
        </p>
      );
    case 'reading':
    case 'checking':
      return (
        <p role="status">
          {state.status === 'reading' ? (
            <Trans id="Opening <0>“{fileName}”</0>…" values={state} components={{ 0: <bdi /> }} />
          ) : (
            <Trans id="Checking <0>“{fileName}”</0>…" values={state} components={{ 0: <bdi /> }} />
          )}
        </p>
      );
    case 'uploading':
    case 'paused': {
      const { fileName, sentBytes, totalBytes, problem } = state;
      const isPaused = state.status === 'paused';
      return (
        <div className={css['progress']}>
          <p role="status">
            {isPaused ? (
              <Trans id="Paused: <0>“{fileName}”</0>" values={{ fileName }} components={{ 0: <bdi /> }} />
            ) : (
              <Trans id="Uploading <0>“{fileName}”</0>" values={{ fileName }} components={{ 0: <bdi /> }} />
            )}
          </p>
          <progress aria-label={t('Upload')} value={sentBytes} max={totalBytes} />
          <p className={css['figures']}>
            {t('{done} of {total}', {
              done: formatShare(Math.floor((100 * sentBytes) / totalBytes) / 100),
              total: formatBytes(totalBytes),
            })}
          </p>
          {problem !== null && <p role="alert">{problem}</p>}
          <div className={css['buttons']}>
            <Button onPress={isPaused ? onResume : onPause}>{isPaused ? t('Continue') : t('Pause')}</Button>
            <Button variant="quiet" onPress={onGiveUp}>
              {t('Stop and delete')}
            </Button>
          </div>
        </div>
      );
    }
    default:
      return state satisfies never;
  }
}
