/** The file of a video: choosing, uploading and previewing it, and its cover. */
import { formatBytes, t } from '@parley/i18n';
import type { ContentFinding } from '@parley/domain';
import { mediaAddress, mediaIdOf } from '@parley/domain';
import { Button, shrinkPicture, Trans, VideoCaptions } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import { client } from '../../foundation/api/client.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { formatDuration } from '../../foundation/screen/format.ts';
import { Field, Text } from '../fields.tsx';
import { takeFrame } from './read-video.ts';
import { UploadProgress } from './upload-progress.tsx';
import { useVideoUpload } from './use-video-upload.ts';
import css from './video.module.css';

const COVER_SIZE = { width: 960, height: 540 };

interface VideoFileProps {
  videoId: string;
  fileUrl: string;
  transcript: string;
  findings: readonly ContentFinding[];
  onChange: (fileUrl: string) => void;
}

export function VideoFile({ videoId, fileUrl, transcript, findings, onChange }: VideoFileProps): ReactElement {
  const upload = useVideoUpload(videoId, ({ id }) => onChange(mediaAddress(id)));
  const mediaId = mediaIdOf(fileUrl);
  const { state, interruptedName } = upload;
  const isIdle = state.status === 'idle' || state.status === 'refused';
  return (
    <section className={css['file']} aria-label={t('The video')}>
      {mediaId !== null && <Preview key={mediaId} mediaId={mediaId} transcript={transcript} />}
      {isIdle && (
        <Field
          label={mediaId === null ? t('Video file') : t('Replace the video')}
          description={t(
            'MP4 or WebM. You can close the page and continue later: what has arrived is kept for a week.',
          )}
          findings={mediaId !== null || fileUrl === '' ? findings : []}
        >
          {(props) => (
            <input
              {...props}
              type="file"
              accept="video/mp4,video/webm,.mp4,.m4v,.webm"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file !== undefined) upload.choose(file);
                target.value = '';
              }}
            />
          )}
        </Field>
      )}
      {interruptedName !== null && (
        <div className={css['progress']}>
          <p>
            <Trans
              id="The upload of <0>“{fileName}”</0> was interrupted. Choose the same file to continue where it stopped."
              values={{ fileName: interruptedName }}
              components={{ 0: <bdi /> }}
            />
          </p>
          <Button onPress={upload.giveUp}>{t('Delete what has arrived')}</Button>
        </div>
      )}
      <UploadProgress state={state} onPause={upload.pause} onResume={upload.resume} onGiveUp={upload.giveUp} />
      {mediaId === null && isIdle && (
        <Text
          label={t('Address of the video')}
          description={t('Instead of a file: an address that begins with https:// and leads to an MP4 or WebM file.')}
          value={fileUrl}
          findings={fileUrl === '' ? [] : findings}
          onChange={onChange}
        />
      )}
    </section>
  );
}

function Preview({ mediaId, transcript }: { mediaId: string; transcript: string }): ReactElement {
  const player = useRef<HTMLVideoElement>(null);
  const queryClient = useQueryClient();
  const { data: media = null } = useQuery({
    queryKey: ['media', mediaId],
    queryFn: async () => (await client.media.read({ id: mediaId })).media,
  });
  const saveCover = useMutation({
    mutationFn: (picture: string) => client.media.saveCover({ id: mediaId, picture }),
    onSuccess: ({ media: changed }) => queryClient.setQueryData(['media', mediaId], changed),
  });
  const version = media?.coverVersion ?? null;
  const cover = version === null ? null : `${mediaAddress(mediaId)}/cover?${version}`;
  return (
    <div className={css['preview']}>
      <video
        ref={player}
        className={css['player']}
        src={mediaAddress(mediaId)}
        {...(cover === null ? {} : { poster: cover })}
        controls
        preload="metadata"
      >
        <VideoCaptions transcript={transcript} isShown />
      </video>
      <div className={css['about']}>
        {media !== null && (
          <p>
            <bdi>{media.fileName}</bdi>
            <br />
            {media.durationS === null ? '' : `${formatDuration(media.durationS)}, `}
            {formatBytes(media.bytes)}
          </p>
        )}
        {cover !== null && <img src={cover} alt={t('Cover')} width={160} height={90} />}
        <Button
          onPress={() => {
            if (player.current !== null && player.current.videoWidth > 0) saveCover.mutate(takeFrame(player.current));
          }}
        >
          {t('Use this frame as the cover')}
        </Button>
        <Field label={t('Or a picture')}>
          {(props) => (
            <input
              {...props}
              type="file"
              accept="image/png,image/jpeg,image/webp"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file !== undefined)
                  void shrinkPicture(file, COVER_SIZE).then(
                    (picture) => saveCover.mutate(picture),
                    () => saveCover.mutate(''),
                  );
              }}
            />
          )}
        </Field>
        <p role="status">{saveCover.isSuccess && t('Saved. Learners see it with the video.')}</p>
        {saveCover.isError && <p role="alert">{errorSentence(saveCover.error)}</p>}
      </div>
    </div>
  );
}
