/** The captions that a video's player offers, also when it fills the screen and hides the transcript. */
import { isWebVtt } from '@parley/domain';
import { t } from '@parley/i18n';
import { type ReactElement, useCallback } from 'react';

interface VideoCaptionsProps {
  transcript: string;
  /** Whether they are shown at first; otherwise the viewer turns them on in the player. */
  isShown?: boolean;
}

/** Renders nothing for a transcript without times. */
export function VideoCaptions({ transcript, isShown = false }: VideoCaptionsProps): ReactElement | null {
  const load = useCallback(
    (track: HTMLTrackElement | null) => {
      if (track === null) return undefined;
      const address = URL.createObjectURL(new Blob([transcript], { type: 'text/vtt' }));
      track.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [transcript],
  );
  if (!isWebVtt(transcript)) return null;
  return <track ref={load} kind="captions" srcLang="en" label={t('Captions')} default={isShown} />;
}
