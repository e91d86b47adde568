/** The captions that a video's player offers, also when it fills the screen and hides the transcript. */
import { isWebVtt } from '@parley/domain';
import { t } from '@parley/i18n';
import { type ReactElement, useCallback } from 'react';

/** Renders nothing for a transcript without times. */
export function VideoCaptions({ transcript }: { transcript: string }): ReactElement | null {
  const load = useCallback(
    (track: HTMLTrackElement | null) => {
      if (track === null) return undefined;
      const address = URL.createObjectURL(new Blob([transcript], { type: 'text/vtt' }));
      track.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [transcript],
  );
  return isWebVtt(transcript) ? <track ref={load} kind="captions" srcLang="en" label={t('Captions')} /> : null;
}
