/** Plays the learner's own latest recording of a word; a recording on another device is named as such. */
import { t } from '@parley/i18n';
import type { ReviewWord } from '@parley/contract';
import { IconButton, MutedText, typographic } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useSpeaker } from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';

export function OwnClip({ word, latest }: Pick<ReviewWord, 'word' | 'latest'>): ReactElement | null {
  const { client } = useHost();
  const speaker = useSpeaker();
  const play = useMutation({
    mutationFn: async (clip: NonNullable<typeof latest>) =>
      speaker.play(await client.recordings.read({ recordingId: clip.recordingId }), { clip }),
  });
  if (latest === null) return null;
  if (!latest.isHere) return <MutedText small>{t('Recorded on another device')}</MutedText>;
  return (
    <>
      <IconButton
        icon="play"
        label={t('You: “{word}”', { word: typographic(word) })}
        onPress={() => play.mutate(latest)}
      />
      {play.isError && <ErrorBanner error={play.error} />}
    </>
  );
}
